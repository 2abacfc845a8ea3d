/** Research when fixes are used up: once for a lineage, two more fixes for what it finds, one question where it finds nothing (I4). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fix } from '../../src/engine/actions/fix.ts';
import { research } from '../../src/engine/actions/research.ts';
import { wait } from '../../src/engine/actions/wait.ts';
import { canBurn } from '../../src/engine/state/fuel.ts';
import { promptText } from '../../src/engine/ground/prompts.ts';
import { renderHistory } from '../../src/engine/render/history.ts';
import { isExhausted } from '../../src/engine/judge/status.ts';
import type { Verification } from '../../src/engine/work/verification.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { calls, world } from '../support/fakes.ts';
import { FakePerson } from '../support/person.ts';
import { nameOf, type Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';
import { tank } from '../../src/engine/state/fuel.ts';

const named = (id: string): Verification => p.verification({ id, lineage: `line of ${id}`, title: `${id} works` });

/** Checks that are red for one missing module, their fixes used up. */
function stuck(...ids: string[]): Story {
  const story = p.built(
    p.planned().act('write-verifications', ...ids.map((id): Fact => ({ fact: 'verification.written', verification: named(id) }))),
  );
  const { step } = story.state.work.tree.change ?? p.change();
  const text = { signature: 's', summary: 'test failure\nno module', excerpt: "Cannot find module 'one'" };
  const runs = ids.map((id): Fact => ({
    fact: 'verification.ran',
    run: p.run({ verification: id, lineage: named(id).lineage, n: 1, code: 1, verdict: 'red', ...text }),
  }));
  story.act('settle', { fact: 'tree.settled', settled: p.settled({ step }) }, ...runs);
  for (const id of ids) story.state.ledger.burned.lineage[`line of ${id}`] = 5;
  return story;
}

const lineages = (...ids: string[]): string[] => ids.map((id) => `line of ${id}`);
const found = (...ids: string[]): Fact => ({
  fact: 'research.reported',
  brief: {
    lineages: lineages(...ids),
    topic: 'Version 2',
    findings: 'one is two now',
    sources: ['https://example.org/two'],
    by: 'research',
  },
});
const fuelled = (story: Story, row: typeof fix): string[] =>
  row
    .due(story.state)
    .filter(({ burns }) => canBurn(story.state.ledger, burns))
    .map(({ target }) => target);

describe('research', () => {
  it('is due once for what fails for one cause, when no fix is left', () => {
    const story = stuck('a', 'b');
    assert.deepEqual(research.due(story.state), [
      { target: 'a', burns: [tank('research', 'line of a'), tank('research', 'line of b')], why: 'no fix is left for a, b' },
    ]);
    story.begin('research', 'a', ['research/line of a', 'research/line of b']).end(found('a', 'b'));
    for (const id of ['a', 'b']) story.state.ledger.burned.reserve[`line of ${id}`] = 2;
    assert.deepEqual(research.due(story.state), []);
  });

  it('is not due while a fix is left', () => {
    const story = stuck('a');
    story.state.ledger.burned.lineage['line of a'] = 4;
    assert.deepEqual(research.due(story.state), []);
  });

  it('opens two more fixes for what it was made for, and not one more whatever comes after', () => {
    const story = stuck('a', 'b');
    story.begin('research', 'a', ['research/line of a']).end(found('a'));
    assert.deepEqual(fuelled(story, fix), ['a']);
    for (const made of [1, 2]) {
      const [due] = fix.due(story.state);
      assert.deepEqual(due?.burns, [tank('reserve', 'line of a')], `fix ${made}`);
      story.begin('fix', 'a', due?.burns.map(nameOf)).end();
    }
    story.act('vrc', found('a'));
    assert.deepEqual(fuelled(story, fix), []);
    assert.ok(isExhausted(story.state, named('a')) && isExhausted(story.state, named('b')));
  });

  it('gives its brief to the fixer and into the history', async () => {
    const story = stuck('a');
    story.begin('research', 'a', ['research/line of a']).end(found('a'));
    assert.match(renderHistory(story.state, named('a')), /one is two now\n\nSource: https:\/\/example\.org\/two/);
    const [due] = fix.due(story.state);
    const w = await staged(world(), story.begin('fix', 'a', due?.burns.map(nameOf)));
    w.model.answers.push(calls(['report_fix', { fix_applied: 'x', files_changed: [], reasoning: 'y' }]));
    await fix.run('a', play(w).context);
    const [block] = w.model.asked[0]?.messages[0]?.content ?? [];
    assert.ok(block?.type === 'text' && block.text.includes('one is two now'));
  });
});

