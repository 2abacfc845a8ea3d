/** What a dead service does to verifications, rows and endings: pure, and with a runner that looks at the files (I3, I5, I8). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { installCommand } from '../../src/engine/parse/install-command.ts';
import { prove } from '../../src/engine/actions/prove.ts';
import { runVerificationsAction } from '../../src/engine/actions/run-verifications.ts';
import { serviceFix } from '../../src/engine/actions/service-fix.ts';
import { settle } from '../../src/engine/actions/settle.ts';
import { ending } from '../../src/engine/judge/ending.ts';
import type { DeadService, Finished } from '../../src/engine/work/job.ts';
import { renderChecklist } from '../../src/engine/render/checklist.ts';
import { renderIssues } from '../../src/engine/render/issues.ts';
import { runWritten } from '../../src/engine/tools/first-run.ts';
import { probeServices } from '../../src/engine/run/probe-services.ts';
import { reportFix } from '../../src/engine/tools/report-fix.ts';
import { runVerifications } from '../../src/engine/run/batch.ts';
import { changesThatFailed } from '../../src/engine/diagnose/same-change.ts';
import { servicesOf, downFor } from '../../src/engine/services/services.ts';
import { statusOf } from '../../src/engine/judge/status.ts';
import { triage } from '../../src/engine/diagnose/triage.ts';
import type { Script } from '../../src/engine/work/verification.ts';
import type { Fact, FactOf } from '../../src/engine/work/facts.ts';
import { serviceLineage, type Service, type ServiceProbe } from '../../src/engine/work/service.ts';
import { calls, world, type World } from '../support/fakes.ts';
import { nameOf, refOf, tankOf, type Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

const api: Service = { name: 'api', start: { command: 'node server.js' }, ready: { tcp: 3000 }, limit: 30 };
const db: Service = { name: 'db', start: { compose: 'db', file: 'compose.yaml' }, ready: { tcp: 5432 }, limit: 30 };
const needs = (...requires: string[]): Script => p.verification({ requires });
const total = needs('api', 'curl');

const probed = (over: Partial<ServiceProbe> = {}): FactOf<'service.probed'> => {
  const down = { up: false, cause: 'exited' as const, why: 'it ended with exit status 1', exit: 1 };
  const text = { output: refOf('boom'), excerpt: 'boom' };
  return { fact: 'service.probed', probe: { name: 'api', code: 0, duration: 9, ...text, ...down, ...over } };
};
const up = { up: true, cause: undefined as never, why: '', exit: null };

/** QC wrote the verification, and the services are known. */
function written(verification = total, services: Service[] = [api, db]): Story {
  const story = p.planned();
  story.act('inputs', { fact: 'services.read', services });
  const all = [verification, p.criterion()].map((one): Fact => ({ fact: 'verification.written', verification: one }));
  return story.act('write-verifications', ...all);
}

/** T1 was built and settled as code 1, with these facts about it. */
function built(story: Story, ...facts: Fact[]): Story {
  p.built(story);
  const { step } = story.state.work.tree.change ?? p.change();
  return story.act('settle', { fact: 'tree.settled', settled: p.settled({ step }) }, ...facts);
}

/** What a fixer of a service is recorded as, and what it reports. */
function fixOf(lineage: string, filesChanged: string[] = []) {
  const made = { lineage, verification: lineage, also: [] };
  const answer = { kind: 'fixed' as const };
  const report = { ...made, signature: '', fixApplied: 'x', filesChanged, reasoning: 'x', answer };
  return { author: { kind: 'fix' as const, ...made }, report };
}

const due = ({ state }: Story): string[] => serviceFix.due(state).map(({ target, why }) => `${target}: ${why}`);
const runDue = ({ state }: Story): number => runVerificationsAction.due(state).length;

