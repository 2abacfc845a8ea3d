/** What a run that gets to no place for a fault sees of texts in no language: those that its requirement names, or that its work is. */
import type { Context } from '../../context.ts';
import { documentFaults, repeated } from '../../prove/document-faults.ts';
import type { Files } from '../../run/files.ts';
import type { Place } from '../../work/job.ts';
import type { FaultTrial } from '../../work/verification.ts';
import { endOf } from './fault-trials.ts';
import { trialOf } from './drawn-faults.ts';
import type { Subject } from './measure-subjects.ts';

/** Texts of which it is asked whether the run looks into them, and those that get all faults, at most. */
const most = { asked: 6, tried: 2 };

export async function tryDocuments(
  context: Context,
  { subject, isLate }: { subject: Subject; isLate: () => boolean },
  at: Place,
): Promise<void> {
  const [first] = subject.documents;
  if (subject.mutants.length > 0 || !first) return;
  const endWith = async (files: Files): Promise<string> => {
    const end = await endOf(context, subject, files, at);
    if (end === 'machine') subject.isKept = true;
    return end;
  };
  const [asked, beyond] = [subject.documents.slice(0, most.asked), subject.documents.slice(most.asked)];
  const looked: FaultTrial[][] = [];
  for (const { path, text } of asked) {
    if (looked.length === most.tried || context.signal.aborted) break;
    const twice = repeated(path, text);
    const isTwiceRed = (await endWith({ [path]: twice.text })) === 'red';
    if (!isTwiceRed && isUnread(await endWith({ [path]: '' }))) continue;
    const trials = isTwiceRed && subject.isLimited ? [trialOf(twice, 'seen')] : [];
    for (const fault of documentFaults(path, text)) {
      if (context.signal.aborted || (isLate() && trials.some(isSeen))) break;
      const end = await endWith({ [path]: fault.text });
      if (end === 'red' || end === 'green') trials.push(trialOf(fault, end === 'red' ? 'seen' : 'unseen'));
    }
    looked.push(trials);
  }
  if (context.signal.aborted) return;
  // Where it looks into one of these, or each fault only kept the work from running, nothing tells how much it sees.
  const none = Object.fromEntries(beyond.map(({ path }) => [path, '']));
  const isElsewhere = looked.length === 0 && beyond.length > 0 && !isUnread(await endWith(none));
  if (isElsewhere || (looked.length > 0 && looked.every((trials) => trials.length === 0))) return;
  const seen = looked.filter((trials) => trials.some(isSeen));
  const trials = (seen.length > 0 ? seen : looked).flat();
  subject.read = { path: trials[0]?.path ?? first.path, seen: seen.length > 0, trials };
}

/** By the end of a run with nothing left of a text. */
function isUnread(end: string): boolean {
  return end === 'green' || end === 'machine';
}

function isSeen({ outcome }: FaultTrial): boolean {
  return outcome === 'seen';
}
