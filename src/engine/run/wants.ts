/** Tries a script with faults in what it wants, over the sound work: whose verdict it is shows there (docs/proof.md). */
import { classify } from '../diagnose/classify.ts';
import { loadsWork } from '../judge/in-process.ts';
import { isGreen } from '../judge/verdict.ts';
import { wantsOf, type Want } from '../prove/wants.ts';
import type { Finished, Place } from '../work/job.ts';
import type { Script } from '../work/verification.ts';
import type { Ground } from './ground.ts';
import { runOnce } from './run-once.ts';

/** Faults that are tried at most for one script (I4); one that it notices is enough. */
const mostTried = 6;

export interface Heeded {
  /** Why its verdict is not its own. */
  problem?: string;
  /** Whether it says itself what it wants. */
  states: boolean;
}

/** @param paths of the sprint's files. @param at where the script is green. */
export async function heeds(ground: Ground, verification: Script, paths: readonly string[], at: Place): Promise<Heeded> {
  const script = await ground.ports.payloads.get(verification.script);
  // From another process the work cannot look at what is wanted, and an input may be changed as well as what is wanted of it.
  const mayBeInput = !loadsWork(script, verification.ext, paths);
  const wants = wantsOf(script, verification.red);
  const states = wants.length > 0;
  const of = (how: Want['how']): Want[] => wants.filter((want) => want.how === how);
  const outcome = async (want: Want): Promise<Outcome> => {
    if (ground.signal.aborted) return 'untold';
    return outcomeOf(verification, await runOnce(ground, verification, { at, where: 'revert' }, 1, { script: want.text }));
  };
  const [[first], [last]] = [of('first'), of('last')];
  if (last && first) {
    const atEnd = await outcome(last);
    if (atEnd === 'seen') return { states };
    if (atEnd === 'unseen' && (await outcome(first)) === 'seen') return { states, problem: tableWords(first, last) };
  }
  const unseen: Want[] = [];
  for (const want of [...of('stated'), ...(mayBeInput ? [] : of('paired'))].slice(0, mostTried)) {
    const found = await outcome(want);
    if (found === 'seen') return { states };
    if (found === 'unseen') unseen.push(want);
  }
  const [one] = unseen;
  const isEnough = one !== undefined && (one.how === 'stated' || unseen.length > 1);
  return { states, ...(isEnough ? { problem: wantWords(one) } : {}) };
}

type Outcome = 'seen' | 'unseen' | 'untold';

function outcomeOf({ red }: Script, done: Finished): Outcome {
  if (isGreen(done)) return 'unseen';
  if (done.exit === null || done.timedOut || done.dead || done.stopped || done.lacks !== undefined) return 'untold';
  const isOwn = done.output.includes(red) && classify(done) !== 'tooling_error';
  return isOwn ? 'seen' : 'untold';
}

function wantWords({ was, now }: Want): string {
  return `it stays green with "${now}" for "${was}" in its own text: not what it says decides, but the work, or nothing. Let it compare in a process that runs none of the work and takes only text from it, with files and settings that the work cannot change`;
}

function tableWords(first: Want, last: Want): string {
  return `it stays green with "${last.now}" for "${last.was}" in the last row of its table, and not with "${first.now}" for "${first.was}" in the first: what its loop starts reads the rows away. Start that with </dev/null`;
}
