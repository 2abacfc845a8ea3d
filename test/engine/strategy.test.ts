/** Changing how the loop works: when, what each dimension really does, and what none can ever do (I4, I6). */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { courseCorrect, stalledAfter } from '../../src/engine/actions/course-correct.ts';
import { strategy } from '../../src/engine/actions/strategy.ts';
import { table } from '../../src/engine/actions/table.ts';
import { effortOf } from '../../src/engine/agents/effort.ts';
import { roleNames } from '../../src/engine/ground/roles.ts';
import { decide, dueOf } from '../../src/engine/core/decide.ts';
import { tankKinds } from '../../src/engine/state/tanks.ts';
import { left, tank } from '../../src/engine/state/fuel.ts';
import { thresholds } from '../../src/engine/core/metrics.ts';
import { health } from '../../src/engine/core/monitor.ts';
import { healthWords, strategyWords } from '../../src/engine/render/process.ts';
import { renderReport } from '../../src/engine/render/report.ts';
import { reportStrategy } from '../../src/engine/tools/report-strategy.ts';
import { ToolError } from '../../src/engine/tools/tool.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { strategy as schema, strategyOf, usualStrategy, type Strategy } from '../../src/engine/work/strategy.ts';
import { calls, world } from '../support/fakes.ts';
import { nameOf, tankOf, type Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';
import { verificationOf, taskOf, Working } from './support/working.ts';

const words = {
  pattern: 'The same parser is patched over and over.',
  rationale: 'Each patch breaks what the one before mended, so the parser is written anew.',
};
type Changes = { [K in keyof Strategy]?: Strategy[K] | undefined };
const changed = (changes: Changes): Fact => ({ fact: 'strategy.changed', ...words, changes });
const kept: Fact = { fact: 'strategy.kept', ...words };
const corrected: Fact = { fact: 'course.corrected', correction: { kind: 'restructure', diagnosis: 'x', guidance: '' } };

/** Six tasks are done, and then nothing more: the monitor says RED. */
function stuck(tasks = 12): Working {
  const work = new Working(tasks);
  for (let n = 0; n < 6; n += 1) work.settles(taskOf(n), verificationOf(n), true);
  for (let i = 0; i < 6; i += 1) work.fails(taskOf(6));
  return work;
}
const due = ({ state }: { state: Story['state'] }): number => dueOf(strategy, state).length;
const idle = (work: Working, decisions: number): Working => {
  for (let i = 0; i < decisions; i += 1) work.act('vrc');
  return work;
};

describe('strategy', () => {
  it('is due when the process monitor says RED, above course correction, on its own fuel', () => {
    const { state } = stuck();
    const [first] = strategy.due(state);
    assert.deepEqual(first?.burns, [tankOf('strategy')]);
    assert.match(first.why, /^milestones do not come: 0\.\d+ a decision, and \d+ slow ones in a row/);
    assert.equal(decide(state, table).action, 'strategy');
    assert.equal(left(state.ledger, tank('strategy')), 3);
  });

  it('is not due while the work gets on, while a change is open, when all is done, or when nothing is left to do', () => {
    assert.equal(due(p.awaiting()), 0);
    const open = stuck();
    open.story.begin('execute', taskOf(7)).end({ fact: 'tree.changed', change: p.change({ n: 99 }) });
    assert.equal(due(open), 0);
    assert.equal(due(idle(new Working(0), 30)), 0);
    const out = p.awaiting();
    for (let i = 0; i < 30; i += 1) out.begin('execute', 'T1', ['execute/T1']).end();
    assert.deepEqual([health(out.state).level, courseCorrect.due(out.state).length], ['RED', 1]);
    assert.equal(due(out), 0);
  });

  it('is not due again before a milestone or a course correction came of it, and the course has as long after it', () => {
    for (const look of [changed({ fix: 'rewrite' }), kept]) {
      const work = stuck().act('strategy', 0, look);
      const asked = (): string[] => courseCorrect.due(work.state).map((d) => d.why);
      assert.deepEqual([due(work), asked()], [0, []]);
      idle(work, stalledAfter - 1);
      assert.deepEqual([due(work), asked()], [0, []], 'it has its chance');
      idle(work, 1);
      assert.deepEqual([due(work), asked()], [0, [`${stalledAfter} decisions were made without a milestone`]]);
      work.act('course-correct', 0, corrected);
      assert.deepEqual([due(idle(work, thresholds.cooldown - 1)), asked()], [0, []]);
      assert.deepEqual([due(idle(work, 1)), asked()], [1, []]);
    }
  });

  it('is due again when it went well for a while', () => {
    const work = stuck().act('strategy', 0, kept).settles(taskOf(7), verificationOf(7), true);
    assert.equal(due(idle(work, 7)), 0);
    assert.equal(due(idle(work, 6)), 1);
  });
});

describe('a strategy that flips each time', () => {
  const flips: Partial<Strategy>[] = [
    { fix: 'rewrite' },
    { fix: 'targeted', order: 'risk' },
    { order: 'value', triage: 'one_by_one' },
    { triage: 'by_cause' },
  ];

  /** Decides on the real table where no session does anything, and changes are taken back. */
  function played(look: (n: number) => Fact, correction: () => Fact): Story {
    const { story } = stuck(30);
    for (let looks = 0; story.state.stopped === null;) {
      const { action, target, burns } = decide(story.state, table);
      story.begin(action, target, burns.slice(1).map(nameOf));
      if (action === 'strategy') story.end(look((looks += 1)));
      else story.end(...(action === 'course-correct' ? [correction()] : []));
    }
    return story;
  }

  const burnedBy = ({ ledger }: Story['state']): string[] =>
    tankKinds.flatMap((kind) => Object.keys(ledger.burned[kind]).map((key) => nameOf({ kind, key })));

  it('and a correction after each: three and five at most, no tank over its size, no limit changed', () => {
    const ends = [(n: number) => changed(flips[n % flips.length] ?? {}), () => kept].map((look) => played(look, () => corrected));
    for (const { state } of ends) {
      const made = (id: string): number => state.ledger.decisions.filter((d) => d.decision.action === id).length;
      assert.deepEqual([made('strategy'), made('course-correct')], [3, 5]);
      for (const name of burnedBy(state).filter((one) => !one.startsWith('execute/T6')))
        assert.ok(name === 'sprint' || left(state.ledger, tankOf(name)) >= 0, name);
      assert.deepEqual(state.ledger.sizes, stuck(30).state.ledger.sizes);
    }
    const [flipped, steady] = ends.map(({ state }) => state.ledger.decisions.length);
    assert.equal(flipped, steady, 'it gains nothing by flipping');
  });

  it('changes nothing but the strategy: no size, budget, fuel, trust, gate, task or verification', () => {
    const before = p.green();
    const any = fc.record(
      Object.fromEntries(Object.entries(schema.shape).map(([key, values]) => [key, fc.constantFrom(...values.options)])),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 6 }), (all) => {
        const after = p.green();
        after.begin('strategy').end(...all.map((changes) => changed(schema.partial().parse(changes))));
        const { strategies: _, decisions: __, burned: ___, ran: _ran, ...ledger } = after.state.ledger;
        const { strategies: ____, decisions: _____, burned: ______, ran: _before, ...known } = before.state.ledger;
        assert.deepEqual({ ...ledger, work: after.state.work }, { ...known, work: before.state.work });
        for (const role of roleNames) assert.ok(['low', 'medium', 'high', 'max'].includes(effortOf(after.state.ledger, role)));
      }),
    );
  });
});

