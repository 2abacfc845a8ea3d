/** What a failed install explains: a red is no result, the person is asked once, and work that cannot be installed is not kept. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { actions } from '../../src/engine/actions/table.ts';
import { fold } from '../../src/engine/core/fold.ts';
import { ending } from '../../src/engine/judge/ending.ts';
import { failedInstallsText } from '../../src/engine/judge/install-fault.ts';
import { isSaidOfTask } from '../../src/engine/person/tasks.ts';
import { updateHumanActions } from '../../src/engine/person/human-actions.ts';
import { say } from '../../src/engine/person/say.ts';
import { renderReport } from '../../src/engine/render/report.ts';
import { tank } from '../../src/engine/state/fuel.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import type { Installed } from '../../src/engine/work/install.ts';
import type { Finished, Job } from '../../src/engine/work/job.ts';
import type { AskReply } from '../../src/engine/ground/messages.ts';
import { calls, says, world, type World } from '../support/fakes.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';
import { refOf, type Story } from './support/events.ts';

const manifest = { 'package.json': '{"dependencies":{"express":"5"}}' };
const isInstall = ({ packages }: Job): boolean => packages === 'use';

/** As pip tells it: the fault, its own words around it, and a word about itself. */
const noisy =
  '      WARNING: Retrying\n      ERROR: no flit_core<4\n      [end of output]\nerror: subprocess-exited-with-error\n\nnote: it is not a problem with pip\n\n[notice] A new release of pip is available\n[notice] To update, run: pip install --upgrade pip\n';

/** A sprint on a repository with a manifest, and how its commands end. */
async function opened(story: Story, ends: (job: Job) => Partial<Finished>, answers: AskReply[] = []): Promise<World> {
  const w = world({ files: manifest, answers });
  w.runner.decide = (_files, job) => ends(job);
  return staged(w, story);
}

/** Runs one action to its end, and records its facts. */
async function act(
  w: World,
  action: 'prepare' | 'run-verifications' | 'settle' | 'write-verifications',
  burns: string[],
  target = '',
): Promise<Fact[]> {
  const { kernel, context } = play(w);
  const [kind = '', ...key] = burns[0]?.split('/') ?? [];
  const tanks = [{ kind: 'sprint' as const, key: '' }, ...(kind ? [{ kind: kind as 'run', key: key.join('/') }] : [])];
  const id = `s${100 + w.journal.events.length}`;
  const decision = { action, target, why: '', burns: tanks, behind: [] };
  await kernel.append({ type: 'step.begun', step: { id, kind: 'action', decision }, burns: tanks });
  const facts = await actions[action].run(target, context);
  await kernel.append({ type: 'step.ended', id, outcome: 'done', facts });
  return facts;
}

const dueTank = (w: World): string[] =>
  actions['run-verifications'].due(fold(w.journal.events)).flatMap(({ burns }) => burns.map(({ kind, key }) => `${kind}/${key}`));
const verdicts = (facts: readonly Fact[]) => facts.flatMap((fact) => (fact.fact === 'verification.ran' ? [fact.run.verdict] : []));
const decided = { action: 'execute' as const, target: 'T1', why: '', burns: [{ kind: 'sprint' as const, key: '' }], behind: [] };
const unrun = () => p.planned().act('write-verifications', { fact: 'verification.written', verification: p.verification() });

