/** What a run that gets to no place for a fault sees of texts in no language: those that its requirement names, or that its work is. */
import type { Context } from '../context.ts';
import { documentFaults, repeated } from '../prove/document-faults.ts';
import type { Mutant } from '../prove/mutants.ts';
import type { Place } from '../work/job.ts';
import type { FaultTrial } from '../work/verification.ts';
import { endOf } from './fault-trials.ts';
import { trialOf, type Subject } from './measure-subjects.ts';

/** Texts of which it is asked whether the run looks into them, and those that get all faults, at most. */
const most = { asked: 6, tried: 2 };

export async function tryDocuments(
  context: Context,
  { subject, isLate }: { subject: Subject; isLate: () => boolean },
  at: Place,
): Promise<void> {
  const [first] = subject.documents;
  if (subject.mutants.length > 0 || !first) return;
  const endWith = async (fault: Pick<Mutant, 'path' | 'text'>): Promise<string> => {
    const end = await endOf(context, subject, fault, at);
    if (end === 'machine') subject.isKept = true;
    return end;
  };
  const looked: FaultTrial[][] = [];
  for (const { path, text } of subject.documents.slice(0, most.asked)) {
    if (looked.length === most.tried || context.signal.aborted) break;
    const twice = repeated(path, text);
    // Only where a text has a limit is it wrong to say all of it twice, and only that tells it.
    const isLimited = (await endWith(twice)) === 'red';
    if (!isLimited && /^(green|machine)$/.test(await endWith({ path, text: '' }))) continue;
    const trials = isLimited ? [trialOf(twice, 'seen')] : [];
    for (const fault of documentFaults(path, text)) {
      if (context.signal.aborted || (isLate() && trials.some(isSeen))) break;
      const end = await endWith(fault);
      if (end === 'red' || end === 'green') trials.push(trialOf(fault, end === 'red' ? 'seen' : 'unseen'));
    }
    looked.push(trials);
  }
  // Beyond those that were asked about there may be one that it looks into.
  if (looked.length === 0 && subject.documents.length > most.asked) return;
  const seen = looked.filter((trials) => trials.some(isSeen));
  const trials = (seen.length > 0 ? seen : looked).flat();
  subject.read = { path: trials[0]?.path ?? first.path, seen: seen.length > 0, trials };
}

function isSeen({ outcome }: FaultTrial): boolean {
  return outcome === 'seen';
}