describe('a script that requires a service, when it is written', () => {
  const wrote = async (story: Story, dead: readonly string[] = []) => {
    const w = await staged(world(), story);
    w.runner.decide = (_, { services: all = [] }) => {
      const one = all.find(({ name }) => dead.includes(name));
      return one === undefined ? {} : { exit: null, dead: { name: one.name, how: 'exited', exit: 1 } };
    };
    const others = [needs('api', 'db'), p.verification({ id: 'value/other', lineage: 'value/other' })];
    const facts = others.map((verification): Fact => ({ fact: 'verification.written', verification }));
    const reply = await runWritten({ text: 'Written.', facts }, play(w).context);
    const of = (name: Fact['fact']) => reply.facts.filter(({ fact }) => fact === name);
    const probes = of('service.probed').flatMap((fact) => ('probe' in fact ? [`${fact.probe.name} ${fact.probe.up}`] : []));
    return { lines: reply.text.split('\n').slice(1), probes, runs: of('verification.ran').length, asked: of('human-action.asked').length };
  };
  const green = 'It ran: green, although its work is not built. It asks for what is there already.';

  it('runs at once where the service is there before the work is', async () => {
    const { lines, probes, runs } = await wrote(written());
    assert.deepEqual(lines, [`value/total: ${green}`, `value/other: ${green}`]);
    assert.deepEqual([probes, runs], [['api true', 'db true'], 2]);
  });

  it('says when it runs where one does not come up, whom the person is asked for, and one that needs none runs at once', async () => {
    const { lines, probes, runs, asked } = await wrote(written(), ['db']);
    assert.deepEqual(lines, ['value/total: It runs as soon as db is up.', `value/other: ${green}`]);
    assert.deepEqual([probes, runs, asked], [['api true', 'db false'], 1, 1]);
  });

  it('starts none of which is known on this code that it does not come up', async () => {
    const known = written().act('run-verifications', probed(), probed({ name: 'db' }));
    const { lines, probes, runs } = await wrote(known);
    assert.deepEqual(lines, ['value/total: It runs as soon as api and db are up.', `value/other: ${green}`]);
    assert.deepEqual([probes, runs], [[], 1]);
  });
});

describe('a probe of a service', () => {
  it('is said where something is new', async () => {
    const notesAfter = async (known: Story, isDead: boolean): Promise<unknown[]> => {
      const w = await staged(world(), known);
      w.runner.decide = () => (isDead ? { exit: null, dead: { name: 'api', how: 'exited', exit: 1 } } : {});
      await probeServices(play(w).context, { verifications: [needs('api')], at: 'worktree', code: 1 });
      return w.progress;
    };
    const down = { kind: 'note', text: 'service api is down: it ended with exit status 1' };
    assert.deepEqual(await notesAfter(written(), true), [down]);
    assert.deepEqual(await notesAfter(written().act('run-verifications', probed()), true), []);
    assert.deepEqual(await notesAfter(written().act('run-verifications', probed()), false), [{ kind: 'note', text: 'service api is up' }]);
    assert.deepEqual(await notesAfter(written().act('run-verifications', probed(up)), false), []);
    assert.deepEqual(await notesAfter(written().act('run-verifications', probed(up)), true), [down]);
  });
});

describe('a service that needs another one', () => {
  const own = (name: string): Service => ({ ...api, name });
  const services = ['queue', 'db', 'api', 'web'].map(own);
  /** @param dead what does not come up, for what starts with it. */
  const probesOf = async (verifications: Script[], dead: (names: string[]) => string | undefined) => {
    const w = await staged(world(), written(needs('db', 'api'), services));
    w.runner.decide = (_, { services: all = [] }) => {
      const name = dead(all.map((one) => one.name));
      return name === undefined ? {} : { exit: null, dead: { name, how: 'exited', exit: 1 } };
    };
    const { probes, ready } = await probeServices(play(w).context, { verifications, at: 'worktree', code: 0 });
    return { probes: probes.map(({ name, up: isUp }) => `${name} ${isUp}`), ready: ready.length };
  };
  const needsDb = (names: string[]) => (names.at(-1) === 'api' && !names.includes('db') ? 'api' : undefined);

  it('is probed behind those that are declared before it, and that verifications require with it', async () => {
    const both = needs('api', 'db', 'web');
    const started: string[] = [];
    const { probes, ready } = await probesOf([both], (names) => (started.push(names.join(' ')), needsDb(names)));
    assert.deepEqual(started.toSorted(), ['db', 'db api', 'db api web']);
    assert.deepEqual([probes, ready], [['db true', 'api true', 'web true'], 1]);
    assert.deepEqual(await probesOf([needs('api')], needsDb), { probes: ['api true'], ready: 1 }, 'another one requires both');
  });

  it('is nobody’s failure where that one is down, which is one failure', async () => {
    const isDead = (names: string[]) => (names.includes('db') ? 'db' : undefined);
    const { probes, ready } = await probesOf([needs('api', 'db'), needs('web'), needs('db')], isDead);
    assert.deepEqual([probes, ready], [['db false', 'web true'], 1]);
  });

  it('is probed without that one, too, where a verification requires it so', async () => {
    const isDead = (names: string[]) => (names.includes('db') ? 'db' : 'api');
    const { probes, ready } = await probesOf([needs('api', 'db'), needs('api')], isDead);
    assert.deepEqual([probes, ready], [['db false', 'api false'], 0]);
  });
});

