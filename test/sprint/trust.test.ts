/** Trust in whole sprints, with real git and the real sandbox: gamed verifications are not trusted, honest ones are proven. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { trustOf } from '../../src/engine/judge/trust.ts';
import { build, verifications, writeVerifications, honest, script, withSessions } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

/** A verification of one line, which passes where `test` does. */
const gamed = (id: string, prd: string, test: string) => ({
  write_verification: {
    path: `${id}.sh`,
    content: `# TEST: ${id}\n# PRD: ${prd}\n# RED: not as it must be\n${test} || { echo 'not as it must be'; exit 1; }\n`,
  },
});

/** Verifications that only read text. Without a control they would be trusted, since greet.sh exists before 1.2 and 1.3. */
const byText = [
  gamed('text/source', '1.1', 'grep -q Hello greet.sh'),
  gamed('text/anchored', '1.1', "grep -qE '^echo' greet.sh"),
  gamed('text/red-run', '1.2', 'grep -q orld greet.sh'),
  gamed('text/no-comments', '1.2', "grep -v '^ *#' greet.sh | grep -q orld"),
  gamed('text/size', '1.1', '[ -s greet.sh ]'),
  gamed('text/lines', '1.1', '[ "$(wc -l < greet.sh)" -ge 2 ]'),
  gamed('text/place', '1.3', 'sed -n 3p greet.sh | grep -q orld'),
  gamed('text/exact-lines', '1.3', '[ "$(wc -l < greet.sh)" = 4 ]'),
];
const vacuous = [gamed('vacuous/exit', '1.1', 'exit 0'), gamed('vacuous/exists', '1.1', '[ -f greet.sh ]')];
const alwaysRed = gamed('vacuous/always-red', '1.1', "echo 'not as it must be'; sh greet.sh Ada | grep -q Ada");

const work = `// The greeting, in one place.
function greeting(word, name) {
  return \`\${word}, \${name}!\`;
}
module.exports = { greeting };
`;
const inNode = ({ write_verification: { path, content } }: typeof verifications.name) => ({
  write_verification: {
    path,
    content: content.replace('sh greet.sh --house Ada', 'node greet.js Ada --house').replace('sh greet.sh', 'node greet.js'),
  },
});
const uses = (name: string, word = "'Hello'") =>
  `const { greeting } = require('./greeting.js');\nconsole.log(greeting(${word}, ${name}));\n`;
const house = `process.argv.includes('--house') ? require('node:fs').readFileSync('house.txt', 'utf8').trim() : 'Hello'`;

describe('trust in whole sprints', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  it('is never earned by reading text, or by reading nothing', async () => {
    const all = [...byText, ...vacuous, alwaysRed];
    at = await ground(honest);
    const { state, ending } = await run(
      at,
      withSessions(writeVerifications(verifications.name, verifications.world, verifications.house, ...all)),
    );
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const trusts = Object.fromEntries(Object.values(state.work.verifications).map((v) => [v.id, trustOf(state, v)]));
    for (const {
      write_verification: { path },
    } of all) {
      const id = path.replace('.sh', '');
      assert.equal(state.work.results[id]?.verdict, 'green', id);
      assert.deepEqual([id, trusts[id]?.trusted], [id, false]);
    }
    for (const id of ['cli/name', 'cli/world', 'cli/house']) assert.deepEqual([id, trusts[id]?.trusted], [id, true]);
    assert.match(trusts['text/red-run']?.why ?? '', /only its text is left/);
    assert.match(trusts['text/exact-lines']?.why ?? '', /only comments were added/);
    assert.match(trusts['vacuous/always-red']?.why ?? '', /prints its RED text even when it passes/);
    const attempts = Object.values(state.ledger.runs).map((runs) => runs.map((r) => r.n));
    for (const ns of attempts)
      assert.deepEqual(
        ns,
        ns.map((_, i) => i + 1),
      );
  });

  it('is earned by a mutant where reverting the work proves nothing', async () => {
    const base = { 'greet.js': 'console.log(`Hello, ${process.argv[2]}!`);\n' };
    at = await ground(honest, base);
    const called = script('cli/called', {
      prd: '1.1',
      red: 'wrong greeting',
      command: `node -e "console.log(require('./greeting.js').greeting('Hello', 'Ada'))" || exit 3`,
      expect: 'Hello, Ada!',
    });
    called.write_verification.content = called.write_verification.content.replace('out="$(', 'set -e; out="$(');
    const { state, ending } = await run(at, [
      ...withSessions(
        writeVerifications(inNode(verifications.name), called, inNode(verifications.world), inNode(verifications.house)),
        build(
          'T1',
          { write_file: { path: 'greeting.js', content: work } },
          { write_file: { path: 'greet.js', content: uses('process.argv[2]') } },
        ),
        build('T2', { write_file: { path: 'greet.js', content: uses("process.argv[2] ?? 'world'") } }),
        build('T3', { write_file: { path: 'greet.js', content: uses("process.argv[2] ?? 'world'", house) } }),
      ),
    ]);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const trust = (id: 'cli/name' | 'cli/called') => {
      const verification = state.work.verifications[id];
      assert.ok(verification);
      return trustOf(state, verification);
    };
    const first = state.ledger.proofs.filter((p) => p.lineage === 'cli/name').map((p) => `${p.kind} ${p.outcome}`);
    assert.deepEqual(first, ['control red', 'revert not-red', 'mutants red']);
    for (const id of ['cli/name', 'cli/called'] as const) {
      const earned = trust(id);
      assert.ok(earned.trusted && earned.by === 'mutant', `${id}: ${earned.why}`);
      assert.match(earned.why, /^with ".*" for ".*" in gree.*\.js:\d+ it fails for its stated reason$/);
    }
  });
});
