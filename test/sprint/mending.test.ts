/** What a failure leads to: only QC rewrites a wrong verification (I8), and no fix repeats one that failed (I9). */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { trustOf } from '../../src/engine/judge/trust.ts';
import { build, verifications, writeVerifications, honest, script, withSessions, type Session } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

const report = (more: Record<string, unknown> = {}) => ({
  report_fix: { fix_applied: 'mended', files_changed: ['greet.sh'], reasoning: 'as the PRD says', ...more },
});
const doubt = report({ verification_wrong: { evidence: 'The script contradicts 1.2 of the PRD, I ran it.' } });
const fixer = (attempt: number, ...turns: Record<string, unknown>[][]): Session => ({
  role: 'fixer',
  purpose: `fix/cli/world#${attempt}`,
  turns: turns.map((calls) => ({ calls })),
});
const qc = (call: Record<string, unknown>): Session => ({
  role: 'qc',
  purpose: 'write-verifications/cli/world*',
  turns: [{ calls: [call] }],
});
const lowerCase = { edit_file: { path: 'greet.sh', old_string: 'World', new_string: 'world' } };

describe('fixing a failed verification', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  async function runToEnd(sessions: readonly Session[]) {
    at = await ground(sessions);
    const { ending, state } = await run(at, sessions);
    return { ending, state, fixes: (state.ledger.fixes['cli/world'] ?? []).map((f) => `${f.outcome}: ${f.why}`) };
  }

  it('makes QC rewrite a wrong verification, which is proven again and keeps its history', async () => {
    const wrong = script('cli/world', { prd: '1.2', red: 'wrong default', command: 'sh greet.sh', expect: 'Hello, World!' });
    const right = build('T2', {
      edit_file: { path: 'greet.sh', old_string: '$1', new_string: '${1:-world}' },
    });
    const blaming = fixer(1, [{ write_file: { path: 'greet.sh', content: 'echo "Hello, World!"\n' } }, doubt]);
    const { ending, state, fixes } = await runToEnd([
      qc(verifications.world),
      ...withSessions(writeVerifications(verifications.name, wrong, verifications.house), right, blaming),
    ]);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(fixes, ['undone: it says that the verification is wrong: The script contradicts 1.2 of the PRD, I ran it.']);
    assert.match(at.git('show', `${state.opened.branch}:greet.sh`), /house/, 'nothing of the fixer’s change was kept');
    const verification = state.work.verifications['cli/world'];
    assert.ok(verification);
    assert.equal(verification.lineage, 'cli/world');
    assert.equal(trustOf(state, verification).trusted, true);
    assert.equal(new Set(state.ledger.runs['cli/world']?.map((r) => r.script)).size, 2, 'one history for both scripts');
    assert.equal(state.ledger.burned.lineage['cli/world'], 1);
    assert.equal(state.ledger.burned.rewrite['cli/world'], 1);
  });

  it('informs the fixer that QC upheld the verification, and accepts no second complaint about it', async () => {
    const why = 'Requirement 1.2 says world in lower case.';
    const { ending, state, fixes } = await runToEnd([
      qc({ uphold_verification: { why } }),
      fixer(1, [doubt]),
      fixer(2, [doubt], [lowerCase, report()]),
      ...withSessions().filter((s) => s.role !== 'fixer'),
    ]);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(fixes, [
      `no change: it says that the verification is wrong: The script contradicts 1.2 of the PRD, I ran it.; QC answers that it is right: ${why}`,
      'kept: nothing that was green broke',
    ]);
    assert.equal(state.ledger.burned.rewrite['cli/world'], 1);
  });

  it('stops asking a QC that never answers, and goes on', async () => {
    const { ending, state } = await runToEnd([
      { role: 'qc', purpose: 'write-verifications/cli/world*', turns: [{ text: 'Hm.', repeat: true }] },
      fixer(1, [doubt]),
      fixer(2, [doubt], [lowerCase, report()]),
      ...withSessions().filter((s) => s.role !== 'fixer'),
    ]);
    assert.equal(ending.stop, 'delivered');
    assert.equal(state.ledger.burned.rewrite['cli/world'], 3);
  });

  it('undoes a change that was tried before, without verifying it again', async () => {
    const always = { write_file: { path: 'greet.sh', content: 'echo "Hello, world!"\n' } };
    const { ending, state, fixes } = await runToEnd([
      fixer(1, [always, report()]),
      fixer(2, [always, report()]),
      fixer(3, [lowerCase, report()]),
      ...withSessions().filter((s) => s.role !== 'fixer'),
    ]);
    assert.equal(ending.stop, 'delivered');
    assert.deepEqual(fixes, [
      'undone: fix of cli/world broke cli/name',
      'undone: the same change was tried before',
      'kept: nothing that was green broke',
    ]);
    assert.equal(state.ledger.burned.lineage['cli/world'], 3);
    const [first, second, third] = state.ledger.fixes['cli/world'] ?? [];
    assert.ok(first && second && third);
    assert.equal(second.after - first.after, 1, 'the first was judged by a run');
    assert.equal(third.after, second.after, 'the second was not');
  });

  it('runs QC’s text where somebody edited the file of a verification, keeps the edit and records it once', async () => {
    at = await ground(honest);
    const file = (name: string): string => join(at.sprintDir, '.loop', 'verifications', 'cli', name);
    const edit = '#!/usr/bin/env bash\nexit 0\n';
    const { ending, state, events } = await run(at, honest, {
      onEvent(event) {
        if (JSON.stringify(event).includes('"task.reported","id":"T1"')) writeFileSync(file('world.sh'), edit);
      },
    });
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const edited = events.flatMap((e) => ('facts' in e ? e.facts : [])).filter((f) => f.fact === 'verification.edited');
    const kept = '.loop/verifications/cli/world.edited-1.sh';
    const text = createHash('sha256').update(edit).digest('hex');
    assert.deepEqual(edited, [{ fact: 'verification.edited', id: 'cli/world', lineage: 'cli/world', kept, text, atWork: true }]);
    assert.equal(await readFile(file('world.edited-1.sh'), 'utf8'), edit);
    assert.equal(await readFile(file('world.sh'), 'utf8'), verifications.world.write_verification.content);
    assert.equal(state.ledger.runs['cli/world']?.find((r) => r.code === 1)?.verdict, 'red', 'exit 0 never ran');
    const history = await readFile(join(at.sprintDir, '.loop', 'failures', 'cli', 'world', 'history.md'), 'utf8');
    assert.ok(history.includes(`edited, while agents were at work; that text is kept as ${kept}, and did not run.`), history);
  });
});
