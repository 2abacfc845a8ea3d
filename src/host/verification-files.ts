/**
 * `.loop/verifications/<id>.<ext>`: what QC wrote, for a person to read. A rendering (I1) that is never run and never read
 * back, but for this: a text that somebody else put there is theirs, and is never written over (I10).
 */
import { createHash } from 'node:crypto';
import type { Payloads, VerificationFiles } from '../engine/ports.ts';
import type { Shelf } from './shelf.ts';

type File = Parameters<VerificationFiles['restore']>[0];

export interface OwnFiles extends VerificationFiles {
  /** Writes our text, unless theirs is there: that waits for `restore`, when they can be told. */
  render(check: File): Promise<void>;
}

export function createVerificationFiles(shelf: Shelf, payloads: Payloads): OwnFiles {
  /** Every text of ours is a payload, that of a rewritten verification too. */
  const isTheirs = async (found: string, { script }: File): Promise<boolean> => {
    const ref = createHash('sha256').update(found).digest('hex');
    if (ref === script) return false;
    return payloads.get(ref).then(
      () => false,
      () => true,
    );
  };
  return {
    async render(check) {
      const path = pathOf(check);
      const [found, ours] = await Promise.all([shelf.read(path), payloads.get(check.script)]);
      if (found === undefined || (found !== ours && !(await isTheirs(found, check)))) await shelf.write(path, ours);
    },
    async restore(check) {
      const path = pathOf(check);
      const found = await shelf.read(path);
      if (found === undefined || !(await isTheirs(found, check))) return undefined;
      const kept = await shelf.setAside(path);
      await shelf.write(path, await payloads.get(check.script));
      return `.loop/${kept}`;
    },
  };
}

function pathOf({ id, ext }: File): string {
  return `verifications/${id}.${ext}`;
}
