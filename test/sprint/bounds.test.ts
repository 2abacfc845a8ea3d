/** Fixing is bounded by lineage and signature (I4), and what could not be fixed is described for the person (I9). */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { statusOf } from '../../src/engine/judge/status.ts';
import { verifications, writeVerifications, withSessions, type Session } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

/** No change makes it green. */
const impossible = {
  write_verification: {
    path: 'cli/world.sh',
    content:
      '#!/usr/bin/env bash\n# TEST: greets the world from nowhere\n# PRD: 1.2\n# RED: no greeting\necho "no greeting: expected a miracle"; exit 1',
  },
};

/** A fixer that writes another file in each attempt and claims success. */
const busy = (attempt: number): Session => ({
  role: 'fixer',
  purpose: `fix/cli/world#${attempt}`,
  turns: [
    {
      calls: [
        { write_file: { path: `attempt-${attempt}.js`, content: `module.exports = ${attempt};\n` } },
        {
          report_fix: {
            fix_applied: `module ${attempt}`,
            files_changed: [`attempt-${attempt}.js`],
            reasoning: 'this time it works',
          },
        },
      ],
    },
  ],
});

/** Fails in one of two ways, depending on a file. Each change of the fixer makes it fail in the other way. */
const flipping = {
  write_verification: {
    path: 'cli/world.sh',
    content:
      '#!/usr/bin/env bash\n# TEST: greets from both sides\n# PRD: 1.2\n# RED: no greeting\n' +
      'case "$(cat side 2>/dev/null)" in left) echo "no greeting: expected right";; *) echo "no greeting: expected left";; esac; exit 1',
  },
};
const flipper = (attempt: number): Session => {
  const session = busy(attempt);
  session.turns[0]?.calls?.unshift({ write_file: { path: 'side', content: attempt % 2 === 0 ? 'right' : 'left' } });
  return session;
};

describe('a verification that nobody can make green', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  it('stops at the bound, is not delivered, and is described in ISSUES.md', async () => {
    const sessions = [
      ...withSessions(writeVerifications(verifications.name, impossible, verifications.house)).filter((s) => s.role !== 'fixer'),
      ...[1, 2, 3, 4, 5, 6].map(busy),
    ];
    at = await ground(sessions);
    const { ending, state } = await run(at, sessions);
    assert.equal(ending.stop, 'partial');
    const fixes = state.ledger.fixes['cli/world'] ?? [];
    assert.equal(fixes.length, state.config.maxFixesPerSignature, 'three fixes for one signature, whatever files they touch');
    const verification = state.work.verifications['cli/world'];
    assert.ok(verification);
    assert.equal(statusOf(state, verification), 'blocked');
    const issues = await readFile(join(at.sprintDir, '.loop', 'ISSUES.md'), 'utf8');
    const expected = [
      '## cli/world is blocked',
      '- Goal: greets the world from nowhere (proves 1.2)',
      // The eighth run came after house.txt, which might have been what it lacked.
      '- Attempts: 8 red (test failure), fixes tried: 3',
      '  - module 3 (kept, nothing that was green broke)',
      '- Last command: the script .loop/verifications/cli/world.sh, exit status 1',
      '      no greeting: expected a miracle',
      '- Next: read .loop/failures/cli/world/history.md',
    ];
    for (const line of expected) assert.ok(issues.includes(line), `${line}\nis missing in\n${issues}`);
    const [, path = ''] = /Evidence: (\S+)/.exec(issues) ?? [];
    assert.equal(await readFile(join(at.sprintDir, path), 'utf8'), 'no greeting: expected a miracle\n');
  });

  it('stops at the bound of its lineage where it alternates between two failures', async () => {
    const others = withSessions(writeVerifications(verifications.name, flipping, verifications.house)).filter((s) => s.role !== 'fixer');
    at = await ground([]);
    const { ending, state } = await run(at, [...others, ...[1, 2, 3, 4, 5, 6, 7].map(flipper)]);
    assert.equal(ending.stop, 'partial');
    const fixes = state.ledger.fixes['cli/world'] ?? [];
    assert.equal(fixes.length, state.config.maxFixAttempts, 'five fixes for one lineage, however it fails');
    const [first, second, ...rest] = fixes.map((f) => f.signature);
    assert.notEqual(first, second);
    assert.deepEqual(rest, [first, second, first]);
    const verification = state.work.verifications['cli/world'];
    assert.ok(verification);
    assert.equal(statusOf(state, verification), 'blocked');
  });
});
