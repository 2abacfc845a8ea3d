/**
 * `.loop/verifications/<id>.<ext>`: what the verifications are, for a person to read and to edit. A rendering (I1) that is
 * never run: a text that somebody else put there is theirs, is never written over (I10), and comes back into the sprint only
 * as the payload that it was kept as.
 */
import { createHash } from 'node:crypto';
import type { Payloads, VerificationFiles } from '../engine/ports.ts';
import type { VerificationFile } from '../engine/work/edit.ts';
import type { Ref } from '../engine/work/ref.ts';
import type { Shelf } from './shelf.ts';

export interface OwnFiles extends VerificationFiles {
  /** Writes our text, unless theirs is there: that waits for `restore`, when they can be told. */
  render(file: VerificationFile): Promise<void>;
}

export function createVerificationFiles(shelf: Shelf, payloads: Payloads): OwnFiles {
  return {
    async render(file) {
      const path = pathOf(file);
      const [found, ours] = await Promise.all([shelf.read(path), payloads.get(file.script)]);
      if (found === undefined || (found !== ours && !isTheirs(found, file))) await shelf.write(path, ours);
    },
    async look(file) {
      const path = pathOf(file);
      const found = await shelf.read(path);
      if (found === undefined || !isTheirs(found, file)) return undefined;
      return { text: found, kept: `.loop/${await shelf.freeName(path)}` };
    },
    async isOlder(file) {
      const found = await shelf.read(pathOf(file));
      return found !== undefined && hash(found) !== file.script && !isTheirs(found, file);
    },
    async restore(file, { text, kept }) {
      const path = pathOf(file);
      const found = await shelf.read(path);
      if (found !== undefined && hash(found) === text && isTheirs(found, file)) {
        // It is there already where the same text was put back after it had been kept.
        if ((await shelf.read(kept.slice('.loop/'.length))) !== found) await shelf.setAside(path);
        await shelf.write(path, await payloads.get(file.script));
      }
    },
  };
}

/** An older text of ours may only not be written anew yet: nothing tells whether somebody put it back. */
function isTheirs(found: string, { script, ours }: VerificationFile): boolean {
  const ref = hash(found);
  return ref !== script && !ours.includes(ref);
}

function hash(text: string): Ref {
  return createHash('sha256').update(text).digest('hex');
}

function pathOf({ id, ext }: VerificationFile): string {
  return `verifications/${id}.${ext}`;
}