describe('a red while an install failed', () => {
  it('has no result, and is run again only when the install was made', async () => {
    let works = false;
    const w = await opened(unrun(), (job) => (works ? {} : isInstall(job) ? { exit: 1, output: 'no route to the registry' } : { exit: 1 }));
    const facts = await act(w, 'run-verifications', dueTank(w));
    assert.deepEqual(verdicts(facts), ['none']);
    const [asked] = facts.flatMap((fact) => (fact.fact === 'human-action.asked' ? [fact.humanAction] : []));
    assert.match(
      `${asked?.action} ${asked?.instructions}`,
      /^See that npm can be installed `npm install` failed.*no route to the registry/,
    );
    assert.deepEqual(dueTank(w), []);
    assert.deepEqual(actions.fix.due(fold(w.journal.events)), []);
    works = true;
    const { kernel } = play(w);
    await kernel.append({
      type: 'person.said',
      facts: [{ fact: 'human-action.verified', id: asked?.id ?? '', fulfilled: true, missing: '' }],
    });
    assert.match(actions.prepare.due(fold(w.journal.events))[0]?.why ?? '', /the install may have lacked what has come/);
    assert.deepEqual(verdicts(await act(w, 'run-verifications', dueTank(w))), ['green']);
  });

  it('is asked about again where the person said too early that it is done, and no longer once nothing would try it', async () => {
    const w = await opened(unrun(), () => ({ exit: 1 }));
    const askedIn = (facts: readonly Fact[]) =>
      facts.flatMap((fact) => (fact.fact === 'human-action.asked' ? [[fact.humanAction.status, fact.humanAction.missing]] : []));
    assert.deepEqual(askedIn(await act(w, 'run-verifications', dueTank(w))), [['open', '']]);
    const again = [['open', 'it was made again and failed']];
    for (const round of [again, again, []]) {
      const [id = ''] = Object.keys(fold(w.journal.events).ledger.humanActions);
      await play(w).kernel.append({ type: 'person.said', facts: [{ fact: 'human-action.verified', id, fulfilled: true, missing: '' }] });
      await act(w, 'prepare', ['gate/prepare']);
      assert.deepEqual(askedIn(await act(w, 'run-verifications', dueTank(w))), round);
    }
    assert.match(
      ending(fold(w.journal.events)).reasons.join('\n'),
      /\nThe install npm failed, and without it these have no result: value\/total\.\n/,
    );
  });

  it('lets a task rest that says it is done and changed nothing, since nobody can tell; others go on', async () => {
    let works = false;
    const w = await opened(unrun(), (job) => (works ? {} : isInstall(job) ? { exit: 1, output: 'no route to the registry' } : { exit: 1 }));
    const due = (): string[] => actions.execute.due(fold(w.journal.events)).map(({ target }) => target);
    const [asked] = (await act(w, 'run-verifications', dueTank(w))).flatMap((fact) =>
      fact.fact === 'human-action.asked' ? [fact.humanAction] : [],
    );
    assert.deepEqual(due(), ['T1'], 'it is built without the install');
    const { kernel } = play(w);
    const report = { verified: 'By hand.', notes: '' };
    const returned: Fact[] = [
      { fact: 'task.reported', id: 'T1', report },
      { fact: 'task.returned', id: 'T1', why: 'nothing changed' },
    ];
    await kernel.append({ type: 'step.begun', step: { id: 's90', kind: 'action', decision: decided }, burns: decided.burns });
    await kernel.append({ type: 'step.ended', id: 's90', outcome: 'done', facts: returned });
    assert.deepEqual(due(), []);
    works = true;
    await kernel.append({
      type: 'person.said',
      facts: [{ fact: 'human-action.verified', id: asked?.id ?? '', fulfilled: true, missing: '' }],
    });
    await act(w, 'prepare', []);
    await act(w, 'run-verifications', dueTank(w));
    assert.deepEqual(due(), ['T1']);
  });

  it('lets a task rest that the person wants tried again: no decision is made for it meanwhile', async () => {
    const w = await opened(unrun(), (job) => (isInstall(job) ? { exit: 1, output: 'no route to the registry' } : { exit: 1 }));
    await act(w, 'run-verifications', dueTank(w));
    const { kernel } = play(w);
    const attempt = [tank('sprint'), tank('execute', 'T1')];
    for (let n = 0; n < (kernel.state.ledger.sizes.execute ?? 0); n += 1) {
      const step = { id: `s${90 + n}`, kind: 'action' as const, decision: { ...decided, burns: attempt } };
      const report = { verified: 'By hand.', notes: '' };
      await kernel.append({ type: 'step.begun', step, burns: attempt });
      await kernel.append({
        type: 'step.ended',
        id: step.id,
        outcome: 'done',
        facts: [
          { fact: 'task.reported', id: 'T1', report },
          { fact: 'task.returned', id: 'T1', why: 'nothing changed' },
        ],
      });
    }
    await say(kernel, { kind: 'retry', task: 'T1', hint: 'Mind the rounding.' });
    assert.equal(kernel.state.ledger.retries['T1'], 1);
    assert.deepEqual([actions.execute.due(kernel.state), isSaidOfTask(kernel.state)], [[], false]);
  });

  it('on a tree whose settling forgot the install runs again with it, by the decision that was made for it', async () => {
    const story = p.built(unrun());
    const { step } = story.state.work.tree.change ?? p.change();
    const none: Fact = { fact: 'verification.ran', run: p.run({ code: 1, verdict: 'none', world: story.state.ledger.world }) };
    story.act('settle', { fact: 'tree.settled', settled: p.settled({ step }) }, none);
    const w = await opened(story, () => ({}));
    assert.deepEqual(verdicts(await act(w, 'run-verifications', dueTank(w))), ['green']);
  });

  it('asks the person to log in where a registry wants that, and the report lists every install', async () => {
    const traffic = { refused: [], reached: ['npm.corp.example'], withheld: ['npm.corp.example'], allowed: ['npm.corp.example'] };
    const output = 'npm error code E401\nnpm error 401 Unauthorized - GET https://npm.corp.example/express';
    const w = await opened(unrun(), (job) => (isInstall(job) ? { exit: 1, output, traffic, duration: 1500 } : { exit: 1 }));
    const facts = await act(w, 'run-verifications', dueTank(w));
    const [asked] = facts.flatMap((fact) => (fact.fact === 'human-action.asked' ? [fact.humanAction] : []));
    assert.equal(asked?.action, 'Log in to npm.corp.example for npm');
    assert.match(
      asked?.instructions ?? '',
      /Log in at https:\/\/npm\.corp\.example\/ and make a token .*\/\/npm\.corp\.example\/:_authToken=\$\{NAME\}/,
    );
    const report = renderReport(fold(w.journal.events));
    const table = /\n## Installs\n\n(.*?)\n\n/s.exec(report)?.[1]?.split('\n') ?? [];
    assert.equal(table[0], '| folder | manager | when | how it ended |');
    assert.match(
      table[2] ?? '',
      /^\| \. \| npm \| -?\d+ min after the start \| exit status 1, 1\.5 s; wants a login: npm\.corp\.example \|$/,
    );
    assert.equal(table.length, 3);
  });

  it('is red as always where commands have no network, or the person skipped it', async () => {
    const w = await opened(unrun(), () => ({ exit: 1 }));
    const facts = await act(w, 'run-verifications', dueTank(w));
    const id = facts.flatMap((fact) => (fact.fact === 'human-action.asked' ? [fact.humanAction.id] : []))[0] ?? '';
    assert.equal(failedInstallsText(fold(w.journal.events)), '- `npm install`: nothing');
    await play(w).kernel.append({ type: 'person.said', facts: [{ fact: 'human-action.skipped', id }] });
    assert.equal(failedInstallsText(fold(w.journal.events)), '');
    assert.deepEqual(verdicts(await act(w, 'run-verifications', dueTank(w))), ['red']);
  });

  it('has no result either where QC has just written it, and the install failed on a tree that is gone', async () => {
    const content = '# TEST: adds\n# PRD: §1\n# RED: wrong total\n./total.sh || { echo wrong total; exit 1; }\n';
    const answers = [calls(['write_verification', { path: 'value/total.sh', content }]), says('Written.'), says('Written.')];
    const w = await opened(p.planned(), (job) => (isInstall(job) ? { exit: 1 } : { exit: 1, output: 'wrong total' }), answers);
    await act(w, 'write-verifications', ['generate/plan'], 'plan');
    assert.deepEqual(verdicts(w.journal.events.flatMap((event) => ('facts' in event ? event.facts : []))), ['none']);
  });

  it('stays asked of the person while it fails, also where what needs it is no verification yet', async () => {
    const w = await opened(unrun(), (job) => (isInstall(job) ? { exit: 1, output: noisy } : { exit: 1 }));
    const facts = await act(w, 'run-verifications', dueTank(w));
    const [asked] = facts.flatMap((fact) => (fact.fact === 'human-action.asked' ? [fact.humanAction] : []));
    assert.match(asked?.instructions ?? '', /It printed: ERROR: no flit_core<4\. /);
    const retired: Fact = { fact: 'verification.retired', id: 'value/total', why: 'it is wrong' };
    await play(w).kernel.append({ type: 'person.said', facts: [retired] });
    await updateHumanActions(play(w).context);
    assert.equal(fold(w.journal.events).ledger.humanActions[asked?.id ?? '']?.status, 'open');
    const settled = p.settled({ files: [{ path: 'README.md', kind: 'modified' }] });
    await play(w).kernel.append({ type: 'person.said', facts: [{ fact: 'tree.settled', settled }] });
    await updateHumanActions(play(w).context);
    assert.equal(fold(w.journal.events).ledger.humanActions[asked?.id ?? '']?.status, 'open');
  });

  it('is told to every agent with what it printed', async () => {
    const answers = [says('I write.'), says('I write.')];
    const w = await opened(p.planned(), (job) => (isInstall(job) ? { exit: 1, output: noisy } : { exit: 1 }), answers);
    await act(w, 'prepare', []);
    await act(w, 'write-verifications', ['generate/plan'], 'plan');
    const [block] = w.model.asked[0]?.messages[0]?.content ?? [];
    assert.match(
      block?.type === 'text' ? block.text : '',
      /^Installs of the repository that fail here\..*\n\n- `npm install`: ERROR: no flit_core<4\n\n/,
    );
  });

  it('does not touch what is green', async () => {
    const w = await opened(unrun(), (job) => (isInstall(job) ? { exit: 1 } : {}));
    const facts = await act(w, 'run-verifications', dueTank(w));
    assert.deepEqual([verdicts(facts), facts.some((fact) => fact.fact === 'human-action.asked')], [['green'], false]);
  });
});

