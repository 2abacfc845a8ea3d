/** The person's edit of a verification counts only when they adopt it, between two decisions, and must be proven again. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { untilChanged } from '../../../src/engine/person/human-actions.ts';
import { actions } from '../../../src/engine/actions/table.ts';
import { answerEdit, setEditAside, setEditsAside, offerEdit, takeEdits } from '../../../src/engine/person/edits.ts';
import { InputError, Interruption } from '../../../src/engine/ground/errors.ts';
import { fold } from '../../../src/engine/core/fold.ts';
import { renderHistoryFile } from '../../../src/engine/render/history.ts';
import { renderReport } from '../../../src/engine/render/report.ts';
import { tank } from '../../../src/engine/state/fuel.ts';
import type { State } from '../../../src/engine/state/state.ts';
import { whyNoDoubt } from '../../../src/engine/diagnose/doubt.ts';
import { adopted, editable, openEdit } from '../../../src/engine/judge/open-edits.ts';
import { statusOf } from '../../../src/engine/judge/status.ts';
import { trustOf } from '../../../src/engine/judge/trust.ts';
import type { Verification } from '../../../src/engine/work/verification.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { world, type World } from '../../support/fakes.ts';
import { refOf, type Story } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { play, staged, type Play } from '../support/play.ts';

const id = 'value/total';
const kept = '.loop/verifications/value/total.edited-1.sh';
const personsText =
  '#!/bin/sh\n# TEST: adds tax too\n# PRD: 1\n# RED: no tax\n# TIMEOUT: 7\nsh total.sh | grep -q tax || { echo no tax; exit 1; }\n';
const text = refOf(personsText);
const adopt = { text, answer: 'adopt' } as const;
const discard = { text, answer: 'discard' } as const;

/** A sprint in which the person edited the file of a verification. */
async function edited(story: Story, script = personsText): Promise<{ w: World } & Play> {
  const w = await staged(world({ files: { 'total.sh': 'a + b' } }), story);
  w.verifications.edited.set(id, script);
  return { w, ...play(w) };
}
const verificationOf = ({ work }: State): Verification => work.verifications[id] ?? p.verification();
const factNames = (w: World, from: number): string[] =>
  w.journal.events.slice(from).flatMap((e) => ('facts' in e ? e.facts.map((f) => f.fact) : []));
/** The state, folded again from the whole journal. */
const refolded = ({ journal }: World): State => fold(journal.events);

