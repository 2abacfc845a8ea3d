/** How much a proof proves, from the faults that a verification saw. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { defaults } from '../../../src/engine/ground/config.ts';
import { writeVerifications } from '../../../src/engine/actions/write-verifications.ts';
import { loadsWork } from '../../../src/engine/judge/in-process.ts';
import { isCompiled } from '../../../src/engine/judge/compiled.ts';
import { limitsOfProof } from '../../../src/engine/judge/limits-of-proof.ts';
import { levelOf } from '../../../src/engine/judge/strength-level.ts';
import { metBy } from '../../../src/engine/judge/met-faults.ts';
import { lackOf, strongerWords } from '../../../src/engine/judge/stronger.ts';
import { ending, hasEvidence } from '../../../src/engine/judge/ending.ts';
import { faultWords } from '../../../src/engine/judge/fault-words.ts';
import { isTooWeak, shortOfEvidence, strengthFor, strengthOf, unmeasured } from '../../../src/engine/judge/strength.ts';
import { languageOf, languages, type Language } from '../../../src/engine/prove/language.ts';
import { renderReport } from '../../../src/engine/render/report.ts';
import { farewell } from '../../../src/cli/run.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import type { FaultTrial, Measure } from '../../../src/engine/work/verification.ts';
import { refOf, type Story } from '../support/events.ts';
import * as p from '../support/parts.ts';

const trials = (seen: number, unseen: number, unreached = 0): FaultTrial[] =>
  [...Array<'seen'>(seen).fill('seen'), ...Array<'unseen'>(unseen).fill('unseen'), ...Array<'unreached'>(unreached).fill('unreached')].map(
    (outcome, i) => ({ path: 'a.sh', line: i + 1, operator: 'arithmetic changed', was: `x=${i}`, now: `x=${i + 1}`, outcome }),
  );

const elsewhere = (count: number, outcome: FaultTrial['outcome'] = 'elsewhere'): FaultTrial[] =>
  trials(0, count).map((one) => ({ ...one, path: 'c.sh', outcome }));

/** Where runs for so many other requirements get. */
const shared = (count: number, others: number, outcome: FaultTrial['outcome'] = 'unseen'): FaultTrial[] =>
  trials(0, count).map((one) => ({ ...one, path: 'c.sh', outcome, others }));

/** A call that is not there. */
const lost = (operator: FaultTrial['operator'], was: string): FaultTrial => ({
  path: 'c.py',
  line: 1,
  operator,
  was,
  now: 'pass',
  outcome: 'unseen',
});
const [unprinted, unsaved] = [lost('output left out', 'print(row)'), lost('call left out', 'save(row)')];
const printed = (count: number): FaultTrial[] => trials(0, 0, count).map((one) => ({ ...one, path: 'd.sh', operator: 'output repeated' }));
const emptied = lost('argument emptied', 'return sorted(rows)');
const idle = lost('argument given back', 'return words.join("-")');

const untold: FaultTrial[] = [1, 2].map((line) => ({
  path: 'b.sh',
  line,
  operator: 'logic changed',
  was: 'a',
  now: `b${line}`,
  outcome: 'untold',
}));

/** Faults that are near to right, of these kinds, in one place. */
const near = (seen: FaultTrial['operator'][], unseen: FaultTrial['operator'][], line = 90): FaultTrial[] =>
  [seen, unseen].flatMap((operators, i) =>
    operators.map((operator): FaultTrial => {
      const outcome = i === 0 ? 'seen' : 'unseen';
      return { path: 'a.js', line, operator, was: 'return total;', now: `return ${operator};`, outcome };
    }),
  );

const measured = (of: FaultTrial[], limits: string[] = [], code = 1): Fact => ({
  fact: 'verification.measured',
  measure: { lineage: 'value/total', script: p.verification().script, code, trials: of, reached: { 'a.sh': [1] }, limits },
});

/** T1 of requirement 1 is built; its verification was red before, is green now, and passed the control. */
function proven(...facts: Fact[]): Story {
  const story = p.built();
  const { step } = story.state.work.tree.change ?? p.change();
  const files = [{ path: 'total.sh', kind: 'modified' as const }];
  const proof = {
    lineage: 'value/total',
    script: p.verification().script,
    kind: 'control' as const,
    code: 1,
    outcome: 'red' as const,
    why: '',
  };
  return story
    .act(
      'settle',
      { fact: 'tree.settled', settled: p.settled({ step, files }) },
      { fact: 'verification.ran', run: p.run({ n: 2, code: 1 }) },
    )
    .act('prove', { fact: 'verification.proven', proof }, ...facts);
}

