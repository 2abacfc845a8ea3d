/** Faults of an earlier system that must not come back: evidence was thrown away, or judged differently each time. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { verifications, writeVerifications, withSessions } from '../../support/greeter.ts';
import { bash, edit, fixer, idle, play, type Played } from '../../support/played.ts';

/** What a fixer needs is in the middle of this output, neither in a keyword nor in the last line. */
const evidence = [
  ...Array.from({ length: 20 }, (_, i) => `GET /greeting/${i} 200`),
  'GET /greeting/world: HTTP 401 Unauthorized, token expired 2026-02-13T08:00:00Z',
  ...Array.from({ length: 20 }, (_, i) => `    at handler${i} (routes/greeting.js:${100 + i}:7)`),
  'done',
].join('\n');
/** Its output cannot be read from the script. */
const world = bash(
  'cli/world',
  '1.2',
  '# RED: wrong default',
  '[ "$(sh greet.sh)" = "Hello, world!" ] && exit',
  'for i in $(seq 0 19); do echo "GET /greeting/$i 200"; done',
  'echo "GET /greeting/world: HTTP 401 Unauthorized, token expired 2026-02-13T08:00:00Z"',
  'for i in $(seq 0 19); do echo "    at handler$i (routes/greeting.js:$((100 + i)):7)"; done; echo done',
  'echo "wrong default"; exit 1',
);
const words = bash(
  'cli/words',
  '1.1',
  '# RED: wrong greeting',
  'echo "RESULT: FAIL (not really)"',
  '[ "$(sh greet.sh Ada)" = "Hello, Ada!" ] || { echo "wrong greeting"; exit 1; }',
);
const prose = [
  { write_verification: { path: 'cli/prose.md', content: '# TEST: log in\n# PRD: 1.1\n# RED: no\nOpen the page and click "Sign in".' } },
  { write_verification: { path: 'cli/prose.sh', content: 'Open localhost:3000 and click "Sign in". Expect a greeting.' } },
];
const forAll = { write_file: { path: 'greet.sh', content: 'echo "Hello, world!"\n' } };
const sessions = [
  fixer('fix/cli/world#1', 'another word', edit('greet.sh', 'World', 'Welt')),
  fixer('fix/cli/world#2', 'one greeting for all', forAll),
  fixer('fix/cli/world#3', 'lower case', edit('greet.sh', 'Welt', 'world')),
  ...withSessions(writeVerifications(...prose, verifications.name, words, world, verifications.house)).filter((s) => s.role !== 'fixer'),
  idle('fix/*'),
];

describe('known faults: evidence and memory', () => {
  let sprint: Played;
  before(async () => void (sprint = await play(sessions)));
  after(() => sprint.at.dispose());

  it('verifications are programs, and a second run on the same code has the same verdict', () => {
    assert.deepEqual(sprint.ending, { stop: 'delivered', reasons: [] });
    const written = Object.keys(sprint.state.work.verifications).sort();
    assert.deepEqual(written, ['cli/house', 'cli/name', 'cli/words', 'cli/world'], 'prose is refused');
    assert.equal(sprint.runs('cli/words').at(-1)?.verdict, 'green', 'printed text is no verdict');
    const verdicts = new Map<string, Set<string>>();
    for (const { verification, where, code, verdict } of Object.values(sprint.state.ledger.runs).flat()) {
      if (where === 'revert' || code === null) continue;
      const key = `${verification} on code ${code}`;
      verdicts.set(key, (verdicts.get(key) ?? new Set()).add(verdict));
    }
    assert.ok(verdicts.size > 12);
    for (const [key, ofKey] of verdicts) assert.equal(ofKey.size, 1, key);
  });

  it('the whole output of every failure is kept', async () => {
    const red = sprint.runs('cli/world').filter((r) => r.verdict === 'red' && r.where === 'tree');
    assert.ok(red.length >= 4);
    for (const { n } of red) assert.ok((await sprint.kept(`failures/cli/world/${n}.log`)).includes(evidence), `attempt ${n}`);
    assert.ok((await sprint.kept('failures/cli/world/latest.log')).includes(evidence));
  });

  it('each fixer knows what earlier fixes changed, why, and how they ended', () => {
    const [first = '', second = '', third = '', ...more] = sprint.told('cli/world');
    assert.deepEqual(more, []);
    const one = ['#### Fix: another word', 'Why: because another word', 'really changed: greet.sh', 'Outcome: kept'];
    const two = ['#### Fix: one greeting for all', 'Outcome: undone, fix of cli/world broke cli/name'];
    for (const part of one) assert.ok(!first.includes(part) && second.includes(part) && third.includes(part), part);
    for (const part of two) assert.ok(!second.includes(part) && third.includes(part), part);
  });

  it('the whole output of a failed run reaches the fixer, not only a keyword', () => {
    const prompts = sprint.told('cli/world');
    assert.equal(prompts.length, 3);
    for (const prompt of prompts) assert.ok(prompt.includes(evidence));
  });

  it('everything that was green runs after each change, without a model', () => {
    const { code } = sprint.state.work.tree;
    assert.ok(code >= 5);
    const codes = new Set(
      sprint
        .runs('cli/name')
        .filter((r) => r.where === 'tree')
        .map((r) => r.code),
    );
    for (let n = 1; n <= code; n++) assert.ok(codes.has(n), `cli/name on code ${n}`);
    // What is written runs in QC's own session, so here nothing is left for the row that runs verifications.
    const decided = ['settle', 'prove', 'final clean-run'];
    const machine = [...decided, 'run-verifications'];
    for (const row of decided) assert.ok(sprint.decisions(row.split(' ')[0] ?? '').length > 0, row);
    const asked = sprint.asks.filter((a) => machine.some((row) => a.action.startsWith(row)));
    assert.deepEqual(asked, []);
  });
});