describe('an edit of a verification', () => {
  it('replaces the verification when adopted: results and trust are lost; history, lineage and tanks stay', async () => {
    const { w, kernel } = await edited(p.proven());
    const { state } = kernel;
    const before = structuredClone({ runs: state.ledger.runs, burned: state.ledger.burned, sizes: state.ledger.sizes });
    assert.equal(trustOf(state, verificationOf(state)).trusted, true);
    const { edit, script } = await offerEdit(kernel, id, false);
    assert.deepEqual([edit.text, edit.kept, script], [text, kept, p.verification().script]);
    await answerEdit(kernel, id, adopt);
    assert.equal(verificationOf(state).script, p.verification().script, 'it counts only between two decisions');
    await takeEdits(kernel);
    const { lineage, prd } = p.verification();
    const fields = { script: text, title: 'adds tax too', red: 'no tax', timeout: 7, by: 'person', lineage, prd };
    assert.deepEqual(verificationOf(state), { ...p.verification(), ...fields });
    assert.equal(statusOf(state, verificationOf(state)), 'pending');
    assert.deepEqual(trustOf(state, verificationOf(state)), {
      trusted: false,
      why: 'no run of it that counts was red for its stated reason yet',
    });
    assert.deepEqual({ runs: state.ledger.runs, burned: state.ledger.burned, sizes: state.ledger.sizes }, before, 'no tank is refilled');
    assert.deepEqual(
      actions['run-verifications'].due(state).map(({ burns }) => burns),
      [[tank('run', `${id}@1/${text.slice(0, 8)}`)]],
    );
    assert.deepEqual(refolded(w), state);
    await takeEdits(kernel);
    assert.deepEqual(factNames(w, p.proven().events.length), ['verification.edited', 'edit.answered', 'verification.adopted'], 'only once');
  });

  it('waits while an action or a change is open', async () => {
    const story = p.awaiting().begin('execute', 'T1', ['execute/T1']);
    const { kernel } = await edited(story);
    const { state } = kernel;
    await offerEdit(kernel, id, true);
    await answerEdit(kernel, id, adopt);
    await takeEdits(kernel);
    assert.equal(verificationOf(state).script, p.verification().script, 'in the middle of an action');
    const step = state.open?.id ?? '';
    const change = p.change({ step });
    const end = (...facts: Fact[]): Promise<void> =>
      kernel.append({ type: 'step.ended', id: state.open?.id ?? '', outcome: 'done', facts });
    await end({ fact: 'task.reported', id: 'T1', report: p.report }, { fact: 'tree.changed', change });
    await takeEdits(kernel);
    assert.equal(verificationOf(state).script, p.verification().script, 'with an open change');
    const decision = { action: 'settle' as const, target: '', why: 'x', burns: [tank('sprint')], behind: [] };
    await kernel.append({ type: 'step.begun', step: { id: 's99', kind: 'action', decision }, burns: decision.burns });
    await end({ fact: 'tree.undone', change, why: 'it broke something', broke: [] });
    await takeEdits(kernel);
    assert.equal(verificationOf(state).script, text, 'after the change is settled or undone');
  });

  it('never runs after the person discarded it, and is offered only once', async () => {
    const { w, kernel } = await edited(p.awaiting());
    await offerEdit(kernel, id, false);
    await answerEdit(kernel, id, discard);
    await takeEdits(kernel);
    assert.equal(verificationOf(kernel.state).script, p.verification().script);
    assert.equal(openEdit(kernel.state, p.verification()), undefined);
    await assert.rejects(offerEdit(kernel, id, false), InputError);
    w.verifications.edited.set(id, personsText);
    assert.ok(await setEditAside(kernel, p.verification(), false), 'the same text counts as a new edit');
  });

  it('is adopted only by an answer that names exactly the shown text', async () => {
    const { w, kernel } = await edited(p.awaiting(), 'exit 0\n');
    await setEditAside(kernel, p.verification(), true);
    await takeEdits(kernel);
    assert.equal(verificationOf(kernel.state).script, p.verification().script);
    assert.equal(openEdit(kernel.state, p.verification())?.atWork, true);
    w.verifications.edited.set(id, personsText);
    await assert.rejects(answerEdit(kernel, id, adopt), InputError, 'the text on disk was not shown');
    await setEditAside(kernel, p.verification(), true);
    await assert.rejects(answerEdit(kernel, id, { text: refOf('exit 0\n'), answer: 'adopt' }), InputError, 'a newer edit came since');
    await answerEdit(kernel, id, adopt);
  });

  const wrong: { what: string; script: string; why: RegExp }[] = [
    {
      what: 'when it has no header',
      script: 'exit 0\n',
      why: /^\.loop\/verifications\/value\/total\.edited-1\.sh:1: the header lacks TEST, PRD, RED\.$/,
    },
    {
      what: 'when it has an invalid field',
      script: personsText.replace('TIMEOUT: 7', 'TIMEOUT: soon'),
      why: /edited-1\.sh:5: TIMEOUT is "soon"; give seconds, 1 to 3600\.$/,
    },
    {
      what: 'when it names an unknown requirement',
      script: personsText.replace('PRD: 1', 'PRD: 9.9'),
      why: /edited-1\.sh:3: there is no requirement 9\.9; there are 1, V1\.$/,
    },
    {
      what: 'when it comes after an unknown requirement',
      script: personsText.replace('TIMEOUT: 7', 'AFTER: 9.9'),
      why: /edited-1\.sh:5: there is no requirement 9\.9; there are 1, V1\.$/,
    },
    {
      what: 'when it names another requirement',
      script: personsText.replace('PRD: 1', 'PRD: V1'),
      why: /edited-1\.sh:3: PRD names V1, and this verification proves 1\.$/,
    },
    {
      what: 'when it requires an unknown service',
      script: personsText.replace('TIMEOUT: 7', 'REQUIRES: service:api'),
      why: /edited-1\.sh:5: REQUIRES names "service:api", which is no service/,
    },
  ];
  for (const { what, script, why } of wrong)
    it(`is refused ${what}, with file and line, and its text is kept`, async () => {
      const { w, kernel } = await edited(p.awaiting(), script);
      await offerEdit(kernel, id, false);
      const lines = w.journal.events.length;
      const refused = await answerEdit(kernel, id, { text: refOf(script), answer: 'adopt' }).catch((error: unknown) => error);
      assert.ok(refused instanceof InputError);
      assert.match(refused.message, why);
      assert.equal(w.journal.events.length, lines, 'nothing is recorded');
      assert.equal(openEdit(kernel.state, p.verification())?.kept, kept);
      assert.equal(await w.payloads.get(refOf(script)), script);
    });

  it('no longer comes after what it does not name', () => {
    const written: Fact = { fact: 'verification.written', verification: p.verification({ after: ['1'] }) };
    const { state } = p.awaiting().act('write-verifications', written);
    const afterIn = (script: string): unknown => {
      const taken = adopted(state, { id, kept, text }, script);
      assert.ok(!('problem' in taken));
      return taken.after;
    };
    assert.equal(afterIn(personsText), undefined);
    assert.deepEqual(afterIn(personsText.replace('TIMEOUT: 7', 'AFTER: 1')), ['1']);
  });

  it('is refused for an unknown verification and for one that is no script', async () => {
    const { kernel } = await edited(p.awaiting());
    const unknown = await offerEdit(kernel, 'value/renamed', false).catch((error: unknown) => error);
    assert.ok(unknown instanceof InputError && /There are: value\/total\. A verification keeps its name/.test(unknown.next));
    const inherited = editable(kernel.state.work, 'constructor');
    assert.ok('problem' in inherited && inherited.problem.startsWith('There is no verification'));
    const suite: Fact = { fact: 'verification.written', verification: p.suite({ id, lineage: id }) };
    const { state } = p.planned().act('characterise', suite);
    const result = adopted(state, { id, kept, text }, personsText);
    assert.ok('problem' in result && result.problem.includes("the repository's own tests") && result.next.includes(kept));
  });

  it('does not exist when the file holds an older text, and the message says how to adopt that text', async () => {
    const { w, kernel } = await edited(p.awaiting());
    w.verifications.edited.clear();
    const words = async (): Promise<string> => {
      const refused = await offerEdit(kernel, id, false).catch((error: unknown) => error);
      return refused instanceof InputError ? `${refused.message} ${refused.next}` : 'an edit';
    };
    const file = '.loop/verifications/value/total.sh';
    const unchanged = `The file of verification ${id} is as it should be. Edit and save ${file}, then adopt it.`;
    assert.equal(await words(), unchanged);
    w.verifications.older.add(id);
    assert.match(await words(), /holds an older text of its own, .* change a character of it \(a comment, say\), save it as \.loop/);
  });

  const others: { what: string; story: () => Story; name: string; words: RegExp; next: RegExp }[] = [
    {
      what: 'a criterion',
      story: p.awaiting,
      name: 'value/tone',
      words: /^value\/tone is no script: it is a criterion/,
      next: /^Say in VISION\.md or PRD\.md what you want: the next sprint/,
    },
    {
      what: 'the repository’s own suite',
      story: () => p.awaiting().act('characterise', { fact: 'verification.written', verification: p.suite({ id, lineage: id }) }),
      name: id,
      words: /runs the repository's own tests \(test\/\*\*\)\.$/,
      next: /^Change these and commit them: the next sprint/,
    },
    {
      what: 'a retired verification',
      story: () => p.awaiting().act('write-verifications', { fact: 'verification.retired', id, why: 'x' }),
      name: id,
      words: /^value\/total is no verification of this sprint any more\.$/,
      next: /What you may edit: none\.$/,
    },
  ];
  for (const { what, story, name, words, next } of others)
    it(`of ${what} is refused before it is shown, and waits for no answer`, async () => {
      const { w, kernel } = await edited(story());
      const refused = await offerEdit(kernel, name, false).catch((error: unknown) => error);
      assert.ok(refused instanceof InputError);
      assert.match(refused.message, words);
      assert.match(refused.next, next);
      await setEditAside(kernel, verificationOf(kernel.state), false);
      assert.equal(w.verifications.edited.size, 0, 'its text is still kept and taken out');
      if (name !== id) return;
      assert.equal(openEdit(kernel.state, p.verification()), undefined);
      assert.doesNotMatch(renderReport(kernel.state), /waits for your word/);
    });

  it('is refused with a reason when its verification was retired meanwhile', async () => {
    const { kernel } = await edited(p.awaiting().begin('write-verifications', id, [`rewrite/${id}`]));
    await offerEdit(kernel, id, true);
    await answerEdit(kernel, id, adopt);
    const { state } = kernel;
    await kernel.append({
      type: 'step.ended',
      id: state.open?.id ?? '',
      outcome: 'done',
      facts: [{ fact: 'verification.retired', id, why: 'replaced by value/sum' }],
    });
    await takeEdits(kernel);
    await takeEdits(kernel);
    const [edit] = state.ledger.edits[id] ?? [];
    assert.deepEqual([edit?.answer, edit?.why], ['refused', `${id} is no verification of this sprint any more.`]);
    assert.match(
      renderHistoryFile(state, p.verification()),
      /could not become the verification: value\/total is no verification of this sprint any more\./,
    );
  });

  it('belongs to the person after it is adopted: no fixer doubts it, and history and report name the author', async () => {
    const { kernel } = await edited(p.green());
    await offerEdit(kernel, id, false);
    assert.match(renderReport(kernel.state), /\[value\/total\].* An edit of it waits for your word, and did not run: \.loop/);
    await answerEdit(kernel, id, adopt);
    await takeEdits(kernel);
    const { state } = kernel;
    assert.equal(whyNoDoubt(state, verificationOf(state)), `The person wrote ${id}, and only they change it.`);
    assert.match(
      renderHistoryFile(state, verificationOf(state)),
      /Written by the person, adopted from their edit\.[^]*The person adopted it: it is the verification since/,
    );
    assert.match(renderReport(state), /\[value\/total\].*Written by the person, adopted from their edit\./);
  });

  it('is detected at the start of a run for every verification with a file, and ends a wait when adopted', async () => {
    const { context, kernel, abort } = await edited(
      p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction({ shown: true }) }),
    );
    await setEditsAside(kernel, false);
    assert.deepEqual(kernel.state.ledger.edits, { [id]: [{ id, kept, text, atWork: false, after: 1 }] });
    await answerEdit(kernel, id, adopt);
    assert.deepEqual(await untilChanged(context, 'H1', abort.signal), []);
  });

  for (const line of [1, 2, 3])
    it(`survives a crash before journal line ${line} of three`, async () => {
      const story = p.green();
      const { w, kernel } = await edited(story);
      w.journal.crashAt = story.events.length + line;
      const editAndAdopt = async (): Promise<void> => {
        const desk = play(w).kernel;
        if (verificationOf(desk.state).script === text) return;
        if (!(desk.state.ledger.edits[id] ?? []).some((e) => e.answer)) {
          await offerEdit(desk, id, false);
          await answerEdit(desk, id, adopt);
        }
        await takeEdits(desk);
      };
      await assert.rejects(editAndAdopt(), Interruption);
      if (line === 1) assert.equal(w.verifications.edited.get(id), personsText, 'no edit is taken out before it is recorded');
      assert.equal(verificationOf(refolded(w)).script, p.verification().script);
      w.journal.crashAt = Infinity;
      await editAndAdopt();
      assert.deepEqual(factNames(w, story.events.length), ['verification.edited', 'edit.answered', 'verification.adopted']);
      assert.equal(verificationOf(refolded(w)).script, text);
      assert.equal(w.verifications.edited.size, 0);
      assert.ok(kernel);
    });
});
