/** A person who now and then edits the file of a verification, and then adopts the edit, discards it, or does not answer. */
import { answerEdit, setEditAside } from '../../../src/engine/person/edits.ts';
import type { Kernel } from '../../../src/engine/kernel.ts';
import { liveScripts } from '../../../src/engine/state/covers.ts';
import type { FakeVerifications } from '../../support/fake-host.ts';
import type { Random } from '../random.ts';

/** Makes an edit that changes only a comment. */
export async function editSome(kernel: Kernel, files: FakeVerifications, random: Random): Promise<void> {
  const { state, ports } = kernel;
  const scripts = liveScripts(state.work);
  if (scripts.length === 0 || !random.chance(0.5)) return;
  const verification = random.pick(scripts);
  files.edited.set(verification.id, `${await ports.payloads.get(verification.script)}\n# in the person's words, ${state.n}\n`);
  const edit = await setEditAside(kernel, verification, false);
  const answer = random.weighted({ adopt: 4, discard: 1, nothing: 1 });
  if (edit && answer !== 'nothing') await answerEdit(kernel, verification.id, { text: edit.text, answer });
}