describe('the strength of a proof', () => {
  const rows: [what: string, of: FaultTrial[], limits: string[], level: string, why: RegExp][] = [
    ['sees all of many faults', trials(8, 0), [], 'strong', /^$/],
    ['sees nine of ten', trials(9, 1), [], 'strong', /^$/],
    ['sees all of two faults', trials(2, 0), [], 'fair', /^it sees 2 of 2 faults$/],
    ['sees more than half', trials(3, 2), [], 'fair', /^it sees 3 of 5 faults/],
    ['sees half', trials(2, 2), [], 'weak', /^it sees 2 of 4 faults/],
    ['sees few', trials(1, 5), [], 'weak', /^it sees 1 of 6 faults/],
    ['sees none', trials(0, 3), [], 'weak', /^it sees 0 of 3 faults/],
    [
      'sees three of four, and not that nothing is printed',
      [...trials(3, 0), unprinted],
      [],
      'weak',
      /^it does not notice "pass" for "print/,
    ],
    ['sees nine of ten, and not that nothing is printed', [...trials(9, 0), unprinted], [], 'strong', /^$/],
    [
      'sees three of four, and not that a list is emptied',
      [...trials(3, 0), emptied],
      [],
      'weak',
      /^it does not notice ".*" that empties its argument/,
    ],
    [
      'sees three of four, and not that it comes as it was given',
      [...trials(3, 0), idle],
      [],
      'weak',
      /^it does not notice ".*" that gives its argument back/,
    ],
    ['sees four of seven, and not that nothing is saved', [...trials(4, 2), unsaved], [], 'weak', /^it does not notice "pass" for "save/],
    [
      'sees four of seven, and not the other way round',
      [...trials(4, 2), { ...unsaved, operator: 'condition negated' }],
      [],
      'weak',
      /^it does not notice "pass" for "save/,
    ],
    ['sees two of three, and not that nothing is saved', [...trials(2, 0), unsaved], [], 'fair', /^it sees 2 of 3 faults/],
    ['reaches half, and no print', [...trials(4, 0), ...printed(4)], [], 'weak', /gets to where its work prints, d\.sh:1$/],
    ['reaches four of six, and no print', [...trials(4, 0), ...printed(2)], [], 'fair', /^no verification reaches d\.sh:1$/],
    [
      'reaches five of nine, and one print of five',
      [...trials(4, 0), ...printed(4), ...printed(1).map((one) => ({ ...one, path: 'e.sh', outcome: 'seen' as const }))],
      [],
      'fair',
      /^no verification reaches d\.sh:1$/,
    ],
    ['reaches no fault', trials(0, 0, 4), [], 'weak', /reaches none of the lines/],
    ['sees those that it reaches', trials(4, 0, 4), [], 'fair', /^no verification reaches a\.sh:5$/],
    ['sees those that it reaches, and most are elsewhere', trials(3, 0, 5), [], 'weak', /reaches most of its work, such as a\.sh:4/],
    ['sees all but what verifications of other requirements see', [...trials(4, 0), ...elsewhere(6)], [], 'strong', /^$/],
    [
      'leaves nearly all to verifications of other requirements',
      [...trials(2, 1), ...elsewhere(6)],
      [],
      'weak',
      /^it sees 2 of 3 faults, .*, and leaves 6 more to verifications of other requirements$/,
    ],
    ['leaves to them only what each run loads', [...trials(2, 1), ...elsewhere(6, 'loaded')], [], 'fair', /^it sees 2 of 3 faults/],
    ['misses most, where three others get as well', [...trials(2, 0), ...shared(4, 3)], [], 'fair', /^it sees 2 of 6 faults/],
    ['misses most, where another gets as well', [...trials(2, 0), ...shared(4, 1)], [], 'weak', /^it sees 2 of 6 faults/],
    ['does not print where others get as well', [...trials(3, 0), { ...unprinted, others: 1 }], [], 'fair', /^it sees 3 of 4 faults/],
    ['leaves to others what all of them go through', [...trials(2, 1), ...shared(6, 5, 'elsewhere')], [], 'fair', /^it sees 2 of 3 faults/],
    ['has no place for a fault', [], [], 'fair', /no fault could be put/],
    [
      'sees all that count, and nobody can tell of others',
      [...trials(4, 0), ...untold],
      [],
      'fair',
      /nobody can tell whether its run reaches b\.sh:1/,
    ],
    [
      'sees one fault of a line, and another one there that nobody can tell of stays',
      [...trials(4, 0), { ...untold[0], path: trials(1, 0)[0]?.path ?? '', line: trials(1, 0)[0]?.line ?? 0 } as FaultTrial],
      [],
      'fair',
      /sees another fault in its line, and not "b1" for "a"/,
    ],
    ['stays green with all of which nobody can tell', untold, [], 'weak', /^it sees 0 of 2 faults, and not "/],
    ['is of a language that nobody reads', [], ['a.zig is in no language'], 'fair', /a\.zig/],
    ['loads the work into its process', trials(8, 0), ['it loads the work'], 'fair', /it loads the work/],
  ];
  for (const [what, of, limits, level, why] of rows)
    it(`is ${level} where it ${what}`, () => {
      const { state } = proven(measured(of, limits));
      const strength = strengthOf(state, p.verification());
      assert.equal(strength?.level, level);
      assert.match(strength?.why ?? '', why);
      assert.deepEqual(strengthFor(state, '1'), strength);
    });

  it('says of compiled work that Loop cannot see what a run reaches, and names a fault in a line in which nobody sees one', () => {
    const why = (path: string, ...seenByOthers: number[]): string | undefined => {
      const inPath = untold.map((one) => ({ ...one, path }));
      const other = p.verification({ id: 'value/other', lineage: 'value/other', prd: ['9'] });
      const fact = measured(inPath.map((one, i) => ({ ...one, outcome: seenByOthers.includes(i) ? 'seen' : 'untold' })));
      assert.ok(fact.fact === 'verification.measured');
      const story = proven(measured([...trials(4, 0), ...inPath]));
      story.act('write-verifications', { fact: 'verification.written', verification: other });
      story.act('measure', { ...fact, measure: { ...fact.measure, lineage: 'value/other' } });
      return strengthFor(story.state, '1')?.why;
    };
    const compiled = 'Loop cannot see which lines of compiled work its run reaches, and it stays green with';
    assert.equal(why('src/main.rs'), `${compiled} "b1" for "a" in src/main.rs:1`);
    assert.equal(why('src/main.rs', 0), `${compiled} "b2" for "a" in src/main.rs:2`);
    const others = '; a verification of another requirement sees a fault in that line';
    assert.equal(why('src/main.rs', 0, 1), `${compiled} "b1" for "a" in src/main.rs:1${others}`);
    assert.equal(why('lib/main.rb'), 'nobody can tell whether its run reaches lib/main.rb:1');
    assert.equal(why('lib/main.rb', 0, 1), `nobody can tell whether its run reaches lib/main.rb:1${others}`);
  });

  it('knows of each language that proofs read whether it is compiled', () => {
    const files: Record<Language, [path: string, compiled: boolean]> = {
      javascript: ['a.mjs', false],
      typescript: ['a.ts', false],
      tsx: ['a.tsx', false],
      python: ['a.py', false],
      shell: ['a.sh', false],
      go: ['a.go', true],
      rust: ['a.rs', true],
      java: ['A.java', true],
      kotlin: ['a.kt', true],
      ruby: ['a.rb', false],
      php: ['a.php', false],
      csharp: ['a.cs', true],
      c: ['a.c', true],
      cpp: ['a.cpp', true],
      html: ['a.html', false],
      css: ['a.css', false],
    };
    for (const language of languages) {
      const [path, compiled] = files[language];
      assert.deepEqual([languageOf(path, ''), isCompiled(path)], [language, compiled]);
    }
  });

  const { inProcess, knownValues } = limitsOfProof;
  const strongerRows: [what: string, of: FaultTrial[], more: Partial<Measure>, stronger: string][] = [
    ['sees nine of ten', trials(9, 1), {}, ''],
    ['misses one too many', trials(4, 1), {}, 'only once the one in a.sh:5 is seen'],
    ['misses several', trials(6, 4), {}, 'only once 3 more are seen, such as in a.sh:7 and a.sh:8'],
    [
      'misses large and small ones',
      [...trials(10, 0), ...trials(0, 2).map((one): FaultTrial => ({ ...one, path: 'b.sh', operator: 'number changed' })), unsaved],
      {},
      'only once the one in c.py:1 is seen',
    ],
    [
      'sees all, and nobody can tell of others',
      [...trials(4, 0), ...untold],
      {},
      'only once 2 more are seen, such as in b.sh:1 and b.sh:2',
    ],
    ['gets not everywhere', trials(4, 0, 1), {}, 'only once a verification gets to a.sh:5'],
    ['gets nowhere', trials(0, 0, 4), {}, 'only once a verification gets to a.sh:1 and a.sh:2'],
    ['loads the work', trials(8, 0), { limits: [inProcess] }, 'only once a verification runs the work in a process of its own'],
    [
      'loads it, misses one and asks for what is known',
      trials(4, 1),
      { limits: [inProcess, knownValues] },
      'only once the one in a.sh:5 is seen, and a verification runs the work in a process of its own and asks for a value that stands in no document, example or test',
    ],
    ['has a limit that nobody knows', trials(8, 0), { limits: ['it is of old'] }, ''],
    ['met not all for want of time', trials(5, 0), { left: 7 }, 'only once the others are tried, too, as `evidence: strong` asks'],
    [
      'overlooks one near to right',
      trials(9, 0),
      { near: near(['returned value changed'], ['letters swapped']) },
      'only once it notices that',
    ],
    [
      'leaves nearly all to others',
      [...trials(2, 0), ...elsewhere(7)],
      {},
      'only once it sees more of these itself, and at least 3 are seen',
    ],
    [
      'misses further values',
      trials(9, 0),
      { values: trials(2, 2).map((one) => ({ ...one, path: 'd.sh' })) },
      'only once 2 more are seen, such as in d.sh:3 and d.sh:4',
    ],
  ];
  for (const [what, of, more, stronger] of strongerRows)
    it(`says what would make it strong where it ${what}`, () => {
      const fact = measured(of);
      if (fact.fact === 'verification.measured') Object.assign(fact.measure, more);
      assert.equal(strengthFor(proven(fact).state, '1')?.stronger, stronger && `It is strong ${stronger}.`);
    });

  it('is fair where its verifications have limits of several kinds, and says what all have, or that each has one', () => {
    const { state } = proven(measured(trials(9, 0)));
    const of = (...limits: string[][]): string[] => {
      const measures = limits.map((some): Measure => {
        const { script } = p.verification();
        return { lineage: 'value/total', script, code: 1, trials: trials(9, 0), reached: {}, limits: some };
      });
      const met = metBy(state, measures);
      return [levelOf(state, met).why, strongerWords(lackOf(met))];
    };
    const own = 'a verification runs the work in a process of its own';
    const value = 'asks for a value that stands in no document, example or test';
    assert.deepEqual(of([inProcess, knownValues], [knownValues]), [knownValues, `It is strong only once a verification ${value}.`]);
    assert.deepEqual(of([inProcess], [knownValues]), [
      'each of its verifications loads the work into its own process, or asks only for values that a builder could know',
      `It is strong only once ${own} and ${value}.`,
    ]);
    assert.deepEqual(of([inProcess], []), ['', '']);
  });

  const neverRows: [what: string, of: FaultTrial[], more: Partial<Measure>, stronger: string][] = [
    ['of two faults', trials(2, 0), {}, 'It is never strong, since only 2 of 3 faults could be tried in its work.'],
    ['without a place for a fault', [], {}, 'It is never strong then.'],
    [
      'without a place for a fault that loads the work',
      [],
      { limits: [inProcess] },
      'It is never strong, since no fault could be put into its work that leaves it running.',
    ],
    ['of words alone', trials(1, 2), { inOtherWork: true }, 'It is never strong then.'],
    [
      'of words alone that sees nothing',
      trials(0, 3),
      { inOtherWork: true },
      'It is fair once it turns red with a fault there, and never strong.',
    ],
    ['of a text', [], { document: { path: 'card.md', seen: true } }, 'It is never strong, since it is of a text.'],
    [
      'of a text that sees nothing',
      [],
      { document: { path: 'card.md', seen: false } },
      'It is fair once it turns red with a fault there, and never strong.',
    ],
  ];
  for (const [what, of, more, stronger] of neverRows)
    it(`says that nothing makes one strong ${what}`, () => {
      const fact = measured(of);
      if (fact.fact === 'verification.measured') Object.assign(fact.measure, more);
      const { state } = proven(fact);
      assert.equal(strengthFor(state, '1')?.stronger, stronger);
      const asked = { ...state, config: { ...state.config, evidence: 'strong' as const } };
      assert.ok(renderReport(asked).includes(`. ${stronger}\n`));
    });

  const nearRows: [what: string, near: FaultTrial[][], level: string, why: RegExp][] = [
    ['sees all that is near to right', [near(['returned value changed', 'letters swapped'], [])], 'strong', /^$/],
    [
      'looks at a value, and overlooks one kind of fault in it',
      [near(['returned value changed'], ['letters swapped'])],
      'weak',
      /^it does not notice "return total;" with capitals and small letters swapped in a\.js:90$/,
    ],
    [
      'overlooks one kind where nobody tells the lines, beside one that it sees',
      [near(['output changed'], ['output lengthened']).map((one) => (one.outcome === 'unseen' ? { ...one, outcome: 'untold' } : one))],
      'weak',
      /^it does not notice "return total;" that prints the last digit of a number twice in a\.js:90$/,
    ],
    ['does not look at that value', [near([], ['returned value changed', 'letters swapped'])], 'strong', /^$/],
    [
      'sees there with its other script what the first overlooks',
      [near(['returned value changed'], ['letters swapped']), near(['letters swapped'], [])],
      'strong',
      /^$/,
    ],
    [
      'overlooks with both what neither sees',
      [near(['returned value changed'], ['output reversed']), near(['letters swapped'], ['output reversed'])],
      'weak',
      /^it does not notice ".*" with the last first in/,
    ],
  ];
  const twice = (kind: FaultTrial['operator'], seen: number, unseen: number): FaultTrial[] => [
    ...near([kind], []).flatMap((one) => Array.from({ length: seen }, (_, i) => ({ ...one, line: 91 + i }))),
    ...near(['returned value changed'], [kind]).flatMap((one) => Array.from({ length: unseen }, (_, i) => ({ ...one, line: 95 + i }))),
  ];
  nearRows.push(
    [
      'sees in one place what it overlooks in another',
      [twice('output changed', 1, 1)],
      'weak',
      /^it does not notice ".*" that prints another last character in a\.js:95$/,
    ],
    ['sees in two places what it overlooks in one', [twice('output changed', 2, 1)], 'strong', /^$/],
  );
  for (const [what, of, level, why] of nearRows)
    it(`is ${level} where it ${what}`, () => {
      const measures = of.map((some): Measure => ({
        lineage: 'value/total',
        script: p.verification().script,
        code: 1,
        trials: trials(9, 0),
        near: some,
        reached: {},
        limits: [],
      }));
      const { state } = proven(...measures.map((measure): Fact => ({ fact: 'verification.measured', measure })));
      const [own] = measures;
      const { work, ledger } = state;
      const other = p.verification({ id: 'value/other', lineage: 'value/other' });
      const beside = measures.slice(1).map((measure) => ({ ...measure, lineage: other.lineage }));
      const both = {
        ...state,
        work: { ...work, verifications: { ...work.verifications, ...(beside.length > 0 ? { [other.id]: other } : {}) } },
        ledger: {
          ...ledger,
          runs: {
            ...ledger.runs,
            [other.lineage]: (ledger.runs['value/total'] ?? []).map((run) => ({ ...run, verification: other.id, lineage: other.lineage })),
          },
          proofs: [...ledger.proofs, ...ledger.proofs.map((proof) => ({ ...proof, lineage: other.lineage }))],
          measures: [...(own ? [own] : []), ...beside],
        },
      };
      const found = strengthFor(both, '1');
      assert.equal(found?.level, level);
      assert.match(found.why, why);
    });

  it('is the latest one of each script, also where one is added to a list that was looked through before', () => {
    const story = proven(measured(trials(0, 4)));
    const seen = (): (number | undefined)[] =>
      [p.verification(), p.verification({ script: refOf('other') })].map((one) => strengthOf(story.state, one)?.seen);
    assert.deepEqual(seen(), [0, undefined]);
    story.act('measure', measured(trials(4, 0), [], 2));
    assert.deepEqual(seen(), [4, undefined]);
    const { measures } = story.state.ledger;
    const before = { ...story.state, ledger: { ...story.state.ledger, measures: measures.slice(0, 1) } };
    assert.equal(strengthOf(before, p.verification())?.seen, 0);
  });

  it('asks for more where all faults are in places of its own', () => {
    const level = (own: Partial<Measure>): string | undefined => {
      const { state } = proven(measured(trials(3, 2)));
      const measures = state.ledger.measures.map((measure) => ({ ...measure, ...own }));
      return strengthOf({ ...state, ledger: { ...state.ledger, measures } }, p.verification())?.level;
    };
    assert.deepEqual([level({}), level({ own: true })], ['fair', 'weak']);
  });

  it('shows what it leaves to others where that is nearly all', () => {
    const { unseen } = strengthFor(proven(measured([...trials(2, 0), ...elsewhere(7)])).state, '1') ?? {};
    assert.deepEqual(
      unseen?.map(({ path }) => path),
      Array(7).fill('c.sh'),
    );
  });

  it('goes by the document that its requirement names, where it reaches no line of its work', () => {
    const of = (document: Measure['document'], all = trials(0, 0, 4)): (string | undefined)[] => {
      const { state } = proven(measured(all));
      const measures = state.ledger.measures.map((measure) => ({ ...measure, ...(document ? { document } : {}) }));
      const { level, why } = strengthOf({ ...state, ledger: { ...state.ledger, measures } }, p.verification()) ?? {};
      return [level, why];
    };
    assert.deepEqual(of({ path: 'card.md', seen: true }), ['fair', 'card.md is in no language into which Loop can put faults']);
    assert.deepEqual(of({ path: 'card.md', seen: false }), ['weak', 'it stays green whatever part of card.md is taken out']);
    assert.deepEqual(of(undefined), ['weak', 'it reaches none of the lines of its work into which a fault could be put']);
    assert.equal(of({ path: 'card.md', seen: true }, trials(0, 4))[0], 'weak');
  });

  it('counts what it sees of a document, where all of the work is one', () => {
    const fault = (line: number, outcome: FaultTrial['outcome'], operator: FaultTrial['operator'] = 'number changed'): FaultTrial => {
      return { path: 'card.md', line, operator, was: `wait ${line}`, now: operator === 'part left out' ? '' : `wait ${line + 1}`, outcome };
    };
    const of = (...all: FaultTrial[]) => {
      const { state } = proven(measured([]));
      const document = { path: 'card.md', seen: all.some(({ outcome }) => outcome === 'seen'), trials: all };
      const measures = state.ledger.measures.map((measure) => ({ ...measure, document }));
      return strengthOf({ ...state, ledger: { ...state.ledger, measures } }, p.verification());
    };
    const some = of(fault(1, 'seen'), fault(2, 'unseen', 'part left out'), fault(3, 'unseen'));
    assert.deepEqual([some?.level, some?.seen, some?.reached, some?.unseen.length], ['fair', 1, 3, 2]);
    assert.equal(some?.why, 'it sees 1 of 3 faults in card.md, and not the part that begins with "wait 2" left out of card.md:2');
    assert.deepEqual(
      [of(fault(1, 'seen'))?.seen, of(fault(1, 'seen'))?.why],
      [1, 'card.md is in no language into which Loop can put faults'],
    );
    const none = of(fault(1, 'unseen'), fault(2, 'unseen', 'part left out'));
    assert.deepEqual([none?.level, none?.why], ['weak', 'it stays green whatever part of card.md is taken out']);
  });

  /** Of two verifications of one requirement, the second one left out where it has no measure. */
  const togetherOf = (...measures: Partial<Measure>[]): (string | undefined)[] => {
    const { state } = proven(measured(trials(0, 0)));
    const [one] = state.ledger.measures;
    const other = p.verification({ id: 'value/other', lineage: 'value/other' });
    const known = measures.flatMap((more, i) => (one ? [{ ...one, ...more, lineage: i === 0 ? one.lineage : other.lineage }] : []));
    const runs = (state.ledger.runs['value/total'] ?? []).map((run) => ({ ...run, verification: other.id, lineage: other.lineage }));
    const proofs = [...state.ledger.proofs, ...state.ledger.proofs.map((proof) => ({ ...proof, lineage: other.lineage }))];
    const { work, ledger } = state;
    const verifications = { ...work.verifications, ...(measures.length > 1 ? { [other.id]: other } : {}) };
    const both = {
      ...state,
      work: { ...work, verifications },
      ledger: { ...ledger, measures: known, proofs, runs: { ...ledger.runs, [other.lineage]: runs } },
    };
    const { level, why } = strengthFor(both, '1') ?? {};
    return [level, why];
  };

  it('goes by other work that its run reaches, where its own has no place for a fault', () => {
    const inOtherWork = { inOtherWork: true } as const;
    const none = 'its own work has no place for a fault, and of 3 in what its run reaches it sees none';
    assert.deepEqual(togetherOf({ ...inOtherWork, trials: trials(0, 3) }), ['weak', none]);
    assert.deepEqual(togetherOf({ ...inOtherWork, trials: elsewhere(3) }), ['weak', none]);
    assert.deepEqual(togetherOf({ ...inOtherWork, trials: trials(1, 2) }), ['fair', 'its own work has no place for a fault']);
    assert.match(togetherOf({ ...inOtherWork, trials: [] })[1] ?? '', /no fault could be put/);
    assert.deepEqual(
      togetherOf({ ...inOtherWork, trials: trials(5, 0) }, { trials: trials(0, 2) })[0],
      'weak',
      'where another tries its own work',
    );
    assert.deepEqual(togetherOf({ ...inOtherWork, trials: trials(0, 5) }, { trials: trials(4, 0) })[0], 'strong');
  });

  it('is that of those that get to what was made for it, where one misses it', () => {
    assert.equal(togetherOf({ missed: true, own: true, trials: trials(0, 5) })[0], 'weak');
    assert.equal(togetherOf({ missed: true, own: true, trials: trials(0, 5) }, { trials: trials(4, 0) })[0], 'strong');
  });

  it('is fair at most where faults were left out for want of time', () => {
    const fact = measured(trials(5, 0));
    assert.equal(strengthFor(proven(fact).state, '1')?.level, 'strong');
    if (fact.fact === 'verification.measured') fact.measure.left = 7;
    const { level, why } = strengthFor(proven(fact).state, '1') ?? {};
    assert.deepEqual([level, why], ['fair', 'it sees 5 of 5 faults; 7 more were not tried, because its runs take long']);
  });

  it('is strong only where nine of ten further values are seen too', () => {
    const of = (seen: number, unseen: number) => {
      const fact = measured(trials(5, 0));
      const values = trials(seen, unseen).map((one): FaultTrial => ({ ...one, path: 'table.sh', operator: 'number changed' }));
      if (fact.fact === 'verification.measured') fact.measure.values = values;
      const { level, why, unseen: shown } = strengthFor(proven(fact).state, '1') ?? {};
      return [level, why, shown?.length];
    };
    assert.deepEqual(of(9, 1), ['strong', '', 0]);
    assert.deepEqual(of(8, 1), ['fair', 'of 9 further values it sees 8, and not "x=9" for "x=8" in table.sh:9', 1]);
    assert.equal(of(0, 12)[0], 'fair');
  });

  it('looks at each place of its own, where faults near to right are in several', () => {
    const level = (places: [number, number] | undefined): string | undefined => {
      const near2 = [...near(['returned value changed'], []), ...near([], ['letters swapped'], 91)];
      const of = near2.map((one, i) => (places ? { ...one, place: places[i] ?? 0 } : one));
      const { state } = proven(measured(trials(9, 0)));
      const measures = state.ledger.measures.map((measure) => ({ ...measure, near: of }));
      return strengthOf({ ...state, ledger: { ...state.ledger, measures } }, p.verification())?.level;
    };
    assert.deepEqual([level(undefined), level([5, 5]), level([5, 9])], ['weak', 'weak', 'strong']);
  });

  it('is known for exactly the script that was measured, by its latest measure', () => {
    const { state } = proven(measured(trials(0, 4)), measured(trials(4, 0), [], 2));
    assert.equal(strengthOf(state, p.verification())?.level, 'strong');
    assert.equal(strengthOf(state, { ...p.verification(), script: 'f'.repeat(64) }), undefined);
  });

  it('counts for a requirement from what was asked for on', () => {
    const levels = (of: FaultTrial[], evidence: 'any' | 'fair' | 'strong'): boolean => {
      const { state } = proven(measured(of));
      return shortOfEvidence({ ...state, config: { ...defaults, evidence } }, '1') === undefined;
    };
    const [weak, fair, strong] = [trials(0, 4), trials(3, 2), trials(4, 0)];
    assert.deepEqual(
      [weak, fair, strong].map((of) => levels(of, 'any')),
      [true, true, true],
    );
    assert.deepEqual(
      [weak, fair, strong].map((of) => levels(of, 'fair')),
      [false, true, true],
    );
    assert.deepEqual(
      [weak, fair, strong].map((of) => levels(of, 'strong')),
      [false, false, true],
    );
  });

  describe('of a place that another verification reaches', () => {
    const isBlind = (measure: Pick<Measure, 'trials' | 'reached'>): boolean => {
      const trial = { ...trials(0, 0, 1)[0], column: 20 } as FaultTrial;
      const { state } = proven(measured([...trials(4, 0), { ...trial, path: 'b.js' }]));
      const more = p.verification({ id: 'value/more', lineage: 'value/more' });
      const beside = { lineage: more.lineage, script: more.script, code: 1, limits: [], ...measure };
      const work = { ...state.work, verifications: { ...state.work.verifications, [more.id]: more } };
      const ledger = { ...state.ledger, measures: [...state.ledger.measures, beside] };
      return strengthOf({ ...state, work, ledger }, p.verification())?.level === 'fair';
    };

    it('counts no part of a line that is reached only elsewhere', () => {
      const blind = (...reached: (number | [number, number, number])[]): boolean => isBlind({ trials: [], reached: { 'b.js': reached } });
      assert.deepEqual([blind(), blind([1, 0, 20]), blind([1, 0, 21]), blind(1)], [true, true, false, false]);
    });

    it('takes a file of which nobody tells the lines for reached where that one cannot do without it', () => {
      const blind = (outcome: FaultTrial['outcome']): boolean =>
        isBlind({ trials: trials(0, 1).map((one) => ({ ...one, path: 'b.js', line: 9, outcome })), reached: {} });
      assert.deepEqual([blind('unreached'), blind('untold'), blind('seen')], [true, false, false]);
    });
  });

  it('tells a fault by what is different, also in a long line', () => {
    const fault = (was: string, now: string): string => faultWords({ ...(trials(0, 1)[0] as FaultTrial), was, now });
    assert.equal(fault('  x=0', '  x=1'), '"x=1" for "x=0" in a.sh:1');
    const long = `const text = (bad) => bad.map((one) => ${'f('.repeat(40)}one${')'.repeat(40)}).join('');`;
    const wrapped = long.replace('bad.map', '(bad.map').replace("join('')", "join('')) + 1");
    const words = fault(long, wrapped);
    assert.match(words, /^"const text = \(bad\) => \(bad\.map.* … .*join\(''\)\) \+ 1;" for "const /);
    assert.ok(words.length < 2 * 160 + 30, words);
    const end = fault(`${'a'.repeat(90)}true`, `${'a'.repeat(90)}false`);
    assert.equal(end, `"…${'a'.repeat(24)}false" for "…${'a'.repeat(24)}true" in a.sh:1`);
  });

  it('keeps a sprint from being delivered, with what is not seen, and asks QC for more', () => {
    const { state } = proven(measured(trials(0, 4)));
    const asked = { ...state, config: { ...defaults, evidence: 'fair' as const } };
    assert.equal(isTooWeak(asked, '1'), true);
    assert.match(
      ending(asked).reasons.join('\n'),
      /Requirement 1 .* is not proven: its proof is weak: it sees 0 of 4 faults, and not "x=1" for "x=0" in a\.sh:1\./,
    );
    assert.match(renderReport(asked), /^Not delivered: nothing is proven\. 0 of 2 /m);
    const alone = { ...asked, work: { ...asked.work, requirements: asked.work.requirements.filter(({ id }) => id === '1') } };
    assert.match(renderReport(alone), /^Not delivered: all is built and green, but some proofs see too little to count\. 0 of 1 /m);
    assert.match(
      renderReport(asked),
      /^- \*\*To go on:.* What proves 1 sees too little\. .*: `loop run FOLDER --evidence any`, or _Loop: Start Sprint_ with the setting `loop\.evidence`\.$/m,
    );
    assert.match(farewell({ ...asked, stopped: ending(asked) }, 'here').at(-1) ?? '', /: loop run here --evidence any$/);
    const fair = { ...proven(measured(trials(3, 1))).state, config: { ...defaults, evidence: 'strong' as const } };
    assert.match(renderReport(fair), /`loop run FOLDER --evidence fair`/);
    assert.doesNotMatch(renderReport(state), /sees too little/);
  });

  it('is asked of QC once more only when what it wrote was measured', () => {
    const more = p.verification({ id: 'value/more', lineage: 'value/more', script: refOf('more'), prd: ['1'] });
    const asks = ({ state }: Story): boolean =>
      writeVerifications
        .due({ ...state, config: { ...defaults, evidence: 'fair' } })
        .some(({ why }) => / verifies (.*, )?1(,|$)/.test(why));
    const story = proven(measured(trials(0, 4)));
    assert.equal(asks(story), true);
    story.act('write-verifications', { fact: 'verification.written', verification: more });
    assert.equal(asks(story), false);
    const fact = measured(trials(0, 4));
    assert.ok(fact.fact === 'verification.measured');
    story.act('measure', { ...fact, measure: { ...fact.measure, lineage: 'value/more', script: more.script } });
    assert.equal(asks(story), true);
  });

  it('is asked of a script also where a criterion of the requirement is not judged yet', () => {
    const { state } = proven(measured(trials(0, 4)));
    const criterion = p.criterion({ prd: ['1'] });
    const work = { ...state.work, verifications: { ...state.work.verifications, [criterion.id]: criterion } };
    const asked = { ...state, work, config: { ...defaults, evidence: 'fair' as const } };
    assert.equal(hasEvidence(asked, '1', p.verification()), false);
    assert.equal(hasEvidence(asked, '1', criterion), true);
  });

  it('is measured once for the code, again after a change of what it covers, and never where nothing is asked', () => {
    const of = (story: Story, evidence: 'any' | 'fair' = 'fair') =>
      unmeasured({ ...story.state, config: { ...defaults, evidence } }).map(({ id }) => id);
    assert.deepEqual(of(proven()), ['value/total']);
    assert.deepEqual(of(proven(), 'any'), []);
    assert.deepEqual(of(proven(measured(trials(1, 0)))), []);
    assert.deepEqual(of(proven(measured(trials(1, 0), [], 0))), ['value/total']);
  });
});

describe('a script that loads the work into its own process', () => {
  const rows: [loads: boolean, ext: string, script: string][] = [
    [true, 'cjs', 'const t = require("./src/temp.js")'],
    [true, 'cjs', 'const t = require(process.cwd() + "/src/temp.js")'],
    [true, 'mjs', 'import { a } from "/tree/src/temp.js"'],
    [true, 'mjs', 'const a = await import(path)'],
    [true, 'py', 'import sys\nfrom temp import convert'],
    [true, 'py', 'import importlib\nm = importlib.import_module("temp")'],
    [true, 'sh', '. ./lib.sh'],
    [true, 'sh', 'if ! [ -f lib.sh ] || ! . ./lib.sh; then exit 1; fi'],
    [true, 'rb', 'puts 1'],
    [true, 'py', 'try: import temp\nexcept ImportError: raise SystemExit(1)'],
    [true, 'mjs', 'import vm from "node:vm"\nvm.runInThisContext(readFileSync("src/temp.js", "utf8"))'],
    [true, 'mjs', 'eval(readFileSync("src/temp.js", "utf8"))'],
    [true, 'mjs', 'const total = new Function("a", readFileSync("src/temp.js", "utf8"))'],
    [true, 'sh', 'python3 - <<END\nimport importlib.util\nspec = importlib.util.spec_from_file_location("t", "temp.py")\nEND'],
    [true, 'sh', `node -e "require('vm').runInThisContext(text)"`],
    [true, 'mjs', '(0, eval)(readFileSync("src/temp.js", "utf8"))'],
    [false, 'mjs', 'const order = { kind: "vm" };\nassert.equal(bill(["vm"]), 7);'],
    [false, 'mjs', 'const text = await page.$eval("#total", (one) => one.textContent); await page.evaluate(() => 1)'],
    [false, 'cjs', 'const fs = require( "node:fs" )'],
    [false, 'sh', 'eval "$SETUP"; ./temp 1'],
    [false, 'sh', 'find . -name a; cd . ; cat ./a'],
    [true, 'sh', 'cat > /tmp/t.cjs <<END\nconst { a } = require("$PWD/src/temp.js");\nEND\nnode /tmp/t.cjs'],
    [true, 'sh', 'python3 - <<END\nfrom temp import convert\nEND'],
    [true, 'sh', 'python3 -c "import temp; print(temp.convert(1))"'],
    [true, 'sh', "python3 -c 'import sys; from temp import convert'"],
    [true, 'sh', `php -r "require 'temp.php'; echo convert(1);"`],
    [true, 'sh', `php -r "include_once('temp.php');"`],
    [false, 'sh', './temp 1'],
    [false, 'sh', 'python3 -c "import json; print(json.load(open(0)))"'],
    [false, 'sh', 'echo "from temp: no output"'],
    [false, 'cjs', 'const assert = require("node:assert")'],
    [false, 'py', 'import subprocess, json\nfrom pathlib import Path'],
    [false, 'mjs', 'import { spawnSync } from "node:child_process"; import assert from "assert"'],
    [true, 'py', 'exec(open("temp.py").read())'],
    [true, 'py', 'builtins.exec(open("temp.py").read())'],
    [true, 'py', 'from temp \\\n  import total'],
    [false, 'sh', `echo "RED: the answer does not include '/api/temp'"`],
    [false, 'sh', 'echo "import temp.json: expected 3"'],
    [false, 'mjs', 'expect(html).to.include("/temp")'],
    [false, 'py', 'import re\nname = re.compile("[a-z]+")\nsubprocess.run(["find", ".", "-exec", "true", ";"])'],
    [false, 'cjs', 'const { execFileSync } = require("child_process")'],
  ];
  for (const [loads, ext, script] of rows)
    it(`is ${loads ? '' : 'not '}${JSON.stringify(script)}`, () => assert.equal(loadsWork(script, ext, ['src/temp.js', 'temp.py']), loads));
});
