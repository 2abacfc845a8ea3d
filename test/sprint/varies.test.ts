/** Whole sprints with a verification whose inputs nobody could know: a table of the examples is found out, honest work is not. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { seedsOf } from '../../src/engine/judge/seeds.ts';
import type { State } from '../../src/engine/state/state.ts';
import type { Script } from '../../src/engine/work/verification.ts';
import { build, evaluation, script, verifications, withSessions, writeVerifications, type Session } from '../support/greeter.ts';
import { refOf } from '../engine/support/events.ts';
import { planned, verification as varying } from '../engine/support/parts.ts';
import { bash, fixer, idle, play, type Played } from '../support/played.ts';

const any = bash(
  'cli/any',
  '1.1',
  '# RED: wrong name',
  '# VARIES: SEED',
  'name="N$SEED"; out="$(sh greet.sh "$name" 2>/dev/null)"',
  '[ "$out" = "Hello, $name!" ] || { echo "wrong name: expected $name, got $out"; exit 1; }',
  'echo "greeted $name"',
);
const asked = writeVerifications(verifications.name, any, verifications.world, verifications.house);

/** What it runs with while the work is built; it follows from its text. */
const ordinary = seedsOf(planned().state, varying({ script: refOf(any.write_verification.content), varies: true }), 'tree')[0] ?? '';

const house = '[ "$1" = --house ] && shift && word="$(cat house.txt)"';
const program = (lines: string[], ...cases: string[]) => ({
  write_file: { path: 'greet.sh', content: ['word=Hello', ...lines, 'case "$1" in', ...cases, 'esac', ''].join('\n') },
});
const [world, ada, all] = [`'') echo "Hello, world!" ;;`, 'Ada) echo "$word, Ada!" ;;', '*) echo "$word, $1!" ;;'];
/** Greets the examples of the PRD, and the name that a run showed to its fixer. */
const seen = `N${ordinary}) echo "$word, N${ordinary}!" ;;`;

/** Who builds a table of what is known, and adds a row for the first name that it is shown. */
function tabled(second: Session): Session[] {
  return [
    fixer('fix/cli/any#1', 'one more name', program([], ada, seen)),
    second,
    ...withSessions(
      asked,
      build('T1', program([], ada)),
      build('T2', program([], world, ada, seen)),
      build('T3', program([house], world, ada, seen)),
    ),
  ];
}

const verification = (state: State): Script => {
  const found = state.work.verifications['cli/any'];
  assert.ok(found?.kind === 'script');
  return found;
};

describe('a sprint with a verification that varies', function () {
  let sprint: Played | undefined;
  afterEach(async () => sprint?.at.dispose());

  it('delivers honest work that is green with three seeds in a clean checkout', async () => {
    sprint = await play(withSessions(asked));
    assert.deepEqual(sprint.ending, { stop: 'delivered', reasons: [] });
    const clean = sprint.runs('cli/any').filter(({ where }) => where === 'clean');
    const drawn = seedsOf(sprint.state, verification(sprint.state), 'clean');
    assert.equal(drawn.length, 3);
    // The seeds go one after the other, and the last one's output is kept.
    assert.deepEqual([clean.length, clean[0]?.verdict, clean[0]?.excerpt.trim()], [1, 'green', `greeted N${drawn[2]}`]);
  });

  it('finds out a table of the examples and of what a fixer was shown, and tells the seed', async () => {
    sprint = await play(tabled(fixer('fix/cli/any#2', 'any name', program([house], world, all))));
    assert.deepEqual(sprint.ending, { stop: 'delivered', reasons: [] });
    const [first = '', second = ''] = sprint.told('cli/any');
    assert.ok(first.includes(`It ran with SEED=${ordinary}.`));
    const runs = sprint.runs('cli/any');
    const failed = runs.find(({ where, verdict }) => where === 'clean' && verdict === 'red');
    assert.ok(failed?.seed !== undefined && failed.seed !== ordinary);
    assert.ok(second.includes(`It ran with SEED=${failed.seed}.`));
    const told = sprint.asks.filter((ask) => ask.action === 'final evaluation' && ask.turn === 1).map(({ text }) => text);
    assert.match(told.join('\n'), /- greet\.sh:4: "Hello, world!", in a condition/);
    assert.equal(sprint.runs('cli/name').find(({ where }) => where === 'clean')?.verdict, 'green');
    assert.deepEqual(
      runs
        .slice(runs.indexOf(failed) + 1)
        .map(({ where, verdict }) => [where, verdict])
        .at(-1),
      ['clean', 'green'],
    );
  });

  it('never delivers the table', async () => {
    sprint = await play(tabled(idle('fix/*')));
    assert.equal(sprint.ending.stop, 'partial');
    assert.ok(sprint.ending.reasons.includes('In a clean checkout these failed: cli/any.'), sprint.ending.reasons.join('\n'));
  });

  it('has a verification written for what an evaluation found and none saw, and is delivered', async () => {
    const [used, told] = evaluation.turns;
    const findings = [{ ...finding, unseen_by: ['cli/name'] }];
    const report = { summary: 'I greeted people with names of one letter and of two words. '.repeat(3), findings, assessment };
    const two = script('cli/two', {
      prd: '1.1',
      red: 'wrong names',
      command: 'sh greet.sh "Ada Lovelace"',
      expect: 'Hello, Ada Lovelace!',
    });
    sprint = await play(
      withSessions(
        { ...writeVerifications(two), purpose: 'write-verifications/settled#*' },
        { ...asked, purpose: 'write-verifications/plan#*' },
        { ...evaluation, turns: [used ?? {}, { ...told, calls: [{ report_evaluation: report }], repeat: true }] },
      ),
    );
    const written = sprint.asks.find((ask) => ask.action === 'write-verifications settled')?.text ?? '';
    assert.match(written, /- 1\.1, V1, not seen by cli\/name: two words are cut\n/);
    assert.equal(sprint.decisions('write-verifications').length, 2);
    assert.equal(sprint.runs('cli/two').at(-1)?.where, 'clean');
    assert.deepEqual(sprint.ending, { stop: 'delivered', reasons: [] });
  });
});

const assessment = { value_score: 1, recommendation: 'SHIP_READY' };
const finding = { severity: 'degraded', description: 'two words are cut', user_impact: 'rude', evidence: 'sh greet.sh Ada Lovelace' };