describe('services of a sprint', () => {
  it('are those that discovery found and those of services.yaml, which win', () => {
    const story = p.planned();
    const { context } = story.state.work;
    assert.ok(context);
    const services = [
      { ...api, limit: 5 },
      { ...api, name: 'web' },
    ];
    story.act('discovery', { fact: 'context.discovered', context: { ...context, services } });
    assert.deepEqual(
      servicesOf(story.state.work).map((s) => [s.name, s.limit]),
      [
        ['api', 5],
        ['web', 30],
      ],
    );
    story.act('inputs', { fact: 'services.read', services: [api] });
    assert.deepEqual(
      servicesOf(story.state.work).map((s) => [s.name, s.limit]),
      [
        ['api', 30],
        ['web', 30],
      ],
    );
  });

  it('begin with those of services.yaml, which discovery knew when it declared others', () => {
    const story = p.planned();
    const { context } = story.state.work;
    assert.ok(context);
    story.act('discovery', { fact: 'context.discovered', context: { ...context, services: [api] } });
    story.act('inputs', { fact: 'services.read', services: [db] });
    assert.deepEqual(
      servicesOf(story.state.work).map(({ name }) => name),
      ['db', 'api'],
    );
  });
});

describe('a service that is down', () => {
  it('keeps its verifications from being due on this code, whatever tools they require besides', () => {
    const story = written();
    assert.equal(runDue(story), 1);
    story.act('run-verifications', probed());
    assert.equal(runDue(story), 0);
    assert.equal(downFor(story.state, total)?.why, 'it ended with exit status 1');
    assert.equal(statusOf(story.state, total), 'pending');
    built(story);
    assert.equal(runDue(story), 1, 'nothing is known of it on other code');
    assert.equal(downFor(story.state, needs('curl')), undefined);
  });

  it('is no fault while what requires it is still to be built, and was never up', () => {
    const story = written().act('run-verifications', probed());
    assert.deepEqual(due(story), []);
    assert.deepEqual(due(written().act('run-verifications', probed(up), probed())), [
      'api: service api is down: it ended with exit status 1',
    ]);
  });

  it('is no fault while work is open that what requires it goes through, too', () => {
    const story = written(p.verification({ requires: ['api'], after: ['V1'] }));
    story.act('plan', { fact: 'task.added', task: p.task({ id: 'T2', prdSection: ['V1'] }) });
    assert.deepEqual(due(built(story, probed({ code: 1 }))), []);
    assert.deepEqual(due(built(written(), probed({ code: 1 }))).length, 1);
  });

  it('is mended once what requires it is built, twice at most, and then blocks it', () => {
    const story = built(written(), probed({ code: 1 }));
    assert.deepEqual(serviceFix.due(story.state), [
      { target: 'api', burns: [tankOf('service/api')], why: 'service api is down: it ended with exit status 1' },
    ]);
    assert.equal(statusOf(story.state, total), 'pending');
    story.begin('service-fix', 'api', ['service/api']).end().begin('service-fix', 'api', ['service/api']).end();
    assert.equal(story.state.ledger.sizes['service'], 2);
    assert.equal(statusOf(story.state, total), 'blocked');
    assert.match(renderIssues(story.state) ?? '', /## Service api is down[^]*value\/total[^]*boom/);
    assert.match(renderChecklist(story.state), /value\/total: blocked, waits for service api: it ended with exit status 1/);
    const { stop, reasons } = ending(story.state);
    assert.equal(stop, 'failed');
    assert.ok(reasons.includes('Service api is down: it ended with exit status 1. 1 verification could not be run.'));
    assert.ok(reasons.some((r) => r.endsWith('value/total waits for service api: it ended with exit status 1.')));
  });

  it('is forgotten with the change that killed it, and up again where it came up', () => {
    const story = built(written(), probed({ ...up, code: 1 }));
    story.act('settle', probed({ code: null }));
    assert.equal(downFor(story.state, total), undefined);
    story.act('service-fix', probed({ code: 1 }), probed({ ...up, code: 1 }));
    assert.deepEqual(due(story), []);
    assert.ok(!story.state.ledger.milestones.some((m) => m.includes('api')), 'it is no progress (I5)');
  });

  it('on the person’s machine is theirs to start, and looked at again when they say so', () => {
    const verification = needs('db');
    const story = built(written(verification), probed({ name: 'db', code: 1 }));
    const asked: Fact = { fact: 'human-action.asked', humanAction: p.humanAction({ id: 'service db', paths: [], task: '' }) };
    story.act('run-verifications', asked);
    assert.deepEqual([due(story), runDue(story), ending(story.state).stop], [[], 0, 'waiting']);
    story.said({ fact: 'human-action.verified', id: 'service db', fulfilled: true, missing: '' });
    assert.equal(runDue(story), 1);
    const declined = built(written(verification), probed({ name: 'db', code: 1 }), asked);
    declined.said({ fact: 'human-action.answered', id: 'service db', answer: 'skip' });
    assert.deepEqual([statusOf(declined.state, verification), runDue(declined)], ['pending', 0], 'it is not carried out yet');
    declined.said({ fact: 'human-action.skipped', id: 'service db' });
    assert.deepEqual([statusOf(declined.state, verification), runDue(declined)], ['blocked', 0]);
  });
});

describe('mending a service', () => {
  const missing = { cause: 'missing-module' as const, why: 'the module express is missing', code: 1 };

  /** A sprint with dependencies to install. */
  function installed(): Story {
    const story = built(written(), probed(missing));
    const { context } = story.state.work;
    assert.ok(context);
    return story.act('discovery', { fact: 'context.discovered', context: { ...context, install: 'npm ci' } });
  }

  it('installs again first where a module is missing, once on this code and without a model', async () => {
    const story = installed();
    const [first] = serviceFix.due(story.state);
    assert.deepEqual(first, {
      target: 'api',
      burns: [tankOf('reinstall/api@1')],
      why: 'service api is down: the module express is missing; dependencies are installed again',
    });
    story.begin('service-fix', 'api', first?.burns.map(nameOf));
    const w = await staged(world({ files: { 'package.json': '{"dependencies":{"express":"5"}}' } }), story);
    const facts = await serviceFix.run('api', play(w).context);
    assert.deepEqual(
      w.runner.jobs
        .filter(({ packages }) => packages !== 'fill')
        .map((j) => ['command' in j.run && j.run.command, j.services?.map((s) => s.name), j.view]),
      [
        [installCommand({ folder: '', manager: 'npm', flags: [] }), undefined, undefined],
        [':', ['api'], true],
      ],
    );
    assert.deepEqual(
      facts.map((f) => f.fact === 'service.probed' && [f.probe.up, f.probe.code]),
      [[true, 1]],
    );
    assert.equal(w.model.asked.length, 0);
    const other = installed().act('service-fix', probed({ code: 1 }));
    assert.deepEqual(
      serviceFix.due(other.state).map((d) => d.burns.map(nameOf)),
      [['service/api']],
      'nothing is missing',
    );
    const failed = installed().begin('service-fix', 'api', ['reinstall/api@1']).end(probed(missing));
    assert.deepEqual(
      serviceFix.due(failed.state).map((d) => d.burns.map(nameOf)),
      [['service/api']],
    );
  });

  it('shows the fixer cause, log and history, and settles what it changed as its fix', async () => {
    const story = built(written(), probed({ code: 1 })).begin('service-fix', 'api', ['service/api']);
    const w = await staged(world(), story);
    const report = { fix_applied: 'x', files_changed: ['x'], reasoning: 'y' };
    w.model.answers.push(calls(['write_file', { path: 'x', content: 'x' }], ['report_fix', report]));
    const facts = await serviceFix.run('api', play(w).context);
    const [asked] = w.model.asked;
    const text = JSON.stringify(asked?.messages);
    for (const words of [
      'node server.js',
      'exited: it ended with exit status 1',
      'boom',
      'port 3000, within 30 s',
      'Probe 1, on code 1: down',
    ])
      assert.ok(text.includes(words), words);
    const lineage = serviceLineage('api');
    assert.deepEqual(
      facts.map((f) => f.fact === 'tree.changed' && f.change.author),
      [{ kind: 'fix', lineage, verification: lineage, also: [] }],
    );
    const said = w.journal.events.flatMap((e) => (e.type === 'step.ended' ? e.facts : [])).filter((f) => f.fact === 'fix.reported');
    assert.deepEqual(
      said.map((f) => f.report.lineage),
      [lineage],
    );
  });

  it('has no verification to blame', () => {
    const { state } = built(written(), probed({ code: 1 })).begin('service-fix', 'api');
    const blame = { verification_wrong: { evidence: 'It asks for something that nobody promised.' } };
    const on = { state, target: 'api', step: 's1', kept: '' };
    assert.throws(() => reportFix.handle({ fix_applied: 'x', files_changed: [], reasoning: 'y', ...blame }, on), /no verification was run/);
  });

  it('failed where it was kept and the service is still down', () => {
    const lineage = serviceLineage('api');
    const { author, report } = fixOf(lineage);
    const fixed = (...facts: Fact[]): Story => {
      const story = built(written(), probed({ code: 1 })).begin('service-fix', 'api');
      const step = story.state.open?.id ?? '';
      story.end({ fact: 'fix.reported', step, report }, { fact: 'tree.changed', change: p.change({ n: 2, author, step }) });
      return story.act('settle', { fact: 'tree.settled', settled: p.settled({ code: 2, author, step }) }, ...facts);
    };
    assert.equal(changesThatFailed(fixed(probed({ code: 2 })).state, lineage).length, 1);
    assert.equal(changesThatFailed(fixed(probed({ ...up, code: 2 })).state, lineage).length, 0);
  });
});

describe('settling a change where a service is down', () => {
  /** Settles a fix of something else, while the service of a verification that was once green does not come up. */
  async function settled(before: Partial<ServiceProbe>, service = api): Promise<string[]> {
    const green: Fact = { fact: 'verification.ran', run: p.run({ n: 1, code: 1 }) };
    const story = built(written(needs(service.name), [service]), probed({ ...before, name: service.name, code: 1 }), green);
    const { author, report } = fixOf('service web', ['x']);
    story.begin('service-fix', 'web');
    const step = story.state.open?.id ?? '';
    const change = p.change({ n: 2, author, step, patch: refOf('x: x') });
    story.end({ fact: 'fix.reported', step, report }, { fact: 'tree.changed', change }).begin('settle', '2');
    const w = await staged(world(), story);
    await w.payloads.put('x: x');
    w.repo.files['x'] = 'x';
    w.repo.base = 'c1';
    w.runner.decide = (_, job) => (job.services ? { exit: null, dead: { name: service.name, how: 'exited', exit: 1 } } : {});
    const facts = await settle.run('2', play(w).context);
    return facts.flatMap((f) => (f.fact === 'tree.undone' ? [f.why] : f.fact === 'tree.settled' ? ['kept'] : []));
  }

  it('takes back what killed it', async () => {
    assert.deepEqual(await settled(up), ['fix of service web broke value/total; service api is down: it ended with exit status 1']);
  });

  it('does not blame it for what was down before, or is on the person’s machine', async () => {
    assert.deepEqual(await settled({}), ['kept']);
    assert.deepEqual(await settled(up, db), ['kept']);
  });
});

describe('a run with services', () => {
  const dead: DeadService = { name: 'api', how: 'exited', exit: 3 };
  const batch = { at: 'worktree' as const, where: 'revert' as const, code: null };

  async function ran(done: Partial<Finished>) {
    const story = built(written());
    const w = await staged(world(), story);
    w.runner.decide = () => done;
    const [run] = await runVerifications(play(w).context, { verifications: [total], ...batch });
    return { run, w };
  }

  it('is not red for its reason because a service printed the words for it', async () => {
    const { run } = await ran({ exit: 1, output: 'nothing', logs: { api: 'wrong total\n' } });
    assert.deepEqual([run?.verdict, run?.redSeen, run?.kind], ['red', false, 'test_failure']);
    assert.equal(run?.excerpt, 'nothing\n[loop: service api printed]\nwrong total\n', 'but who mends it sees them');
  });

  it('has a cause of its own, whatever its services print at each start', async () => {
    const log = `cat: .env: No such file or directory\n${'GET /total 200\n'.repeat(600)}`;
    const outputs = ['wrong total: 3', `${'working …\n'.repeat(600)}at src/tax.js:7:1\nwrong tax: 5\n`];
    const runs = await Promise.all(outputs.map(async (output) => (await ran({ exit: 1, output, logs: { api: log } })).run));
    const groups = triage(runs.map((run, i) => ({ verification: { ...total, id: `value/${i}` }, run })));
    assert.deepEqual(
      groups.map(({ why }) => why),
      ['the same failure: wrong total: 3', 'it fails at src/tax.js:7'],
    );
    for (const run of runs) assert.match(run?.excerpt ?? '', /\n\[loop: service api printed\]\ncat: \.env/);
  });

  it('is a dead service where one did not come up, equal for every verification behind it', async () => {
    const { run, w } = await ran({ exit: null, output: '', dead, logs: { api: 'boom' } });
    assert.deepEqual([run?.verdict, run?.kind, run?.redSeen], ['red', 'service_down', false]);
    assert.equal(run?.summary, 'service down, killed\nerror: service api is down: it ended with exit status 3');
    assert.deepEqual(
      w.runner.jobs[0]?.services?.map((s) => s.name),
      ['api'],
    );
  });

  it('is put to the control without them: what needs none looks at the text', async () => {
    const [text, silentGreen] = ['echo the words\n', await controlled((files, alone) => alone || files !== '')];
    assert.match(silentGreen, /stays green when the work it covers is taken out/);
    assert.match(await controlled((files, alone) => !alone && files.startsWith(text)), /it goes by what the work does/);
  });

  /** How the control ended, where a verification is green by the file's text and by whether its service is there. */
  async function controlled(isGreen: (text: string, alone: boolean) => boolean): Promise<string> {
    const text = 'echo the words\n';
    const w: World = world({ files: { 'total.sh': text } });
    await w.repo.commit('T1', {});
    w.runner.decide = (files, job) => {
      const silent = (files['total.sh'] ?? '').startsWith(':');
      if (job.services?.length && silent) return { exit: null, dead };
      return isGreen(files['total.sh'] ?? '', !job.services?.length) ? {} : { exit: 1, output: 'wrong total' };
    };
    const story = built(written(), { fact: 'verification.ran', run: p.run({ n: 1, code: 1 }) });
    await staged(w, story);
    const { kernel, context } = play(w);
    const burns = [tankOf(`proof/value/total/${total.script.slice(0, 8)}/control`)];
    await kernel.append({
      type: 'step.begun',
      step: { id: 's9', kind: 'action', decision: { action: 'prove', target: '', why: '', burns, behind: [] } },
      burns,
    });
    const facts = await prove.run('', context);
    return facts.flatMap((f) => (f.fact === 'verification.proven' ? [f.proof.why] : [])).join('; ');
  }
});
