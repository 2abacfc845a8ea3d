/** The row `measure` with a runner that looks at the files: which faults count, and where nothing is measured. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { measure } from '../../src/engine/actions/measure.ts';
import { fold } from '../../src/engine/core/fold.ts';
import type { Progress } from '../../src/engine/ground/progress.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import type { Requirement } from '../../src/engine/work/requirement.ts';
import type { Finished, Job } from '../../src/engine/work/job.ts';
import type { FaultEnd, FaultTrial, Measure, Script } from '../../src/engine/work/verification.ts';
import type { Syntax } from '../../src/engine/ports.ts';
import type { Settled } from '../../src/engine/work/tree.ts';
import { createSyntax } from '../../src/host/syntax/syntax.ts';
import { world, type ManualClock, type World } from '../support/fakes.ts';
import { refOf, tankOf, type Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { adds } from './prove/support.ts';
import { play } from './support/play.ts';

const base = 'true\n';
const work = 'sum=$(($1 + $2))\nif [ "$sum" -ge 0 ]; then\n  echo "$sum"\nfi\n';
const patchOfWork = `diff --git a/total.sh b/total.sh\n--- a/total.sh\n+++ b/total.sh\n@@ -1 +1,4 @@\n-${base}${work.replaceAll(/^(?=.)/gm, '+')}`;
const red = { exit: 1, output: 'wrong total' };
const all = { 'total.sh': [1, 2, 3, 4] };
/** What stands in the place of a file of which nobody tells the lines. */
const garbage = ')]}\n';

/** Runs the row on a tree where T1 rewrote what was there. @param decide the end of a run, by the text with the fault in it. */
async function measured(
  decide: (text: string, job: Job, clock: ManualClock) => Partial<Finished> | Promise<Partial<Finished>>,
  {
    syntax,
    story = p.green(),
    more = {},
    said = [],
    kept = [],
    others = [],
    evidence = 'fair',
    requirements,
    own,
    verifiedBy,
  }: {
    syntax?: Syntax;
    story?: Story;
    more?: Record<string, string>;
    said?: Progress[];
    /** What was journaled before the end. */
    kept?: Fact[];
    others?: Script[];
    requirements?: Requirement[];
    evidence?: 'fair' | 'strong';
    /** The file that T1 added before; what is reached is another task's then. */
    own?: OwnWork;
    /** The verification's text. */
    verifiedBy?: string;
  } = {},
): Promise<Measure | undefined> {
  const w = world({ files: { 'total.sh': base } });
  if (syntax) w.ports.syntax = syntax;
  const patch = [patchOfWork, ...Object.entries(more).map(([path, text]) => adds(path, text.trimEnd().split('\n')))].join('');
  Object.assign(w.repo.files, { 'total.sh': work }, more);
  await w.repo.commit('T1', {});
  w.runner.decide = (_, job) => decide(Object.values(job.files ?? {})[0] ?? work, job, w.clock);
  for (const text of ['# Vision', '## 1. Totals', 'script of value/total', patch]) await w.payloads.put(text);
  w.journal.events.push(...story.events);
  const get = w.payloads.get.bind(w.payloads);
  if (verifiedBy !== undefined) w.payloads.get = (ref) => (ref === p.verification().script ? Promise.resolve(verifiedBy) : get(ref));
  const { kernel, context } = play(w);
  const added = Object.keys(more).map((path) => ({ path, kind: 'added' as const }));
  const whole = p.settled({ patch: refOf(patch), files: [{ path: 'total.sh', kind: 'modified' }, ...added] });
  const byT9 = { ...whole, author: { kind: 'task' as const, task: 'T9' } };
  const commits = own ? [await ownCommit(w, own), { ...byT9, code: own.isRed ? 1 : 2 }] : [whole];
  const verifications = { ...kernel.state.work.verifications, ...Object.fromEntries(others.map((one) => [one.id, one])) };
  kernel.state.config = { ...kernel.state.config, evidence };
  if (requirements) kernel.state.work = { ...kernel.state.work, requirements };
  kernel.state.work = { ...kernel.state.work, verifications, tree: { ...kernel.state.work.tree, commits } };
  for (const { id } of others) await w.payloads.put(`script of ${id}`);
  const burns = [p.verification(), ...others].map(({ id, script }) => tankOf(`proof/${id}/${script.slice(0, 8)}/strength`));
  await kernel.append({
    type: 'step.begun',
    step: { id: 's9', kind: 'action', decision: { action: 'measure', target: '', why: '', burns, behind: [] } },
    burns,
  });
  const [fact] = await measure
    .run('', context)
    .finally(() =>
      kept.push(...w.journal.events.flatMap((event) => (event.type === 'step.ended' && event.id.startsWith('s9/') ? event.facts : []))),
    );
  said.push(...w.progress);
  return fact?.fact === 'verification.measured' ? fact.measure : undefined;
}

interface OwnWork {
  path: string;
  lines: readonly string[];
  /** These lines were there before, and this one with them, which it took out. */
  without?: string;
  /** It left the verification red, and the other task turned it green. */
  isRed?: true;
}

