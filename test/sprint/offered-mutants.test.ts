/** Mutants that QC offers, in the real sandbox: for a language without engine mutants, and mutants that prove nothing. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { State } from '../../src/engine/state/state.ts';
import { trustOf } from '../../src/engine/judge/trust.ts';
import { build, verifications, writeVerifications, honest, script, withSessions, type Session } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

/** It greets before the sprint and after it, so that reverting the work proves nothing. */
const base = { 'greet.awk': 'BEGIN { printf "Hello, %s!\\n", ARGV[1] }\n' };
const work = `# The greeting, in one place.
function greeting(name) {
  return "Hello, " name "!"
}
BEGIN { print greeting(ARGV[1]) }
`;
const inAwk = script('cli/name', {
  prd: '1.1, V1',
  red: 'wrong greeting',
  command: 'awk -f greet.awk Ada',
  expect: 'Hello, Ada!',
});

const offer = (before: string, after: string) => ({
  offer_mutant: {
    verification: 'cli/name',
    path: 'greet.awk',
    old_string: before,
    new_string: after,
    why: 'somebody else would be greeted',
  },
});
const unclosed = offer('  return "Hello, " name "!"', '  return ("Hello, " name "!"');
const silent = offer('BEGIN { print greeting(ARGV[1]) }', 'BEGIN { exit 1 }');
const wrong = offer('"Hello, " name', '"Hullo, " name');

const sprint = (...offers: Record<string, unknown>[]): Session[] =>
  withSessions(
    { ...writeVerifications(...offers), purpose: 'write-verifications/settled#1' },
    writeVerifications(inAwk, verifications.world, verifications.house),
    build('T1', { write_file: { path: 'greet.awk', content: work } }),
    build('T2', { write_file: { path: 'greet.sh', content: 'echo "Hello, ${1:-world}!"\n' } }),
  );

const proofs = ({ ledger }: State): string[] => ledger.proofs.filter((p) => p.lineage === 'cli/name').map((p) => `${p.kind} ${p.outcome}`);
const trust = (state: State) => {
  const verification = state.work.verifications['cli/name'];
  assert.ok(verification);
  return trustOf(state, verification);
};

describe("QC's mutants in whole sprints", () => {
  let at: Ground;
  afterEach(() => at.dispose());

  it('prove a verification of work in a language for which the engine has no mutants', async () => {
    const sessions = sprint(unclosed, wrong);
    at = await ground(honest, base);
    const { state, ending } = await run(at, sessions);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(proofs(state), ['control red', 'revert not-red', 'mutants impossible', 'offered red']);
    const offered = trust(state);
    assert.ok(offered.trusted && offered.by === 'offered mutant', offered.why);
    assert.match(offered.why, /^with QC's mutant ""Hullo, " name" for ""Hello, " name" in greet\.awk it fails for its stated reason/);
    assert.equal(at.git('show', `${state.opened.branch}:greet.awk`), work);
  });

  it('prove nothing where they break the whole work, make it print nothing, or change other files', async () => {
    const foreign = { ...wrong.offer_mutant, path: 'notes.md', old_string: 'mine', new_string: 'yours' };
    const sessions = sprint(unclosed, silent, { offer_mutant: foreign });
    at = await ground(honest, base);
    const { state, ending } = await run(at, sessions);
    assert.equal(ending.stop, 'partial');
    assert.deepEqual(proofs(state), ['control red', 'revert not-red', 'mutants impossible', 'offered not-red']);
    assert.equal(state.ledger.offers?.length, 2, 'a mutant of a file that the sprint did not write is refused');
    assert.equal(trust(state).trusted, false);
    assert.match(trust(state).why, /"return \("Hello.*just as it does with greet\.awk blank.*BEGIN \{ exit 1 \}.*just as it does/);
  });
});
