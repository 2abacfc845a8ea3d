/** What a person reads in German where a view takes words of the engine, or puts them together. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'mocha';
import { skipDetail, sureDetail } from '../../../src/views/model/answer-choices.ts';
import { historyView } from '../../../src/views/model/history-view.ts';
import { sessionsIn } from '../../../src/views/model/sessions.ts';
import { sprintNodes } from '../../../src/views/model/sprint-nodes.ts';
import { sprintView } from '../../../src/views/model/sprint-view.ts';
import type { TreeNode } from '../../../src/views/model/tree-node.ts';
import { verificationNodes } from '../../../src/views/model/verification-nodes.ts';
import { aboutWords } from '../../../src/views/model/words-in-documents.ts';
import { useWords } from '../../../src/views/words.ts';
import type { Event } from '../../../src/engine/state/events.ts';
import { begun, built, ended, ref, start, stateOf, verification } from './sample.ts';
import { payloads, told } from './story-sample.ts';
import * as p from '../../engine/support/parts.ts';

describe('in German', () => {
  before(() => useWords(JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Record<string, string>));
  after(() => useWords(undefined));

  const allOf = (nodes: readonly TreeNode[]): TreeNode[] => nodes.flatMap((node) => [node, ...allOf(node.children)]);

  it('the kind of a change is said', () => {
    const files = allOf(sprintNodes(sprintView(stateOf(...built), start), false)).filter(({ id }) => id.startsWith('change/1/'));
    assert.deepEqual(
      files.map(({ description, spoken }) => [description, spoken]),
      [['hinzugefügt', 'src/a.ts, hinzugefügt']],
    );
  });

  it('what a fixer calls wrong is named', async () => {
    const view = await historyView(stateOf(...told), verification.id, (hash) => Promise.resolve(payloads[hash] ?? ''));
    const doubts = view?.story.flatMap((item) => (item.type === 'fix' && item.doubt ? [item.doubt.what] : []));
    assert.deepEqual(doubts, ['Die Prüfung ist falsch']);
  });

  it('a criterion is called so', () => {
    const criterion = { fact: 'verification.written', verification: p.criterion() } as const;
    const nodes = allOf(verificationNodes(sprintView(stateOf(...built, begun('9', 'plan'), ended('9', criterion)), start)));
    assert.match(nodes.find(({ id }) => id === `verification/${p.criterion().id}`)?.description ?? '', / · Kriterium$/);
  });

  it('the session that runs is known by more than its words', () => {
    const asked = {
      type: 'step.begun',
      step: { id: '5/a0', kind: 'ask', request: ref('1'), role: 'builder', purpose: 'T2', turn: 0 },
      burns: [],
    };
    const events = [begun('5', 'execute', 'T2'), asked].map((draft, n) => ({ ...draft, n, owner: 1, at: start }) as Event);
    assert.deepEqual(
      sessionsIn(events).map(({ isUnderWay, outcome }) => [isUnderWay, outcome]),
      [[true, 'läuft']],
    );
  });

  it('a skip says what it costs', () => {
    assert.equal(skipDetail({ kind: 'deed', tasks: 'T1' }), 'Was darauf wartet, wird aufgegeben: T1.');
    assert.equal(sureDetail({ tasks: '' }), 'Es bleibt, wie es ist, und der Bericht sagt es. Das lässt sich nicht zurücknehmen.');
  });

  it('a word is about something with a name', () => {
    assert.deepEqual(['task T1', 'requirement 1.1', 'verification a/b', 'the whole sprint'].map(aboutWords), [
      'Aufgabe T1',
      'Anforderung 1.1',
      'Prüfung a/b',
      'den ganzen Sprint',
    ]);
  });
});
