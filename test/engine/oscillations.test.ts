/**
 * The three oscillations that a system of this kind is documented to have had: recoveries that undo one another until somebody
 * stops them by hand. Here each is driven as hard as the rows allow, and ends by fuel (I4); none counts as progress (I5).
 */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { table } from '../../src/engine/actions/table.ts';
import { decide } from '../../src/engine/core/decide.ts';
import type { Decision } from '../../src/engine/state/events.ts';
import type { ActionId } from '../../src/engine/state/rows.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import type { Service } from '../../src/engine/work/service.ts';
import { nameOf, refOf, Story } from './support/events.ts';
import * as p from './support/parts.ts';

const api: Service = { name: 'api', start: { command: 'node server.js' }, ready: { tcp: 3000 }, limit: 30 };
const probed = (up: boolean, code: number): Fact => ({
  fact: 'service.probed',
  probe: {
    name: 'api',
    code,
    up,
    why: up ? '' : 'it ended',
    exit: up ? null : 1,
    duration: 9,
    output: refOf('log'),
    excerpt: '',
    ...(up ? {} : { cause: 'exited' as const }),
  },
});

/** What the table says, carried out by `facts`, until `close` or the limit. */
function drive(story: Story, limit: number, facts: (decision: Decision) => Fact[]): ActionId[] {
  const made: ActionId[] = [];
  while (made.length < limit) {
    const decision = decide(story.state, table);
    made.push(decision.action);
    if (decision.action === 'close') break;
    story.begin(decision.action, decision.target, decision.burns.slice(1).map(nameOf)).end(...facts(decision));
  }
  return made;
}
const count = (made: readonly ActionId[], row: ActionId): number => made.filter((id) => id === row).length;

/** A change by this decision, settled at once under the next code number. */
function mended(story: Story, { action, target }: Decision, more: (code: number) => Fact[]): Fact[] {
  const { tree } = story.state.work;
  const code = tree.code + 1;
  const step = story.state.open?.id ?? '';
  const lineage = action === 'service-fix' ? `service ${target}` : target;
  const author = { kind: 'fix' as const, lineage, verification: lineage, also: [] };
  return [{ fact: 'tree.settled', settled: p.settled({ code, author, step }) }, ...more(code)];
}

/** T1 is built, and its verification requires the service. */
function built(requires: string[]): Story {
  const verification = p.verification({ requires });
  const story = p.planned();
  story.act('inputs', { fact: 'services.read', services: [api] });
  story.act(
    'write-verifications',
    { fact: 'verification.written', verification },
    { fact: 'verification.written', verification: p.criterion() },
  );
  p.built(story);
  const { step } = story.state.work.tree.change ?? p.change();
  return story.act('settle', { fact: 'tree.settled', settled: p.settled({ step }) });
}

const red = (story: Story, code: number, signature: string): Fact => ({
  fact: 'verification.ran',
  run: p.run({
    n: (story.state.ledger.runs['value/total']?.length ?? 0) + 1,
    code,
    verdict: 'red',
    signature,
    summary: `red\n${signature}`,
    excerpt: signature,
  }),
});

describe('documented oscillations and churn', () => {
  let failures = 0;

  it('FIX/SERVICE_FIX oscillation: 13 rounds, masked by "progress"; here each has its own tank, and a restart is no milestone', () => {
    const story = built(['api']);
    let up = false;
    const milestones = story.state.ledger.milestones.length;
    const made = drive(story, 200, (decision) => {
      // Mending the service breaks the verification, and mending the verification kills the service.
      if (decision.action === 'service-fix')
        return mended(story, decision, () => [((up = true), probed(true, story.state.work.tree.code + 1))]);
      if (decision.action === 'fix') return mended(story, decision, () => [((up = false), probed(false, story.state.work.tree.code + 1))]);
      if (decision.action !== 'run-verifications') return [];
      const { code } = story.state.work.tree;
      return up ? [probed(true, code), red(story, code, `s${code}`)] : [probed(false, code)];
    });
    assert.equal(made.at(-1), 'close');
    assert.equal(count(made, 'service-fix'), 2);
    assert.ok(count(made, 'fix') <= 5, String(count(made, 'fix')));
    assert.equal(story.state.ledger.milestones.length, milestones, 'nothing of it was progress');
    assert.ok(made.length < 40, String(made.length));
  });

  it('research flag reset loop: another failure of the same lineage brings no other research', () => {
    const story = built([]);
    const made = drive(story, 200, (decision) => {
      if (decision.action === 'research')
        return [
          {
            fact: 'research.reported',
            brief: { lineages: ['value/total'], topic: 'new', findings: 'try this', sources: [], by: 'research' },
          },
        ];
      if (decision.action === 'fix') return mended(story, decision, () => []);
      return decision.action === 'run-verifications' ? [red(story, story.state.work.tree.code, `another ${failures++}`)] : [];
    });
    assert.equal(made.at(-1), 'close');
    assert.equal(count(made, 'research'), 1);
    assert.equal(count(made, 'fix'), 5 + 2, 'what the lineage has, and what its one brief opened');
  });
  it('course-correction churn: assessments that ask for it again and again get five, and none in a row for nothing', () => {
    const story = built([]);
    const vrc = (code: number): Fact => ({
      fact: 'vrc.reported',
      vrc: p.vrc({ code, scope: 'full', recommendation: 'COURSE_CORRECT', summary: 'Off.' }),
    });
    const corrected: Fact = { fact: 'course.corrected', correction: { kind: 'restructure', diagnosis: 'x', guidance: '' } };
    story.act('vrc', vrc(1));
    const made = drive(story, 300, ({ action }) => {
      // Every correction is followed by an assessment that asks for the next.
      if (action === 'course-correct') return [corrected, vrc(1)];
      return action === 'run-verifications' ? [red(story, 1, 'same')] : [];
    });
    assert.equal(made.at(-1), 'close');
    assert.equal(count(made, 'course-correct'), 5);
    assert.ok(made.length < 40, String(made.length));
  });

  it('exit gate 6×: the cheapest look comes first, each part is tried three times, and then it is over', () => {
    const story = p.proven();
    const { code } = story.state.work.tree;
    const silent: Fact = { fact: 'evaluation.reported', evaluation: p.evaluation({ code, fallback: true }) };
    const clean: Fact = { fact: 'clean.ran', clean: { code, why: '' } };
    const ran: Fact = { fact: 'verification.ran', run: p.run({ n: 4, where: 'clean', code }) };
    const targets: string[] = [];
    const made = drive(story, 100, ({ action, target }) => {
      if (action === 'final') targets.push(target);
      return action !== 'final' ? [] : target === 'clean-run' ? [ran, clean] : [silent];
    });
    assert.deepEqual(targets, ['clean-run', 'evaluation', 'evaluation', 'evaluation']);
    assert.equal(made.at(-1), 'close');
  });

  it('preloop 150–200k tokens: three sessions qualify a sprint', () => {
    const story = new Story();
    const gates: Partial<Record<ActionId, Fact>> = {
      inputs: p.gate('inputs'),
      discovery: p.gate('discovery'),
      'review-documents': p.judged(),
      plan: p.gate('plan'),
      'review-plan': p.approved,
      prepare: p.gate('prepare'),
    };
    const made = drive(story, 7, ({ action }) => (gates[action] ? [gates[action]] : []));
    const asking = made.slice(0, made.indexOf('prepare')).filter((id) => table.find((row) => row.id === id)?.asksModel);
    assert.deepEqual(asking, ['discovery', 'review-documents', 'plan', 'review-plan']);
  });
});