describe('research that finds nothing', () => {
  const answer = { found: false, topic: 'nothing', findings: 'I looked in its changelog.', sources: [] };

  interface Given {
    web?: boolean | undefined;
    usd?: number;
    /** Of each lineage, burned before. */
    fixes?: number;
  }

  async function researched(person: FakePerson, { web, usd = 100, fixes = 5 }: Given = {}) {
    const story = stuck('a', 'b').begin('research', 'a', ['research/line of a', 'research/line of b']);
    const w = await staged(world(), story);
    Object.assign(w.ports, { person });
    Object.assign(w.model, web === undefined ? {} : { web: () => web });
    w.model.answers.push(calls(['report_research', answer]));
    const { context } = play(w);
    context.state.ledger.budget.usd = usd;
    for (const id of ['a', 'b']) context.state.ledger.burned.lineage[`line of ${id}`] = fixes;
    return { w, person, context, facts: await research.run('a', context) };
  }

  it('asks the person once for what they know, and takes it as a brief', async () => {
    const { context, facts, person } = await researched(new FakePerson(true, () => ({ said: 'ask for version 1' })));
    const [opened] = facts;
    assert.ok(opened?.fact === 'human-action.asked');
    assert.equal(opened.humanAction.action, 'Say what you know about a, b: no fix is left, and research found nothing');
    assert.deepEqual(
      [opened.humanAction.kind === 'hint' && opened.humanAction.lineages, opened.humanAction.task],
      [lineages('a', 'b'), ''],
    );
    context.state.ledger.humanActions[opened.humanAction.id] = { ...opened.humanAction };
    assert.deepEqual(await wait.run(opened.humanAction.id, context), []);
    assert.deepEqual(person.asked, [opened.humanAction.id]);
    assert.equal(context.state.ledger.humanActions[opened.humanAction.id]?.status, 'fulfilled');
    assert.deepEqual(context.state.ledger.briefs, [
      {
        lineages: lineages('a', 'b'),
        topic: 'What the person says',
        findings: 'ask for version 1',
        sources: [],
        by: 'person',
        after: Object.fromEntries(lineages('a', 'b').map((lineage) => [lineage, { attempts: 1, fixes: 0 }])),
      },
    ]);
  });

  it('does not say that no fix is left where the strategy was to look early', async () => {
    const [opened] = (await researched(new FakePerson(true), { fixes: 2 })).facts;
    assert.ok(opened?.fact === 'human-action.asked');
    assert.equal(opened.humanAction.action, 'Say what you know about a, b: two fixes failed, and research found nothing');
  });

  it('asks nobody where nobody is', async () => {
    assert.deepEqual((await researched(new FakePerson(false))).facts, []);
  });

  it('says whether it can search, and asks the provider for it only where it can', async () => {
    for (const [web, words] of [
      [true, 'You can search'],
      [undefined, 'There are no web tools here'],
    ] as const) {
      const { w } = await researched(new FakePerson(false), { web });
      const [request] = w.model.asked;
      const [block] = request?.messages[0]?.content ?? [];
      assert.ok(block?.type === 'text' && block.text.includes(words), words);
      assert.ok(block.text.includes(promptText(web ? 'web' : 'web-none')));
      assert.equal(request?.web, web);
    }
  });

  it('ends for itself alone where the budget holds no lookup on the web, and the sprint goes on', async () => {
    const { w, facts } = await researched(new FakePerson(true), { web: true, usd: 0.5 });
    assert.deepEqual(w.model.asked, []);
    const [empty, asked] = facts;
    assert.ok(empty?.fact === 'research.empty' && asked?.fact === 'human-action.asked' && facts.length === 2);
    assert.deepEqual(empty.lineages, lineages('a', 'b'));
    assert.match(empty.why, /the budget that is left does not cover a lookup on the web\. The next call could bring the sprint to \$/);
  });

  it('stops the sprint for money where not even a question without the web fits', async () => {
    const { facts } = await researched(new FakePerson(true), { web: true, usd: 0.01 });
    assert.deepEqual(
      facts.map(({ fact }) => fact),
      ['research.empty', 'budget.reached'],
    );
  });
});
