/** While a smoke verification is broken, nothing of a higher tier runs; it is fixed first, and then the rest runs. */
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

/** Greets with a wrong word: the smoke verification is red though its task is settled. */
const wrong = build('T1', { write_file: { path: 'greet.sh', content: 'echo "Hi, $1!"\n' } });
const fix: Session = {
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
  /** The standing of each verification when the fix of the smoke verification begins. */
  const standings: Record<string, string> = {};
  before(async () => {
    const sessions = withSessions(
      writeVerifications(inTier('1', verifications.name), inTier('feature', verifications.world), inTier('e2e', verifications.house)),
      wrong,
      fix,
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
          standings[verification.id] = standingWords(standingOf(now, verification));
      },
    }));
  });
  after(() => at.dispose());
  const codes = (id: string): (number | null)[] => (state.ledger.runs[id] ?? []).filter((r) => r.where === 'tree').map((r) => r.code);

  it('holds back verifications of higher tiers, which say so', () => {
    const heldBack = 'not run: held back by cli/name';
    assert.deepEqual(standings, { 'cli/name': 'failed', 'cli/world': heldBack, 'cli/house': heldBack });
    for (const id of ['cli/world', 'cli/house']) assert.deepEqual(codes(id).slice(0, 2), [0, 2], `${id} was not run on code 1`);
  });

  it('holds nothing back before its own work is done, so that all were red', () => {
    for (const id of ['cli/name', 'cli/world', 'cli/house']) assert.equal(state.ledger.runs[id]?.[0]?.verdict, 'red');
  });

  it('is fixed, and the sprint is delivered with what was held back', async () => {
    assert.equal(stop, 'delivered');
    const report = await readFile(join(at.sprintDir, '.loop', 'DELIVERY_REPORT.md'), 'utf8');
    assert.match(report, /^ {2}- \[cli\/world\].* \(passed, trusted: .*\)$/m);
    assert.equal(state.work.results['cli/world']?.code, state.work.tree.code);
  });
});
