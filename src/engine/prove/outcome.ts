/** What the runs of a proof tell about a verification. */
import { clip, oneLine } from '../ground/text.ts';
import { isHonestRed } from '../judge/trust.ts';
import type { OtherWants } from './wants.ts';
import type { Proof, Run, Script } from '../work/verification.ts';

/** Characters of what a run says that are told. */
const mostWords = 300;

/** Outcome of a proof, and the run that decided it. */
export type Found = Pick<Proof, 'outcome' | 'why'> & { run?: Run };

/**
 * Whether a verification depends on what the work does, and not only on its text.
 * @param ownTests the work's own tests, which were silenced in all runs.
 */
export function controlOf({ reworded, silenced, unheeded, shadowed, eaten }: Controlled, ownTests: readonly string[]): Found {
  if (shadowed !== undefined)
    return {
      outcome: 'not-red',
      why: `it uses \`${shadowed}\`, and the work has a module of that name, which Python takes instead. Let it look in another way`,
    };
  const untold = [reworded, silenced].find((run) => run?.verdict === 'none');
  if (untold) return untoldBy(untold);
  if (reworded && reworded.verdict !== 'green') {
    const tests = ownTests.length > 0 ? `, and where the work’s own tests were silenced: ${ownTests.join(', ')}` : '';
    const why = `it fails in a checkout of its own where only comments were added to the work, git was there, and variables of Loop’s were not${tests}. There it ended with: ${clip(oneLine(reworded.summary), mostWords)}`;
    return { outcome: 'not-red', why, run: reworded };
  }
  if (silenced?.verdict === 'green')
    return {
      outcome: 'not-red',
      why: 'it stays green when the work it covers is taken out and only its text is left: it does not look at what it does',
      run: silenced,
    };
  if (silenced?.verdict === 'flaky')
    return {
      outcome: 'not-red',
      why: 'it is red and green by turns where the work it covers is taken out and only its text is left: chance proves nothing',
      run: silenced,
    };
  if (silenced && isCutOff(silenced))
    return {
      outcome: 'not-red',
      why: 'it does not end where the work it covers is taken out and only its text is left, so that tells nothing',
      run: silenced,
    };
  if (unheeded)
    return {
      outcome: 'not-red',
      why: `it stays green with "${unheeded.now}" for "${unheeded.was}" in its own text: not what it says decides, but the work, or nothing. Let it compare in a process that runs none of the work, with values that the work cannot reach, and turn red where they differ`,
    };
  if (eaten)
    return {
      outcome: 'not-red',
      why: 'what it starts takes the rows that its own loop reads, so it looks at the first ones alone. Give what it starts in the loop an input of its own, such as `</dev/null`',
    };
  return { outcome: 'red', why: 'it goes by what the work does, not by its text' };
}

/** What the runs of a control came to. */
interface Controlled {
  /** Where only comments were added to the work, and it cannot tell that it is judged. */
  reworded: Run | undefined;
  /** Where the work has its text but none of it runs. */
  silenced: Run | undefined;
  /** Other values that the script wants, with which it is green over sound work all the same. */
  unheeded: OtherWants | undefined;
  /** A tool that the script runs, and of which the work has its own. */
  shadowed: string | undefined;
  /** The work takes the rows of the script's own loop. */
  eaten: boolean;
}

/** The machine kept a run of a proof from a result: the proof is tried again. */
export function untoldBy(run: Run): Found {
  return { outcome: 'impossible', why: run.summary, run };
}

/** A killed run proves nothing: a verification that only reads the work's text could be as slow. */
function isCutOff({ timedOut, exit }: Run): boolean {
  return timedOut || exit === null;
}

/** @param commits number of commits that were taken out, or all, with those that it does not cover. */
export function revertOf(verification: Script, run: Run, commits: number | 'all'): Found {
  if (run.verdict === 'none') return untoldBy(run);
  if (isHonestRed(run)) {
    const own = commits === 1 ? 'the commit that it covers' : `the ${commits} commits that it covers`;
    return {
      outcome: 'red',
      why: `with ${commits === 'all' ? 'all work of the sprint' : own} taken out it fails for its stated reason`,
    };
  }
  if (run.verdict === 'green')
    return { outcome: 'not-red', why: 'it stays green when the work it covers is taken out: it does not look at it' };
  if (run.verdict === 'flaky')
    return {
      outcome: 'not-red',
      why: 'it is red and green by turns when the work it covers is taken out: chance proves nothing',
    };
  const reason = run.redSeen ? `${run.kind ?? 'unknown'} is no proof` : `its output does not contain "${verification.red}"`;
  return { outcome: 'not-red', why: `it fails without the work, but not for its stated reason: ${reason}` };
}
