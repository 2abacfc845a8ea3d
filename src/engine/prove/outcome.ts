/** What the run of a proof tells about a verification. */
import { isHonestRed } from '../judge/trust.ts';
import type { Proof, Run, Script } from '../work/verification.ts';

/** How a proof ended, and the one run that tells. */
export type Found = Pick<Proof, 'outcome' | 'why'> & { run?: Run };

/**
 * Whether a verification goes by what the work does.
 * @param other its run where only the words of the work are others; @param silent where the work does nothing; @param own tests of
 * the work that were silenced in both.
 */
export function controlOf(other: Run | undefined, silent: Run | undefined, own: readonly string[]): Found {
  if (other && other.verdict !== 'green') {
    const tests = own.length > 0 ? `, and where the work’s own tests were silenced: ${own.join(', ')}` : '';
    const why = `it fails in a checkout of its own where only comments were added to the work${tests}`;
    return { outcome: 'not-red', why, run: other };
  }
  if (silent?.verdict === 'green')
    return {
      outcome: 'not-red',
      why: 'it stays green when the work it covers is taken out and only its text is left: it does not look at what it does',
      run: silent,
    };
  if (silent?.verdict === 'flaky')
    return {
      outcome: 'not-red',
      why: 'it is red and green by turns where the work it covers is taken out and only its text is left: chance proves nothing',
      run: silent,
    };
  if (silent && isCutOff(silent))
    return {
      outcome: 'not-red',
      why: 'it does not end where the work it covers is taken out and only its text is left, so that tells nothing',
      run: silent,
    };
  return { outcome: 'red', why: 'it goes by what the work does, not by its text' };
}

/** One that was slow says what one that reads the text would say if it was slow: nothing. */
export function isCutOff({ timedOut, exit }: Run): boolean {
  return timedOut || exit === null;
}

/** @param commits that were taken out. */
export function revertOf(verification: Script, run: Run, commits: number): Found {
  if (isHonestRed(run))
    return {
      outcome: 'red',
      why: `with ${commits === 1 ? 'the commit' : `the ${commits} commits`} that it covers taken out it fails for its stated reason`,
    };
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
