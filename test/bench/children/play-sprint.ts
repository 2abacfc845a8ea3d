/** Plays one fixture sprint to its end in this process, and prints what came of it. Argument: its name in `fixture-sprints.ts`. */
import { ground, run } from '../../support/sprint.ts';
import { fixtureSprints, outcomeOf } from '../support/fixture-sprints.ts';

void main();

async function main(): Promise<void> {
  const sessions = fixtureSprints[process.argv[2] ?? ''];
  if (!sessions) throw new Error(`there is no sprint "${process.argv[2]}"`);
  const at = await ground(sessions);
  try {
    process.stdout.write(JSON.stringify(outcomeOf(await run(at, sessions))));
  } finally {
    await at.dispose();
  }
}