describe('the strategist’s session', () => {
  it('sees figures, choices, earlier looks and decisions; without a report nothing changes', async () => {
    const work = stuck();
    const { story } = work.act('strategy', 0, changed({ scope: 'smallest' }));
    story.begin('strategy', '', ['strategy']);
    const w = await staged(world(), story);
    w.model.answers.push({ ...calls(), stop: 'end_turn' }, { ...calls(), stop: 'end_turn' });
    const facts = await strategy.run('', play(w).context);
    assert.deepEqual(
      facts.map((f) => f.fact),
      ['strategy.kept'],
    );
    const [block] = w.model.asked[0]?.messages[0]?.content ?? [];
    const text = block?.type === 'text' ? block.text : '';
    for (const part of [
      '- velocity: 0.',
      '`smallest` (now)',
      '`one_by_one`: each',
      'after 30 decisions: builders do the',
      '- execute T6: because',
    ])
      assert.ok(text.includes(part), `${part}\n${text}`);
    assert.equal(w.model.asked[0]?.role, 'reasoner');
  });
});

describe('report_strategy', () => {
  const report = (call: object, story: Story = stuck().story): Fact[] =>
    reportStrategy.handle(reportStrategy.input.parse({ ...words, ...call }), {
      state: story.state,
      target: '',
      step: 's',
      kept: '',
    }).facts;

  it('changes the dimensions that it names, and leaves the others', () => {
    const story = stuck().story.act('strategy', ...report({ action: 'change', changes: { fix: 'revert', effort: 'raised' } }));
    assert.deepEqual(strategyOf(story.state.ledger), { ...usualStrategy, fix: 'revert', effort: 'raised' });
    assert.match(strategyWords(story.state), /^fixers take back .*, builders, fixers, QC and researchers think a step harder$/);
  });

  it('takes no dimension that there is not, and so no cap', () => {
    for (const changes of [{ max_fix_attempts: 9 }, { maxFixAttempts: 9 }, { fix: 'anyhow' }, { budgetUsd: 900 }])
      assert.throws(() => report({ action: 'change', changes }));
  });

  it('refuses what was in force before, and a change that is none', () => {
    const { story } = stuck().act('strategy', 0, changed({ fix: 'rewrite' }));
    for (const changes of [{}, { fix: 'rewrite' }, { fix: 'targeted' }])
      assert.throws(() => report({ action: 'change', changes }, story), ToolError);
    assert.equal(report({ action: 'change', changes: { fix: 'targeted', order: 'risk' } }, story).length, 1);
  });

  it('may leave all as it is, and says so plainly', () => {
    assert.deepEqual(report({ action: 'continue' }), [kept]);
    assert.throws(() => report({ action: 'continue', changes: { fix: 'rewrite' } }), ToolError);
  });

  it('may ask the person one question', () => {
    const [asked, fact] = report({ action: 'escalate', question: 'Which parser may be used?' });
    assert.ok(asked?.fact === 'human-action.asked' && asked.humanAction.action === 'Which parser may be used?');
    assert.deepEqual(fact, kept);
    assert.throws(() => report({ action: 'escalate' }), ToolError);
  });
});

describe('what a person reads of it', () => {
  it('is health and strategy as they are, and one line in the report for each change', () => {
    const work = stuck();
    assert.match(healthWords(work.state), /^RED: milestones do not come/);
    assert.equal(strategyWords(work.state), 'the usual one');
    assert.match(renderReport(work.state), /## Decided for you\n\nNothing is recorded\.\n/);
    work.act('strategy', 0, kept).act('strategy', 0, changed({ order: 'risk' }));
    assert.equal(healthWords(work.state), 'GREEN');
    assert.equal(strategyWords(work.state), 'tasks that most others wait for first');
    assert.match(
      renderReport(work.state),
      /## Decided for you\n\n- After \d+ decisions: tasks that most others wait for first\. Why: The same parser .*\n\n/,
    );
  });
});
