/**
 * Runs one verification, red and then green on each tree, wherever Loop runs verifications: in a sprint, by hand and in
 * *Finish*. Prints the result of each. Arguments: sprint folder, repository, `as it is` or `never repeated`.
 */
import { execFileSync } from 'node:child_process';
import { isRepeated } from '../../src/engine/judge/verdict.ts';
import { finishSprint } from '../../src/host/finish-sprint.ts';
import { verifySprint } from '../../src/host/verify-sprint.ts';
import { messageOf } from '../../src/engine/ground/errors.ts';
import { run } from '../support/sprint.ts';
import { swap } from '../support/swap.ts';
import { byTurns } from '../support/by-turns.ts';
import { flaky, sessionsWith } from './flaky-sprint.ts';

const [sprintDir = '', repo = '', rule = ''] = process.argv.slice(2);

void main();

async function main(): Promise<void> {
  if (rule === 'never repeated') swap(isRepeated, () => () => false);
  const turns = await byTurns();
  const { state } = await run({ sprintDir, repo }, sessionsWith(turns.lines), { overrides: { network: 'all' } });
  const sprint = [...new Set(state.ledger.runs[flaky]?.map(({ verdict }) => verdict))];
  const { signal } = new AbortController();
  const byHand = (await verifySprint({ sprintDir, only: [flaky], signal })).map(({ verdict }) => verdict);
  // The person's branch gets a commit, so that Finish runs all verifications on the merged tree.
  execFileSync('git', ['commit', '-q', '--allow-empty', '-m', 'Go on', '--only'], { cwd: repo });
  const finish = await finishSprint(sprintDir, 'squash').then(({ summary }) => summary, messageOf);
  turns.close();
  process.stdout.write(JSON.stringify({ sprint, byHand, finish }));
}
