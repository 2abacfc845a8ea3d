/**
 * `.loop/verifications/<id>.<ext>`: the verifications, for a person to read and to edit. These files are renderings (I1) and
 * never run. A text that Loop did not write is the person's: it is not overwritten (I10), and it enters the sprint only as a
 * payload.
 */
import type { Payloads, VerificationFiles } from '../engine/ports.ts';
import type { VerificationFile } from '../engine/work/edit.ts';
import { refOf } from './payloads.ts';
import type { Shelf } from './shelf.ts';

export interface OwnFiles extends VerificationFiles {
  /** Writes Loop's text, unless the file holds the person's: `restore` replaces that, when the person can be asked. */
  render(file: VerificationFile): Promise<void>;
}

export function createVerificationFiles(shelf: Shelf, payloads: Payloads): OwnFiles {
  return {
    async render(file) {
      const path = pathOf(file);
      const [text, script] = await Promise.all([shelf.read(path), payloads.get(file.script)]);
      if (text === undefined || (text !== script && !isPersons(text, file))) await shelf.write(path, script);
    },
    async look(file) {
      const path = pathOf(file);
      const text = await shelf.read(path);
      if (text === undefined || !isPersons(text, file)) return undefined;
      return { text, kept: `.loop/${await shelf.freeName(path)}` };
    },
    async isOlder(file) {
      const text = await shelf.read(pathOf(file));
      return text !== undefined && refOf(text) !== file.script && !isPersons(text, file);
    },
    async restore(file, { text, kept }) {
      const path = pathOf(file);
      const current = await shelf.read(path);
      if (current !== undefined && refOf(current) === text && isPersons(current, file)) {
        // The kept file may exist already, where the person put the same text back.
        if ((await shelf.read(kept.slice('.loop/'.length))) !== current) await shelf.setAside(path);
        await shelf.write(path, await payloads.get(file.script));
      }
    },
  };
}

/** An older script of Loop does not count as the person's: after a crash the file may just not be up to date. */
function isPersons(text: string, { script, ours }: VerificationFile): boolean {
  const ref = refOf(text);
  return ref !== script && !ours.includes(ref);
}

function pathOf({ id, ext }: VerificationFile): string {
  return `verifications/${id}.${ext}`;
}
