/** While a smoke check is broken nothing that builds upon it is run; it is mended first, and then the rest is run. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { State } from '../../src/engine/state/state.ts';
import { standingWords } from '../../src/engine/render/standing.ts';
import { standingOf } from '../../src/engine/picture/picture.ts';
import { build, verifications, writeVerifications, withSessions, type Session } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

function inTier(tier: string, { write_verification: { path, content } }: typeof verifications.name) {
  return { write_verification: { path, content: content.replace('# PRD:', `# TIER: ${tier}\n# PRD:`) } };
}

/** Greets, but in other words: the smoke check is red though its task is settled. */
const wrong = build('T1', { write_file: { path: 'greet.sh', content: 'echo "Hi, $1!"\n' } });
const mend: Session = {
  role: 'fixer',
  purpose: 'fix/cli/name',
  turns: [
    {
      calls: [
        { write_file: { path: 'greet.sh', content: 'name="$1"\necho "Hello, $name!"\n' } },
        { report_fix: { fix_applied: 'Hello', files_changed: ['greet.sh'], reasoning: 'the PRD says Hello' } },
      ],
    },
  ],
};

describe('a broken smoke verification', () => {
  let at: Ground;
  let state: State;
  let stop: string;
  /** What is said of the others when the smoke check is being mended. */
  const said: Record<string, string> = {};
  before(async () => {
    const sessions = withSessions(
      writeVerifications(inTier('1', verifications.name), inTier('feature', verifications.world), inTier('e2e', verifications.house)),
      wrong,
      mend,
    );
    at = await ground(sessions);
    ({
      state,
      ending: { stop },
    } = await run(at, sessions, {
      onEvent(event, now) {
        if (event.type !== 'step.begun' || event.step.kind !== 'action') return;
        const { action, target } = event.step.decision;
        if (action !== 'fix' || target !== 'cli/name') return;
        for (const verification of Object.values(now.work.verifications))
          said[verification.id] = standingWords(standingOf(now, verification));
      },
    }));
  });
  after(() => at.dispose());
  const codes = (id: string): (number | null)[] => (state.ledger.runs[id] ?? []).filter((r) => r.where === 'tree').map((r) => r.code);

  it('keeps what builds upon it from being run, and says so', () => {
    const gated = 'not run: gated by cli/name';
    assert.deepEqual(said, { 'cli/name': 'failed', 'cli/world': gated, 'cli/house': gated });
    for (const id of ['cli/world', 'cli/house']) assert.deepEqual(codes(id).slice(0, 2), [0, 2], `${id} was not run on code 1`);
  });

  it('did not gate while its own work was not done: all were seen red', () => {
    for (const id of ['cli/name', 'cli/world', 'cli/house']) assert.equal(state.ledger.runs[id]?.[0]?.verdict, 'red');
  });

  it('is mended, and the sprint delivers with what was gated', async () => {
    assert.equal(stop, 'delivered');
    const report = await readFile(join(at.sprintDir, '.loop', 'DELIVERY_REPORT.md'), 'utf8');
    assert.match(report, /^- \[cli\/world\].*: passed$/m);
    assert.equal(state.work.results['cli/world']?.code, state.work.tree.code);
  });
});
