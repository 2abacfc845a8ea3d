/** A person who writes into the file of a verification now and then: and adopts it, discards it, or says nothing. */
import { answerEdit, noticeEdit } from '../../../src/engine/person/desk.ts';
import type { Kernel } from '../../../src/engine/kernel.ts';
import { liveChecks } from '../../../src/engine/state/covers.ts';
import type { FakeVerifications } from '../../support/fake-host.ts';
import type { Random } from '../random.ts';

/** Other words, the same demand. */
export async function editSome(kernel: Kernel, files: FakeVerifications, random: Random): Promise<void> {
  const { state, ports } = kernel;
  const scripts = liveChecks(state.work).filter((check) => check.kind === 'command' && !check.guard);
  if (scripts.length === 0 || !random.chance(0.5)) return;
  const check = random.pick(scripts);
  files.edited.set(check.id, `${await ports.payloads.get(check.script)}\n# in the person's words, ${state.n}\n`);
  const edit = await noticeEdit(kernel, check, false);
  const answer = random.weighted({ adopt: 4, discard: 1, nothing: 1 });
  if (edit && answer !== 'nothing') await answerEdit(kernel, check.id, { text: edit.text, answer });
}