async function ownCommit(w: World, { path, lines, without, isRed }: OwnWork): Promise<Settled> {
  w.repo.files[path] = `${lines.join('\n')}\n`;
  const [before, now] = [`1,${lines.length + 1}`, `1,${lines.length}`];
  const left = lines.map((line) => ` ${line}\n`).join('');
  const takesOut = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -${before} +${now} @@\n${left}-${without}\n`;
  const patch = without === undefined ? adds(path, lines) : takesOut;
  await w.payloads.put(patch);
  return p.settled({ patch: refOf(patch), files: [{ path, kind: 'added' }], code: isRed ? 0 : 1 });
}

const outcomes = (found: Measure | undefined): string[] => [...new Set(found?.trials.map(({ outcome }) => outcome))].sort();

describe('measuring', () => {
  it('counts what turns red as seen and what stays green as unseen, in the lines that are reached', async () => {
    const found = await measured((text, { reach }) => (reach ? { reached: all } : text.includes('- $2') ? red : {}));
    assert.deepEqual(outcomes(found), ['seen', 'unseen']);
    const seen = found?.trials.filter(({ outcome }) => outcome === 'seen') ?? [];
    assert.deepEqual(
      seen.map(({ line, operator }) => [line, operator]),
      [[1, 'arithmetic changed']],
    );
    assert.deepEqual(found?.reached, all);
  });

  it('says how far it is, ten times at most, and at the end that all were tried', async () => {
    const said: Progress[] = [];
    const more = { 'more.sh': Array.from({ length: 30 }, (_, i) => `n=$((n + ${i}))\n`).join('') };
    const lines = Array.from({ length: 30 }, (_, i) => i + 1);
    await measured((text, { reach }) => (reach ? { reached: { ...all, 'more.sh': lines } } : text === '' ? {} : red), { more, said });
    const faults = said.filter((item) => item.kind === 'faults');
    assert.ok(faults.length > 1 && faults.length <= 10, `${faults.length} times`);
    assert.equal(faults.at(-1)?.tried, faults.at(-1)?.all);
  });

  it('counts the time of what will run alone behind the others', async () => {
    const id = 'value/other';
    const other = p.verification({ id, lineage: id, script: refOf(`script of ${id}`), prd: ['2'], timeout: 50 });
    const left = async (isAlone: boolean): Promise<number> => {
      const said: Progress[] = [];
      let tries = 0;
      const isHeldUp = (): boolean => isAlone && (tries += 1) === 1;
      await measured(
        (_, { reach, run }) => {
          if (!reach) return red;
          return 'script' in run && run.script === `script of ${id}` && isHeldUp() ? red : { reached: all };
        },
        { others: [other], said },
      );
      return said.find((item) => item.kind === 'faults')?.left ?? Number.NaN;
    };
    assert.equal(await left(false), 0);
    const faults = (await left(true)) / 50_000;
    assert.ok(Number.isInteger(faults) && faults >= 5, `${faults} faults of 50 seconds`);
  });

  it('keeps what was tried each half minute, so that after a stop no fault is tried twice', async () => {
    const ran: string[] = [];
    let before = Promise.resolve();
    const until =
      (last: number) =>
      async (text: string, { reach }: Job, clock: ManualClock) => {
        if (reach) return { reached: all };
        await (before = before.then(() => setImmediate()));
        if (ran.length === last) throw new Error('it was stopped');
        ran.push(text);
        clock.time += 16_000;
        return text.includes('- $2') ? red : {};
      };
    const whole = await measured(until(Infinity));
    const count = ran.splice(0).length;
    const kept: Fact[] = [];
    await assert.rejects(measured(until(count - 1), { kept }), /it was stopped/);
    assert.ok(kept.length > 1, `${kept.length} kept`);
    ran.length = 0;
    const resumed = await measured(until(Infinity), { story: p.green().act('prove', ...kept) });
    assert.equal(ran.length, count - kept.length);
    assert.deepEqual(outcomes(resumed), outcomes(whole));
  });

  describe('where its runs take longer than there is time', () => {
    const long = { 'more.sh': Array.from({ length: 30 }, (_, i) => `n=$((n + ${i}))\n`).join('') };
    const lines = Array.from({ length: 30 }, (_, i) => i + 1);
    const slow = (
      sees: (n: number) => boolean,
      evidence: 'fair' | 'strong' = 'fair',
      seconds = 60,
      said: Progress[] = [],
    ): Promise<Measure | undefined> => {
      let n = 0;
      return measured(
        (_, { reach }, clock) => {
          if (reach) return { reached: { ...all, 'more.sh': lines } };
          clock.time += seconds * 1000;
          n += 1;
          return sees(n) ? red : {};
        },
        { more: long, evidence, said },
      );
    };
    const minutesLeft = (said: readonly Progress[]): number[] =>
      said.flatMap((item) => (item.kind === 'faults' ? Math.round(item.left / 60_000) : []));
    const counts = (found: Measure | undefined): [tried: number, left: number] => [found?.trials.length ?? 0, found?.left ?? 0];

    it('leaves out the faults that would tell nothing new', async () => {
      const [whole] = counts(await slow(() => true, 'fair', 1));
      for (const sees of [() => true, () => false]) {
        const [tried, left] = counts(await slow(sees));
        assert.ok(tried >= 5 && left > 0, `${tried} tried, ${left} not`);
        assert.equal(tried + left, whole);
      }
    });

    it('counts those that it may leave out in the time that is left only until then', async () => {
      const [some, every]: [Progress[], Progress[]] = [[], []];
      await slow(() => true, 'fair', 15, some);
      await slow(() => true, 'strong', 15, every);
      const [few, many] = [minutesLeft(some), minutesLeft(every)];
      assert.ok(
        few.some((minutes, i) => minutes < (many[i] ?? 0)),
        `${few.join()} of ${many.join()}`,
      );
      assert.ok(
        few.slice(4).every((minutes) => minutes <= 1),
        few.join(),
      );
    });

    it('leaves out none that is near to right: one of them alone makes a proof weak', async () => {
      const more = { ...long, 'total.js': 'export const total = (a) => a.sum;\n' };
      const found = await measured(
        (text, { reach }, clock) => {
          if (reach) return { reached: { ...all, 'more.sh': lines, 'total.js': [1] } };
          clock.time += 60_000;
          return text.includes('toUpperCase') ? {} : red;
        },
        { more },
      );
      assert.ok((found?.left ?? 0) > 0);
      assert.deepEqual([found?.near?.length, found?.near?.filter(({ outcome }) => outcome === 'unseen').length], [4, 1]);
    });

    it('tries all of them where those before do not agree, where there is time, and where the strongest evidence is asked for', async () => {
      for (const found of [await slow((n) => n % 2 === 0), await slow(() => true, 'fair', 1), await slow(() => true, 'strong')])
        assert.deepEqual(counts(found), [12, 0]);
    });
  });

  describe('what is strong by all other faults', () => {
    const rows = Array.from({ length: 9 }, (_, i) => `${i}7`);
    const table = { 'rows.js': `export const rows = [${rows.join(', ')}];\nexport const at = (n) => rows[n] + 100;\n` };
    const lines = { ...all, 'rows.js': [1, 2] };
    /** Nothing else keeps it from being strong. */
    const varying = p.verification({ varies: true });

    it('meets faults in further values, such as those of a table in one line', async () => {
      const found = await measured((_, { reach }) => (reach ? { reached: lines } : red), { more: table, others: [varying] });
      assert.ok((found?.values?.length ?? 0) >= 6, JSON.stringify(found?.values));
      const places = [...(found?.trials ?? []), ...(found?.values ?? [])].map(({ path, line, column }) => `${path}:${line}:${column}`);
      assert.ok(found?.values?.every(({ operator, outcome }) => operator === 'number changed' && outcome === 'seen'));
      assert.equal(new Set(places.slice(found?.trials.length)).size, found?.values?.length);
    });

    it('leaves those to others of which one sees them, and tells those that nobody sees', async () => {
      const of = async (seesOther: boolean): Promise<string[]> => {
        const id = 'value/other';
        const other = p.verification({ id, lineage: id, script: refOf(`script of ${id}`), prd: ['2'] });
        const others = [varying, other];
        const first = await measured((_, { reach }) => (reach ? { reached: lines } : red), { more: table, others });
        const isFurther = (text: string): boolean => first?.values?.some(({ now }) => text.includes(now)) === true;
        const found = await measured(
          (text, { reach, run }) => {
            if (reach) return { reached: lines };
            if (!isFurther(text)) return red;
            return seesOther && 'script' in run && run.script === `script of ${id}` ? red : {};
          },
          { more: table, others },
        );
        return [...new Set(found?.values?.map(({ outcome }) => outcome))].sort();
      };
      assert.deepEqual(await of(false), ['unseen']);
      assert.deepEqual(await of(true), ['elsewhere', 'loaded']);
    });

    it('meets none where it is not strong, and leaves out those for which no time is left', async () => {
      const weak = await measured((_, { reach }) => (reach ? { reached: lines } : {}), { more: table, others: [varying] });
      assert.equal(weak?.values, undefined);
      let runs = 0;
      const slow = (seconds: number) =>
        measured(
          (_, { reach }, clock) => {
            if (reach) return { reached: lines };
            clock.time += seconds * 1000;
            runs += 1;
            return red;
          },
          { more: table, others: [varying] },
        );
      const whole = await slow(0);
      // Two minutes end after the first of them.
      const some = await slow(119 / (runs - (whole?.values?.length ?? 0)));
      assert.deepEqual([whole?.left, some?.trials.length], [undefined, whole?.trials.length]);
      assert.ok((some?.values?.length ?? 0) > 0 && (some?.left ?? 0) > 0, JSON.stringify(some?.values?.length));
      assert.equal((some?.values?.length ?? 0) + (some?.left ?? 0), whole?.values?.length);
    });
  });

  it('puts no fault into a line that is not reached, and says so', async () => {
    const texts: string[] = [];
    const found = await measured((text, { reach }) => (reach ? { reached: { 'total.sh': [1] } } : (texts.push(text), red)));
    assert.deepEqual(outcomes(found), ['seen', 'unreached']);
    assert.ok(texts.length > 0 && texts.every((text) => text.split('\n').slice(1).join('\n') === work.split('\n').slice(1).join('\n')));
  });

  it('puts no fault into what is named as a helper of tests, but where a run gets there, or nobody tells', async () => {
    const more = { 'testing/kit.js': 'export const twice = (n) => n * 2;\n' };
    const faultsAt = async (reached: Record<string, number[]>): Promise<boolean> => {
      const found = await measured((_, { reach }) => (reach ? { reached: { ...all, ...reached } } : red), { more });
      return found?.trials.some(({ path }) => path === 'testing/kit.js') === true;
    };
    const lines = [[], [1]].map((some) => ({ 'testing/kit.js': some }));
    assert.deepEqual(await Promise.all([...lines, {}].map(faultsAt)), [false, true, true]);
  });

  it('keeps apart what it makes of faults that are near to right in one place, which count for no share', async () => {
    const more = { 'total.js': 'export const total = (a) => a.sum;\n' };
    const found = await measured(
      (text, { reach }) => (reach ? { reached: { 'total.js': [1] } } : text.includes('toUpperCase') ? {} : red),
      { more },
    );
    assert.deepEqual(found?.near?.map(({ operator, outcome }) => `${operator}: ${outcome}`).toSorted(), [
      'letters swapped: unseen',
      'other value returned: seen',
      'returned value changed: seen',
      'returned value shortened: seen',
    ]);
    assert.ok(found.trials.every(({ operator }) => operator !== 'letters swapped'));
    const blind = await measured((_, { reach }) => (reach ? { reached: { 'total.js': [9] } } : red), { more });
    assert.deepEqual(
      blind?.near?.filter(({ path }) => path === 'total.js'),
      [],
    );
  });

  it('cannot tell of what stays green in a file of which nobody tells the lines', async () => {
    assert.deepEqual(outcomes(await measured((text) => (text === garbage ? red : {}))), ['untold']);
  });

  it('does not get into a file that it can do without, and puts no fault there', async () => {
    const texts: string[] = [];
    const found = await measured((text, { reach }) => {
      if (!reach) texts.push(text);
      return {};
    });
    assert.deepEqual([outcomes(found), texts], [['unreached'], [garbage]]);
  });

  describe('of a document that its requirement names', () => {
    const card = { 'card.md': '# Total\n\nAdds two numbers.\nPrints nothing below zero.\n' };
    const found = (sees: (text: string) => boolean, text = 'card.md says what it adds.'): Promise<Measure | undefined> =>
      measured((changed, { files = {} }) => ('card.md' in files && sees(changed) ? red : {}), {
        more: card,
        requirements: [{ id: '1', title: 'Totals', text, line: 3, lastLine: 3 }],
      });

    it('tells whether it turns red where a part is taken out', async () => {
      const looks = (text: string): boolean => !text.includes('Adds two numbers.');
      const { document } = (await found(looks)) ?? {};
      assert.deepEqual([document?.path, document?.seen], ['card.md', true]);
      assert.deepEqual(
        document?.trials?.map(({ was, outcome }) => `${was}: ${outcome}`),
        ['# Total: unseen', 'Adds two numbers.: seen', 'Prints nothing below zero.: unseen'],
      );
      assert.equal((await found(() => false))?.document?.seen, false);
    });

    it('counts what is said twice only where a verification minds it, and its requirement tells a number', async () => {
      const tellsLimit = (text: string): boolean => text.split('\n').length > 6;
      const seen = async (words: string): Promise<string[]> => {
        const { document } = (await found(tellsLimit, words)) ?? {};
        return document?.trials?.filter(({ outcome }) => outcome === 'seen').map(({ operator }) => operator) ?? [];
      };
      assert.deepEqual(await seen('card.md says what it adds, in at most 6 lines.'), ['text repeated']);
      assert.deepEqual(await seen('card.md says what it adds.'), []);
    });

    it('tells nothing where each fault only keeps the work from running, or of settings, which have to parse', async () => {
      const breaks = (text: string): Partial<Finished> =>
        text.includes('It is all') && !text.includes('all.\n\n#') ? {} : { exit: 1, output: 'SyntaxError: x' };
      const requirements = [{ id: '1', title: 'Totals', text: 'card.md says what it adds.', line: 3, lastLine: 3 }];
      const decide = (text: string): Partial<Finished> => (text === work ? {} : breaks(text));
      assert.equal((await measured(decide, { more: card, requirements }))?.document, undefined);
      const settings = {
        more: { 'card.json': '[1, 2]\n' },
        requirements: [{ id: '1', title: 'Totals', text: 'card.json says what it adds.', line: 3, lastLine: 3 }],
      };
      assert.equal((await measured(() => ({}), settings))?.document, undefined);
    });

    it('goes by all that was written, where that is no program and no requirement names it', async () => {
      const lines = card['card.md'].trimEnd().split('\n');
      const own = { path: 'notes.md', lines };
      const without = (words: string) => (text: string) => (text.includes(words) ? {} : red);
      for (const [decide, seen] of [
        [without('Adds two'), true],
        [() => ({}), false],
      ] as const) {
        const { document, trials } = (await measured((text, { reach }) => (reach ? { reached: {} } : decide(text)), { own })) ?? {};
        assert.deepEqual([document?.path, document?.seen, trials], ['notes.md', seen, []]);
      }
    });

    it('counts none of a document that it does not look into, where it looks into another', async () => {
      const more = { ...card, 'price.md': 'One total costs nothing.\n' };
      const words = [{ id: '1', title: 'Totals', text: 'card.md and price.md say what it is.', line: 3, lastLine: 3 }];
      const misses = (text: string, { files = {} }: Job): boolean => 'card.md' in files && !text.includes('Adds two');
      const told = await measured((text, job) => (misses(text, job) ? red : {}), { more, requirements: words });
      assert.deepEqual([told?.document?.path, told?.document?.seen], ['card.md', true]);
      assert.deepEqual([...new Set(told?.document?.trials?.map(({ path }) => path))], ['card.md']);
    });

    it('is one that it looks into, wherever that stands among those that were written', async () => {
      const names = ['a.md', 'b.md', 'c.md', 'card.md'];
      const more = Object.fromEntries(names.map((name) => [name, `${name} says: # Total\nAdds two numbers.\nIt is all.\n`]));
      const words = [{ id: '1', title: 'Totals', text: `${names.join(', ')} say what it adds.`, line: 3, lastLine: 3 }];
      const own = (text: string, job: Job): boolean => Object.keys(job.files ?? {})[0] === 'card.md' && !text.includes('Adds two');
      const told = await measured((text, job) => (own(text, job) ? red : {}), { more, requirements: words });
      assert.deepEqual([told?.document?.path, told?.document?.seen], ['card.md', true]);
    });

    it('is none where it stays green with nothing of any, and not known where it looks into one of too many', async () => {
      const textsOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}.md`, 'It adds.\n']));
      const of = async (count: number, looksInto?: string) => {
        const text = `${Object.keys(textsOf(count)).join(', ')} say what it adds.`;
        const requirements = [{ id: '1', title: 'Totals', text, line: 3, lastLine: 3 }];
        const isRed = ({ files = {} }: Job): boolean => looksInto !== undefined && files[looksInto] === '';
        return (await measured((_, job) => (isRed(job) ? red : {}), { more: textsOf(count), requirements }))?.document;
      };
      assert.deepEqual(await of(6), { path: 't0.md', seen: false, trials: [] });
      assert.deepEqual(await of(8), { path: 't0.md', seen: false, trials: [] });
      assert.equal(await of(8, 't7.md'), undefined);
    });

    it('is measured where it saw a fault, whatever the machine kept besides', async () => {
      const decide = (text: string): Partial<Finished> => {
        if (!text.includes('Adds two')) return red;
        return text.includes('# Total') ? {} : { timedOut: true, exit: null };
      };
      const told = await measured((text) => (text === garbage || text === work ? {} : decide(text)), {
        more: card,
        requirements: [{ id: '1', title: 'Totals', text: 'card.md says what it adds.', line: 3, lastLine: 3 }],
      });
      assert.equal(told?.document?.seen, true);
    });

    it('looks into each that is named, one after the other', async () => {
      const more = { ...card, 'price.md': 'One total costs nothing.\n' };
      const words = [{ id: '1', title: 'Totals', text: 'card.md and price.md say what it is.', line: 3, lastLine: 3 }];
      const told = await measured((text) => (text.trim() === '' ? red : {}), { more, requirements: words });
      assert.deepEqual([told?.document?.path, told?.document?.seen], ['price.md', true]);
    });

    it('is not measured where the machine kept a run from a result, and tried once more alone', async () => {
      const requirements = [{ id: '1', title: 'Totals', text: 'card.md says in 9 lines what it adds.', line: 3, lastLine: 3 }];
      const stopped = { stopped: 'signal' as const, exit: null };
      assert.equal(await measured((text) => (text.includes('# Total') ? stopped : {}), { more: card, requirements }), undefined);
      const met = new Set<string>();
      const once = (text: string): Partial<Finished> => (met.has(text) ? red : (met.add(text), stopped));
      const told = await measured((text) => (text === garbage || text === work ? {} : once(text)), { more: card, requirements });
      assert.equal(told?.document?.seen, true);
      let runs = 0;
      // All of it twice, and nothing of it.
      const breaks = (): Partial<Finished> => ((runs += 1) <= 2 ? stopped : { exit: 1, output: 'SyntaxError: x' });
      const decide = (text: string): Partial<Finished> => (text === garbage || text === work ? {} : breaks());
      assert.equal((await measured(decide, { more: card, requirements }))?.document, undefined);
    });

    it('tells nothing where its requirement names no document, or a program as well', async () => {
      for (const text of ['The card says what it adds.', 'total.sh does what card.md says.'])
        assert.equal((await found(() => false, text))?.document, undefined);
    });
  });

  it('counts neither work that does not run any more, nor a service that did not come up, an early end or time that ran out', async () => {
    const ends: Partial<Finished>[] = [
      { exit: 1, output: 'total.sh: syntax error near `fi`' },
      { exit: null, dead: { name: 'db', how: 'exited', exit: 1 } },
      { exit: null, stopped: 'early' },
      { exit: null, timedOut: true },
    ];
    for (const end of ends) assert.deepEqual(outcomes(await measured((_, { reach }) => (reach ? { reached: all } : end))), []);
  });

  it('tries a fault once more where a service ended with it', async () => {
    const met = new Set<string>();
    const ends = (text: string): Partial<Finished> =>
      met.has(text) ? {} : (met.add(text), { exit: null, dead: { name: 'db', how: 'exited', exit: 1 } });
    assert.deepEqual(outcomes(await measured((text, { reach }) => (reach ? { reached: all } : ends(text)))), ['unseen']);
  });

  it('counts what a script of Python says by an exception of its own, and not the work’s', async () => {
    const trace = 'Traceback (most recent call last):\n  File "check.py", line 3, in <module>\n';
    for (const { output, expected } of [
      { output: `${trace}NotAsRequired: wrong total: 5`, expected: ['seen'] },
      { output: `${trace}TypeError: 'NoneType' object is not callable`, expected: [] },
      { output: `wrong total\n${trace}TypeError: 'NoneType' object is not callable`, expected: [] },
    ])
      assert.deepEqual(outcomes(await measured((_, { reach }) => (reach ? { reached: all } : { exit: 1, output }))), expected);
  });

  it('takes red, then green of a verification that was flaky before for a flake, which shows nothing', async () => {
    const flaked = p.built().act('run-verifications', { fact: 'verification.ran', run: p.run({ n: 2, verdict: 'flaky' }) });
    const raised = { exit: 1, output: 'Traceback (most recent call last):\nNotAsRequired: wrong total' };
    for (const { story, end, expected } of [
      { story: p.green(flaked), end: red, expected: [] },
      { story: p.green(flaked), end: raised, expected: [] },
      { story: p.green(), end: red, expected: ['seen'] },
    ]) {
      const texts = new Set<string>();
      const flaky = (text: string): Partial<Finished> => (texts.has(text) ? {} : (texts.add(text), end));
      assert.deepEqual(outcomes(await measured((text, { reach }) => (reach ? { reached: all } : flaky(text)), { story })), expected);
    }
  });

  it('counts a fault that a proof tried, and puts none into the work twice', async () => {
    const ran: string[] = [];
    const decide = (text: string, { reach }: Job): Partial<Finished> =>
      reach ? { reached: all } : (ran.push(text), text.includes('- $2') ? red : {});
    const whole = await measured(decide);
    const count = ran.splice(0).length;
    const current = fold(p.green().events).ledger.world;
    const trials = [...(whole?.trials ?? []), ...(whole?.near ?? [])];
    const tried = (end: FaultEnd['end']): Fact[] =>
      trials.map(({ path, line, operator, was, now }) => ({
        fact: 'fault.tried',
        tried: { lineage: 'value/total', script: p.verification().script, code: 1, world: current, path, line, operator, was, now, end },
      }));
    assert.equal(count, new Set(trials.map(({ line, operator, now }) => `${line} ${operator} ${now}`)).size);
    for (const { end, outcome } of [
      { end: 'red', outcome: ['seen'] },
      { end: 'green', outcome: ['unseen'] },
      { end: 'broken', outcome: [] },
    ] as const)
      assert.deepEqual(outcomes(await measured(decide, { story: p.green().act('prove', ...tried(end)) })), outcome);
    assert.equal(ran.length, 0);
  });

  it('gives no measure where the machine kept every fault from a result', async () => {
    for (const end of [
      { exit: null, stopped: 'disk' as const },
      { exit: null, stopped: 'signal' as const },
      { ...red, lacks: 'npm' },
    ])
      assert.equal(await measured((_, { reach }) => (reach ? { reached: all } : end)), undefined);
  });

  it('runs alone, one fault at a time, what ran out of time beside others', async () => {
    let looks = 0;
    let [running, most] = [0, 0];
    const found = await measured(async (text, { reach, timeout }) => {
      most = Math.max(most, (running += 1));
      await Promise.resolve();
      running -= 1;
      const late = { exit: null, timedOut: true };
      if (reach) return (looks += 1) === 1 ? late : { reached: all, duration: 70_000 };
      return timeout > p.verification().timeout ? (text.includes('- $2') ? red : {}) : late;
    });
    assert.deepEqual(outcomes(found), ['seen', 'unseen']);
    assert.deepEqual([looks, most], [2, 1]);
  });

  it('waits for a run with a fault ten times as long as for one without, twenty seconds at least and its own time at most', async () => {
    const { timeout: own } = p.verification();
    for (const [duration, seconds] of [
      [5, 20],
      [3000, 30],
      [50_000, own],
    ] as const) {
      const given = new Set<number>();
      await measured((_, { reach, timeout }) => {
        if (reach) return { reached: all, duration };
        given.add(timeout);
        return red;
      });
      assert.deepEqual([...given], [seconds]);
    }
  });

  it('tries faults again alone where the machine may have kept each from a result', async () => {
    for (const end of [
      { exit: null, stopped: 'signal' as const },
      { exit: null, timedOut: true },
    ]) {
      const tried = new Set<string>();
      const found = await measured((text, { reach }) => {
        if (reach) return { reached: all };
        const isFirst = !tried.has(text);
        tried.add(text);
        return isFirst ? end : red;
      });
      assert.deepEqual(outcomes(found), ['seen']);
    }
  });

  it('gives no measure where the work could not be parsed in time, and one where there is no place for a fault', async () => {
    const late: Syntax = { parse: () => Promise.resolve(undefined), errors: () => Promise.resolve(undefined) };
    const empty: Syntax = { parse: () => Promise.resolve(undefined), errors: () => Promise.resolve(0) };
    assert.equal(await measured(() => ({}), { syntax: late }), undefined);
    assert.deepEqual((await measured(() => ({}), { syntax: empty }))?.trials, []);
  });

  it('gives no measure where the verification is not green before any fault', async () => {
    assert.equal(await measured((_, { files }) => (files ? {} : { ...red, reached: all })), undefined);
  });

  it('asks once more alone, and then without what tells where the run gets, what only these turn red', async () => {
    const ran: boolean[] = [];
    const found = await measured((text, { reach = false, files }) => {
      if (!files) ran.push(reach);
      if (reach) return { ...red, reached: { 'total.sh': [1, 2] } };
      return text.includes('- $2') ? red : {};
    });
    assert.deepEqual(ran, [true, true, false]);
    assert.deepEqual(outcomes(found), ['seen', 'unreached', 'unseen'], 'the red run told the lines');
  });

  it('takes red, then green of what has to run alone for chance', async () => {
    const tried = new Map<string, number>();
    let looks = 0;
    const found = await measured((text, { reach }) => {
      if (reach) return (looks += 1) === 1 ? red : { reached: all };
      const count = (tried.get(text) ?? 0) + 1;
      tried.set(text, count);
      return text.includes('- $2') || count === 1 ? red : {};
    });
    assert.deepEqual(outcomes(found), ['seen']);
    assert.deepEqual(new Set(tried.values()), new Set([2]));
  });
});

describe('measuring work that has no place for a fault', () => {
  const words = { path: 'words.sh', lines: ['# sum is 3'] };
  const end =
    (sees: boolean, reached: Finished['reached'] = all) =>
    (text: string, { reach }: Job): Partial<Finished> =>
      reach ? { reached } : sees && text.includes('- $2') ? red : {};

  it('puts faults into what its run reaches of other work', async () => {
    const seen = await measured(end(true), { own: words });
    assert.deepEqual([seen?.inOtherWork, outcomes(seen)], [true, ['seen', 'unseen']]);
    assert.deepEqual(outcomes(await measured(end(false), { own: words })), ['unseen']);
  });

  it('puts none into lines that it does not reach, or of which nobody tells whether it does', async () => {
    for (const reached of [{ 'words.sh': [] }, { 'total.sh': [] }, {}]) {
      const found = await measured(end(false, reached), { own: words });
      assert.deepEqual([found?.inOtherWork, found?.trials], [undefined, []]);
    }
  });

  it('puts none where its own work has a place, is a test, only takes something out, or is in no language that has faults', async () => {
    for (const own of [
      { path: 'words.sh', lines: ['n=$((n + 1))'] },
      { path: 'test/words.test.sh', lines: ['n=$((n + 1))'] },
      { path: 'words.sh', lines: ['# sum is 3'], without: 'echo 4' },
      { path: 'words.zig', lines: ['// sum is 3'] },
    ])
      assert.equal((await measured(end(false), { own }))?.inOtherWork, undefined, own.path);
  });

  it('is not measured where its own work could not be parsed in time', async () => {
    const { parse, errors } = world().ports.syntax;
    const isWords = (text: string): boolean => text.startsWith('# sum');
    const late: Syntax = {
      parse: async (language, text) => (isWords(text) ? undefined : parse(language, text)),
      errors: async (language, text) => (isWords(text) ? undefined : errors(language, text)),
    };
    assert.equal(await measured(end(false), { own: words, syntax: late }), undefined);
  });
});

describe('measuring where one file serves several requirements', () => {
  const shared = `export function total(a) {
  if (a > 9) return 0;
  return a * 2 + 1;
}

export function more(a) {
  if (a > 7) return 3;
  return a * 4 + 5;
}

export const both = (a) => (a > 6 ? a : 8);
`;
  const [ofTotal, ofMore, ofBoth] = [[1, 2, 3], [6, 7, 8], [11]];
  const other = (id: string, ...prd: string[]): Script => p.verification({ id, lineage: id, script: refOf(`script of ${id}`), prd });
  const isTotal = ({ run }: Job): boolean => 'script' in run && run.script === 'script of value/total';
  const linesOf = (found: Measure | undefined, ...of: FaultTrial['outcome'][]): number[] =>
    [...new Set(found?.trials.filter(({ path, outcome }) => path === 'a.js' && of.includes(outcome)).map(({ line }) => line))].sort(
      (a, b) => a - b,
    );

  /** @param reached by `value/total`, and by each other one. @param sees whether a run sees the fault in a file. */
  const told = (
    reached: { total: number[]; others: number[] },
    sees: (job: Job, text: string) => boolean,
    others = [other('value/more', '2')],
  ): Promise<Measure | undefined> =>
    measured(
      (text, job) => {
        const lines = isTotal(job) ? reached.total : reached.others;
        return job.reach ? { reached: { 'total.sh': [], 'a.js': lines } } : sees(job, text) ? red : {};
      },
      { more: { 'a.js': shared }, others },
    );
  const reachAll = [...ofTotal, ...ofMore, ...ofBoth];

  it('puts faults only where no run for another requirement gets, if there is room for six', async () => {
    const found = await told({ total: [...ofTotal, ...ofBoth], others: [...ofMore, ...ofBoth] }, isTotal);
    assert.deepEqual([found?.own, linesOf(found, 'seen'), linesOf(found, 'unseen')], [true, [2, 3], []]);
    const alone = await told({ total: [...ofTotal, ...ofBoth], others: [...ofMore, ...ofBoth] }, isTotal, [other('value/more', '1')]);
    assert.deepEqual([alone?.own, linesOf(alone, 'seen')], [undefined, [2, 3, 11]]);
  });

  it('has no room for six where only one line, or a message in its own words, is nobody else’s', async () => {
    const ofOne = async (line: string): Promise<true | undefined> => {
      const found = await measured(
        (_, job) =>
          job.reach ? { reached: { 'total.sh': [], 'a.js': isTotal(job) ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : [1] } } : isTotal(job) ? red : {},
        {
          more: { 'a.js': `export const both = (a) => (a > 6 ? a : 8);\nexport function total(a) {\n  ${line}\n}\n` },
          others: [other('value/more', '2')],
        },
      );
      return found?.own;
    };
    assert.equal(await ofOne('return (a * 2 + 1) * (a > 9 ? 3 : 4) - (a < 2 ? 5 : 6);'), undefined);
    const words = ['is not a sum', 'has no sum at all', 'cannot be a total', 'makes no total here'];
    assert.equal(await ofOne(`return [\n${words.map((text) => `    '${text}',`).join('\n')}\n  ][a];`), undefined);
  });

  it('sees no fault in lines beyond its run, of functions into which only it gets, unless it or one of its requirement turns red', async () => {
    const ends = async (isSeen: (job: Job) => boolean, others?: Script[]): Promise<number[][]> => {
      const sees = (job: Job, text: string): boolean => text.includes('return a * 2 + 1;') || isSeen(job);
      const found = await told({ total: [1, 2], others: [...ofMore, ...ofBoth] }, sees, others);
      return [linesOf(found, 'seen'), linesOf(found, 'unseen')];
    };
    assert.deepEqual(await ends(() => false), [[2], [3]]);
    assert.deepEqual(await ends(isTotal), [[2, 3], []]);
    const isSame = ({ run }: Job): boolean => 'script' in run && run.script === 'script of value/same';
    const asked = new Set<string>();
    const beyond = await told(
      { total: [1, 2], others: [...ofMore, ...ofBoth] },
      (job, text) => {
        if (isSame(job) && !text.includes('return a * 2 + 1;')) asked.add(text);
        return text.includes('return a * 2 + 1;');
      },
      [other('value/more', '2'), other('value/same', '1')],
    );
    assert.deepEqual([linesOf(beyond, 'unseen'), asked.size > 0], [[3], true]);
  });

  it('tries none beyond its run once the time for all faults is over', async () => {
    const found = await measured(
      (text, job, clock) => {
        if (job.reach) return { reached: { 'total.sh': [], 'a.js': isTotal(job) ? [1, 2] : [...ofMore, ...ofBoth] } };
        clock.time += 200_000;
        return text.includes('return a * 2 + 1;') || isTotal(job) ? red : {};
      },
      { more: { 'a.js': shared }, others: [other('value/more', '2')] },
    );
    assert.deepEqual([linesOf(found, 'seen'), linesOf(found, 'unseen')], [[2], [3]]);
  });

  it('counts only what was made for it where its run gets to none of that, and everywhere else others get too', async () => {
    const own = { path: 'words.sh', lines: ['n=$((n + 1))'], isRed: true as const };
    const lines = [1, 2, 3, 4];
    const asked = ['1', '2', 'V1'].map((id) => ({ id, title: id, text: id, line: id === 'V1' ? 0 : 3, lastLine: 3 }));
    const shares = p.task({ id: 'T9', status: 'done', prdSection: ['2', 'V1'] });
    const sharing = [other('value/total', '1', 'V1'), other('value/more', '2', 'V1')];
    const found = async (total: number[], more: number[], words: number[] = [], others = [other('value/more', '2')]): Promise<string[]> => {
      const gave = await measured(
        (text, job) =>
          job.reach ? { reached: { 'total.sh': isTotal(job) ? total : more, 'words.sh': words } } : text.startsWith('n=') ? {} : red,
        { own, others, requirements: asked, story: p.green().act('plan', { fact: 'task.added', task: shares }) },
      );
      return [...new Set(gave?.trials.map(({ path, outcome }) => `${path} ${outcome}`))].sort();
    };
    assert.deepEqual(await found(lines, lines), ['words.sh unreached', 'words.sh unseen']);
    assert.deepEqual(await found(lines, lines, [], sharing), ['words.sh unreached', 'words.sh unseen'], 'where both share a value proof');
    assert.deepEqual(await found(lines, [1]), ['total.sh seen', 'words.sh unreached']);
    assert.deepEqual(await found(lines, lines, [1]), ['total.sh seen', 'words.sh unseen']);
  });

  it('tells a person, who waits, that it looks at what is reached, and that it asks others', async () => {
    const asked = async (sees: boolean): Promise<string[]> => {
      const said: Progress[] = [];
      await measured((_, job) => (job.reach ? { reached: { 'total.sh': [], 'a.js': reachAll } } : sees ? red : {}), {
        more: { 'a.js': shared },
        said,
      });
      return said.flatMap((item) => (item.kind === 'note' ? [item.text] : []));
    };
    const looking = 'Looking at which lines of the work 1 verification reaches.';
    assert.deepEqual(await asked(true), [looking]);
    assert.deepEqual(await asked(false), [looking, 'Asking others about the faults that 1 verification did not see.']);
  });

  it('leaves what it does not see to a verification of another requirement that sees it, where it sees too little', async () => {
    const isInMore = (text: string): boolean => !text.includes('if (a > 7) return 3;') || !text.includes('return a * 4 + 5;');
    const found = await told({ total: reachAll, others: reachAll }, (job, text) =>
      isTotal(job) ? !text.includes('if (a > 9) return 0;') : isInMore(text),
    );
    assert.deepEqual(linesOf(found, 'elsewhere'), [7, 8]);
    assert.ok(!linesOf(found, 'unseen').some((line) => ofMore.includes(line)));
    const enough = await told({ total: reachAll, others: reachAll }, (job, text) => (isTotal(job) ? text.includes('a > 7') : true));
    assert.deepEqual(linesOf(enough, 'elsewhere'), []);
  });

  it('tells of what nobody sees for how many others it would be, but not of values that each run loads', async () => {
    const text = `export const rates = [1.5, 2.5];\nadd('goose', 'geese');\nstart(rates, 'goose');\nconsole.log(rates.length);\n${shared}`;
    const lines = text.split('\n').map((_, i) => i + 1);
    const found = await measured(
      (now, job) => (job.reach ? { reached: { 'total.sh': [], 'a.js': lines } } : now.includes('a * 2 + 1') ? {} : red),
      { more: { 'a.js': text }, others: [other('value/more', '2'), other('value/third', '3')] },
    );
    const unseen = found?.trials.filter(({ outcome }) => outcome === 'unseen') ?? [];
    const of = (line: number): (number | undefined)[] => [...new Set(unseen.filter((one) => one.line === line).map((one) => one.others))];
    assert.deepEqual([of(1), of(2)], [[undefined], [undefined]]);
    assert.deepEqual([of(3), of(4), of(11)], [[2], [2], [2]]);
  });

  it('leaves a fault near to right to another one only where it has places that are nearer to it', async () => {
    const text = 'export const total = (a) => a.trim();\n\nexport const more = (a) => a.trim();\n';
    const near = async (total: number[]): Promise<string[]> => {
      const found = await measured(
        (_, job) =>
          job.reach
            ? { reached: { 'total.sh': [], 'a.js': isTotal(job) ? total : [3] } }
            : isTotal(job) && !job.files?.['total.sh']
              ? {}
              : red,
        { more: { 'a.js': text }, others: [other('value/more', '2')] },
      );
      return [...new Set(found?.near?.map(({ line, outcome }) => `${line} ${outcome}`))].sort();
    };
    assert.deepEqual(await near([3]), ['3 unseen']);
    assert.deepEqual(await near([1, 3]), ['1 unseen', '3 elsewhere']);
  });

  it('leaves one to another, too, where nobody tells what a run reaches and it sees another one there', async () => {
    const text = 'export const total = (a) => a.trim();\n';
    const near = async (sees: (now: string, isOwn: boolean) => boolean): Promise<string[]> => {
      const decide = (now: string, job: Job): Partial<Finished> => {
        if (job.reach) return { reached: { 'total.sh': [] } };
        if (now === garbage) return red;
        return sees(now, isTotal(job)) ? red : {};
      };
      const found = await measured(decide, { more: { 'a.js': text }, others: [other('value/more', '2')] });
      return (found?.near ?? []).map(({ outcome }) => outcome).toSorted();
    };
    const isOne = (now: string): boolean => now.includes('=> undefined;');
    assert.deepEqual(new Set(await near((now, isOwn) => isOne(now) || !isOwn)), new Set(['elsewhere', 'seen']));
    assert.deepEqual(new Set(await near((now) => isOne(now))), new Set(['seen', 'untold']), 'nobody sees the others');
    assert.deepEqual(new Set(await near((_, isOwn) => !isOwn)), new Set(['untold']), 'it does not look there');
  });

  it('waits for another requirement no longer than ten times its latest green run', async () => {
    const more = other('value/more', '2');
    const { id: verification, lineage, script } = more;
    const ran: Fact = { fact: 'verification.ran', run: p.run({ verification, lineage, script, n: 1, code: 1, duration: 3000 }) };
    const written: Fact = { fact: 'verification.written', verification: more };
    const long = `export const total = (a) => {\n${Array.from({ length: 30 }, (_, i) => `  if (a === ${i + 10}) return ${i + 50};\n`).join('')}  return a;\n};\n`;
    const given = new Set<number>();
    await measured(
      (_, job) => {
        const lines = long.split('\n').map((_line, i) => i + 1);
        if (job.reach) return { reached: { 'total.sh': [], 'a.js': isTotal(job) ? lines.filter((line) => line % 2 === 0) : lines } };
        if (!isTotal(job) && job.files) given.add(job.timeout);
        return {};
      },
      { more: { 'a.js': long }, others: [more], story: p.green().act('run-verifications', written, ran) },
    );
    assert.deepEqual(
      [...given].sort((a, b) => a - b),
      [20, 30],
    );
  });

  it('asks the others of its requirement first what it does not see, because their strength is one', async () => {
    const long = `export const total = (a) => {\n${Array.from({ length: 30 }, (_, i) => `  if (a === ${i + 10}) return ${i + 50};\n`).join('')}  return a;\n};\n`;
    const lines = long.split('\n').map((_, i) => i + 1);
    const tried = { total: new Set<string>(), same: new Set<string>() };
    const found = await measured(
      (text, job) => {
        if (job.reach) return { reached: { 'total.sh': isTotal(job) ? [1, 2, 3, 4] : [], 'a.js': lines } };
        const isSame = 'script' in job.run && job.run.script === 'script of value/same';
        if (text.includes('export const total')) tried[isTotal(job) ? 'total' : 'same'].add(text);
        return isSame || text.includes('sum=') ? red : {};
      },
      { more: { 'a.js': long }, others: [other('value/same', '1')] },
    );
    assert.ok(linesOf(found, 'unseen').length > 4);
    assert.deepEqual(
      [...tried.total].filter((text) => !tried.same.has(text)),
      [],
    );
  });

  it('tells apart what each run loads: it says nothing of what that run uses', async () => {
    const found = async (functions: string): Promise<string[]> => {
      const text = `export const rates = [1.5, 2.5, 3.5];\n${functions}`;
      const lines = text.split('\n').map((_, i) => i + 1);
      const table = await measured((_, job) => (job.reach ? { reached: { 'total.sh': [], 'a.js': lines } } : isTotal(job) ? {} : red), {
        more: { 'a.js': text },
        others: [other('value/more', '2')],
      });
      const ofTable = table?.trials.filter(({ path, line }) => path === 'a.js' && line === 1) ?? [];
      return [...new Set(ofTable.map(({ outcome }) => outcome))];
    };
    assert.deepEqual([await found(shared), await found('')], [['loaded'], ['elsewhere']]);
  });

  it("tries no fault in the work's own wording, where others are left", async () => {
    const isReason = ({ path, operator }: FaultTrial): boolean => path === 'a.js' && operator === 'text changed';
    const reasons = async (text: string, word: string): Promise<string[] | undefined> => {
      const whole = `export const total = (a) => {\n  if (a < 0) throw new Error('${word}');\n  return ${text};\n};\n`;
      const lines = whole.split('\n').map((_, i) => i + 1);
      const found = await measured((_, job) => (job.reach ? { reached: { 'total.sh': [1, 2, 3, 4], 'a.js': lines } } : red), {
        more: { 'a.js': whole },
      });
      return found?.trials.filter(isReason).map(({ outcome }) => outcome);
    };
    assert.deepEqual(await reasons('a * 2 + 1', 'a total is no debt'), ['wording']);
    assert.deepEqual(await reasons('a * 2 + 1', '1. Totals'), ['seen'], 'the PRD has these words');
  });

  it('tries no other words for a message that names something, however few others are left', async () => {
    const faults = async (path: string, text: string): Promise<string[]> => {
      const found = await measured((_, job) => (job.reach ? { reached: { 'total.sh': [], [path]: [1, 2] } } : red), {
        more: { [path]: text },
      });
      const tried = found?.trials.filter((one) => one.path === path) ?? [];
      return tried.map(({ operator, outcome }) => `${operator}: ${outcome}`).sort();
    };
    const refuse = 'export const refuse = (a) => {\n  check(`${a} is missing`);\n};\n';
    assert.deepEqual(await faults('a.js', refuse), ['call left out: seen', 'text changed: wording']);
    assert.deepEqual(await faults('a.html', '<p>Prose</p>\n<a href="#a"></a>\n'), ['text changed: seen', 'text changed: seen']);
  });

  it('asks for what a page does where most of it is its own words', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => `<p>Prose ${i}</p>`);
    const links = ['a', 'b', 'c'].map((id) => `<a href="#${id}"></a>`);
    const found = await measured((_, job) => (job.reach ? { reached: { 'total.sh': [] } } : red), {
      more: { 'a.html': [...rows, ...links, ''].join('\n') },
    });
    const tried = found?.trials.filter(({ path, outcome }) => path === 'a.html' && outcome === 'seen').map(({ now }) => now.trim()) ?? [];
    assert.deepEqual(
      tried.toSorted(),
      ['a', 'b', 'c'].map((id) => `<a href="#~${id}"></a>`),
    );
  });

  it('leaves out no print of such words, however few, where others are left', async () => {
    const prints = async (shown: string): Promise<string[]> => {
      const whole = `export const total = (a) => {\n  console.log(${shown});\n  console.log(${shown});\n};\n`;
      const found = await measured((_, job) => (job.reach ? { reached: { 'total.sh': [1, 2, 3, 4], 'a.js': [1, 2, 3, 4] } } : red), {
        more: { 'a.js': whole },
      });
      const ofPrint = found?.trials.filter(({ path, operator }) => path === 'a.js' && operator.startsWith('output ')) ?? [];
      return [...new Set(ofPrint.map(({ operator, outcome }) => `${operator}: ${outcome}`))].sort();
    };
    const of = (others: string, leftOut: string): string[] => [
      `output changed: ${others}`,
      `output extended: ${others}`,
      `output left out: ${leftOut}`,
      `output repeated: ${others}`,
    ];
    assert.deepEqual(await prints("'ready'"), of('wording', 'wording'));
    assert.deepEqual(await prints('`ready: ${a}`'), of('seen', 'wording'));
    assert.deepEqual(await prints('a'), of('seen', 'seen'));
  });

  it('puts faults that are near to right into several places, where runs for one other requirement get at most', async () => {
    const nearLines = async (count: number): Promise<number[]> => {
      const others = ['2', '3'].slice(0, count).map((id) => other(`value/more-${id}`, id));
      const found = await told({ total: [...ofTotal, ...ofMore], others: ofMore }, () => true, others);
      return [...new Set(found?.near?.map(({ line }) => line))].sort((a, b) => a - b);
    };
    assert.deepEqual([await nearLines(1), await nearLines(2)], [[3, 8], [3]]);
  });
});

describe('declarations of types', () => {
  const more = {
    'index.d.ts':
      "export type Unit = 'hour' | 'day';\nexport type Options = {\n\treadonly unit?: Unit;\n};\nexport function parse(text: string): number;\n",
  };
  const about = (text: string): Requirement[] => [{ id: '1', title: text, text, line: 1, lastLine: 1 }];
  /** A script that compiles against them: a compiler's words are its own. */
  const compiles = (text: string): Partial<Finished> =>
    text === more['index.d.ts'] || text === work ? {} : { exit: 1, output: 'wrong total: use.ts(3,1): error TS2322: Type' };
  const measuredFor = (text: string, end: (text: string) => Partial<Finished>): Promise<Measure | undefined> =>
    measured((now, { reach }) => (reach ? { reached: { 'total.sh': [] } } : end(now)), {
      syntax: createSyntax(),
      more,
      requirements: about(text),
    });

  it('are what a requirement that names them is measured by, and a compiler’s words tell that a fault was seen', async () => {
    const found = await measuredFor('`index.d.ts` has the new options', compiles);
    assert.deepEqual(outcomes(found), ['seen']);
    assert.deepEqual(found?.trials.map(({ line, now }) => `${line} ${now}`).toSorted(), [
      '1 ',
      "1 export type Unit = 'hour' | '~day';",
      "1 export type Unit = '~hour' | 'day';",
      '2 ',
      '3 \t',
      '5 ',
      '5 export function parse(text: number): number;',
      '5 export function parse(text: string): string;',
    ]);
  });

  it('among programs are what a type checker is asked about, for a requirement about types', async () => {
    const program = 'export interface Options {\n\tport?: number;\n}\nexport const total = (a: number): number => a + 1;\n';
    const linesFor = async (text: string, script: string): Promise<string[]> => {
      const isSeen = (now: string): boolean => now !== program && now !== work;
      const says = `wrong total: ${script.includes('tsc') ? 'a.ts(3,1): error TS2322: Type' : 'it is 3'}`;
      const end = (now: string): Partial<Finished> => (isSeen(now) ? { exit: 1, output: says } : {});
      const found = await measured((now, { reach }) => (reach ? { reached: { 'total.sh': [], 'a.ts': [4] } } : end(now)), {
        syntax: createSyntax(),
        more: { 'a.ts': program },
        requirements: about(text),
        verifiedBy: script,
      });
      return [...new Set(found?.trials.map(({ path, line, outcome }) => `${path}:${line} ${outcome}`))].toSorted();
    };
    const types = 'The options have the type `number`, and another one is a type error';
    assert.deepEqual(await linesFor(types, 'npx tsc --noEmit -p .'), ['a.ts:2 seen']);
    const runs = await linesFor(types, 'node total.js');
    assert.ok(runs.some((one) => one.startsWith('a.ts:4')) && !runs.some((one) => one.startsWith('a.ts:2')), runs.join());
    for (const text of ['The total is printed', 'What is typed into the TypeScript tool is compiled', 'The event has the type `click`']) {
      const other = await linesFor(text, 'npx tsc --noEmit -p .');
      assert.ok(!other.some((one) => one.startsWith('a.ts:2')), `${text}: ${other.join()}`);
    }
  });

  it('get no fault for any other requirement', async () => {
    const found = await measuredFor('The total is printed', () => ({}));
    assert.deepEqual([...new Set(found?.trials.map(({ path }) => path))], ['total.sh']);
  });
});