describe('a change that declares what cannot be installed', () => {
  /** On the tree before it. */
  const installed = (exit: number): Installed => {
    const install = { folder: '', manager: 'npm' as const, flags: [] };
    return { install, declared: refOf('before'), exit, output: refOf('no'), excerpt: 'no', duration: 1 };
  };

  /** T1 changed one file, and is reported. */
  async function changed(path: string, ends: (job: Job) => Partial<Finished>): Promise<World> {
    const w = world({ files: manifest });
    w.runner.decide = (_files, job) => ends(job);
    w.repo.files[path] = path in manifest ? '{"dependencies":{"express":"99"}}' : 'changed';
    const patch = await w.payloads.put((await w.repo.changes()).patch);
    const change = p.change({ files: [{ path, kind: 'modified' }], patch });
    const done: Fact[] = [
      { fact: 'task.reported', id: 'T1', report: p.report },
      { fact: 'tree.changed', change },
    ];
    return staged(
      w,
      p
        .awaiting()
        .begin('execute', 'T1', ['execute/T1'])
        .end(...done),
    );
  }

  it('is taken back, with what the install printed', async () => {
    const w = await changed('package.json', (job) => (isInstall(job) ? { exit: 1, output: 'ETARGET express@99' } : {}));
    const undone = (await act(w, 'settle', ['settle/1'], '1')).flatMap((fact) => (fact.fact === 'tree.undone' ? [fact.why] : []));
    assert.deepEqual(undone, ['with it npm cannot be installed: ETARGET express@99']);
    assert.deepEqual(fold(w.journal.events).ledger.installs, {});
  });

  it('is kept where that install failed before it, too', async () => {
    const w = await changed('package.json', (job) => (isInstall(job) ? { exit: 1, output: 'ETARGET express@99' } : {}));
    await play(w).kernel.append({ type: 'person.said', facts: [{ fact: 'install.ran', installed: installed(1) }] });
    const facts = await act(w, 'settle', ['settle/1'], '1');
    assert.ok(facts.some((fact) => fact.fact === 'tree.settled'));
  });

  it('is taken back also after one that was taken back for that', async () => {
    const w = await changed('package.json', (job) => (isInstall(job) ? { exit: 1, output: `ETARGET express@${tries}` } : {}));
    let tries = 1;
    await play(w).kernel.append({ type: 'person.said', facts: [{ fact: 'install.ran', installed: installed(0) }] });
    const first = await act(w, 'settle', ['settle/1'], '1');
    tries += 1;
    w.repo.files['package.json'] = '{"dependencies":{"express":"98"}}';
    const patch = await w.payloads.put((await w.repo.changes()).patch);
    const change = p.change({ n: 2, files: [{ path: 'package.json', kind: 'modified' }], patch });
    const done: Fact[] = [
      { fact: 'task.reported', id: 'T1', report: p.report },
      { fact: 'tree.changed', change },
    ];
    await play(w).kernel.append({ type: 'person.said', facts: done });
    const second = await act(w, 'settle', ['settle/2'], '2');
    const undone = [...first, ...second].flatMap((fact) => (fact.fact === 'tree.undone' ? [fact.why] : []));
    assert.deepEqual(
      undone,
      [1, 2].map((n) => `with it npm cannot be installed: ETARGET express@${n}`),
    );
  });

  it('is kept where the install was refused a host, and the person is told how to allow it', async () => {
    const traffic = { refused: ['git.example'], reached: [], withheld: [], allowed: [] };
    const w = await changed('package.json', (job) => (isInstall(job) ? { exit: 1, output: 'no', traffic } : { exit: 1 }));
    const facts = await act(w, 'settle', ['settle/1'], '1');
    const asked = facts.flatMap((fact) => (fact.fact === 'human-action.asked' ? [fact.humanAction.instructions] : []));
    assert.ok(facts.some((fact) => fact.fact === 'tree.settled'));
    assert.match(asked.join(), /may not reach git\.example; `loop\.allowedHosts`/);
  });

  it('is kept where it did not touch what is installed', async () => {
    const w = await changed('src/total.js', (job) => (isInstall(job) ? { exit: 1 } : {}));
    const facts = await act(w, 'settle', ['settle/1'], '1');
    assert.ok(facts.some((fact) => fact.fact === 'tree.settled'));
  });
});
