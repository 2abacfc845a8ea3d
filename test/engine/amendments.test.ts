/** What discovery declared can be declared anew, by course correction and by QC, with the tests of discovery and within a bound. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { characterise } from '../../src/engine/actions/characterise.ts';
import { prepare } from '../../src/engine/actions/prepare.ts';
import { serviceFix } from '../../src/engine/actions/service-fix.ts';
import { writeVerifications } from '../../src/engine/actions/write-verifications.ts';
import { renderIssues } from '../../src/engine/render/issues.ts';
import { renderReport } from '../../src/engine/render/report.ts';
import { left, tank } from '../../src/engine/state/fuel.ts';
import { statusOf } from '../../src/engine/judge/status.ts';
import { amendDeclaration, upholdDeclaration } from '../../src/engine/tools/amend-declaration.ts';
import { reportCourseCorrection } from '../../src/engine/tools/report-course-correction.ts';
import { reportFix } from '../../src/engine/tools/report-fix.ts';
import { ToolError, type Reply } from '../../src/engine/tools/tool.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import type { Service } from '../../src/engine/work/service.ts';
import { finished, world } from '../support/fakes.ts';
import { nameOf, type Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

const wrong: Service = { name: 'api', start: { command: 'node serve.js' }, ready: { tcp: 3000 }, limit: 5 };
const right: Service = { ...wrong, start: { command: 'node server.js' } };
const why = 'It is started by node server.js, as the file server.js shows.';
const script = p.verification({ requires: ['api'] });

function declared(story: Story, facts: Fact[]): Story {
  return story.act('course-correct', ...facts);
}

/** The work is built, and its service does not come up. */
function down(): Story {
  const story = declared(p.planned(), [{ fact: 'context.amended', declared: { services: [wrong] }, why, by: 'course correction' }]);
  p.built(story.act('prepare', p.gate('prepare')).act('write-verifications', { fact: 'verification.written', verification: script }));
  const { step } = story.state.work.tree.change ?? p.change();
  const evidence = { why: 'it ended', output: p.run().output, excerpt: 'Cannot find serve.js', exit: 1, duration: 1 };
  return story.act(
    'settle',
    { fact: 'tree.settled', settled: p.settled({ step }) },
    { fact: 'service.probed', probe: { name: 'api', code: 1, world: story.state.ledger.world, up: false, cause: 'exited', ...evidence } },
  );
}

const on = (story: Story, target: string) => ({ state: story.state, target, step: story.state.open?.id ?? 's9', kept: '' });
const amend = (story: Story, call: Record<string, unknown>): Reply =>
  amendDeclaration.handle({ suites: [], services: [], needs: [], why, ...call }, on(story, 'service api'));
const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ToolError);
    return error.message;
  }
  return 'taken';
};
const doubt = {
  fix_applied: 'nothing',
  files_changed: [],
  reasoning: 'no such file',
  declaration_wrong: { evidence: 'It is called server.js; ls shows it.' },
};

/** The fixer of the service says that its declaration is wrong. */
function doubted(): Story {
  const story = down();
  const [one] = serviceFix.due(story.state);
  story.begin('service-fix', 'api', one?.burns.map(nameOf));
  return story.end(...reportFix.handle(doubt, on(story, 'api')).facts);
}

describe('a declaration that a fixer calls wrong', () => {
  it('goes to QC, and to no other fixer meanwhile', () => {
    const { state } = doubted();
    assert.deepEqual(serviceFix.due(state), []);
    const due = writeVerifications.due(state).filter(({ target }) => target === 'service api');
    assert.deepEqual(
      due.flatMap(({ burns }) => burns.map(nameOf)),
      ['rewrite/service api'],
    );
  });

  it('is declared anew by QC: the service starts so from then on, and is probed before anybody is called', () => {
    const story = doubted();
    story.act('write-verifications', ...amend(story, { services: [right] }).facts);
    assert.deepEqual(story.state.work.context?.services, [right]);
    assert.deepEqual(serviceFix.due(story.state), []);
    assert.equal(statusOf(story.state, script), 'pending');
    const line = /QC declared anew: service api \(`node server\.js`, ready at port 3000\)\. Why: It is started by node server\.js/;
    assert.match(renderReport(story.state), line);
    assert.match(renderIssues(story.state) ?? '', line);
  });

  it('that QC upholds is a fixer’s matter again, who may not say so once more', () => {
    const story = doubted();
    const answer = 'serve.js is what the PRD names, and it has to be there.';
    story.act('write-verifications', ...upholdDeclaration.handle({ why: answer }, on(story, 'service api')).facts);
    assert.equal(serviceFix.due(story.state).length, 1);
    story.begin('service-fix', 'api');
    assert.match(
      refusal(() => reportFix.handle(doubt, on(story, 'api'))),
      /QC looked at the declarations and answered that they are right: serve\.js/,
    );
  });
});

describe('an amendment', () => {
  it('burns a tank that holds three for a sprint', () => {
    const story = down();
    assert.equal(left(story.state.ledger, tank('amend')), 2);
    for (const limit of [6, 7]) declared(story, amend(story, { services: [{ ...wrong, limit }] }).facts);
    assert.match(
      refusal(() => amend(story, { services: [right] })),
      /as often as it may be/,
    );
  });

  for (const { what, call, message } of [
    { what: 'an install that is no plain command', call: { install: 'npm ci && rm -rf /' }, message: /not a plain install command/ },
    {
      what: 'a suite by a command of any kind',
      call: { suites: [{ name: 'unit', command: 'true', files: ['test/**'] }] },
      message: /not a plain command for tests or a check/,
    },
    {
      what: 'a suite that guards the work itself',
      call: { suites: [{ name: 'unit', command: 'npm test', files: ['src/**'] }] },
      message: /no glob of test files/,
    },
    {
      what: 'a need of no requirement',
      call: { needs: [{ what: { kind: 'tool', name: 'jq' }, why: 'x', required_by: ['9'] }] },
      message: /names 9/,
    },
    { what: 'what is declared already', call: { services: [wrong] }, message: /declared already/ },
    { what: 'nothing', call: {}, message: /declared already/ },
  ])
    it(`does not take ${what}`, () =>
      assert.match(
        refusal(() => amend(down(), call)),
        message,
      ));

  it('leaves what the person declared in services.yaml to them', () => {
    const story = down().act('inputs', { fact: 'services.read', services: [wrong] });
    assert.match(
      refusal(() => amend(story, { services: [right] })),
      /services\.yaml: only they change it/,
    );
  });

  it('is one of the ways of a course correction', () => {
    const story = down();
    const call = { action: 'amend', diagnosis: `${why} That was assumed wrongly at the start.`, guidance: 'Start it by node server.js.' };
    const input = { verifications: [], task_id: '', question: '', amend: { suites: [], services: [right], needs: [] }, ...call };
    const { facts } = reportCourseCorrection.handle(input, on(story, ''));
    assert.deepEqual(
      facts.map(({ fact }) => fact),
      ['context.amended', 'course.corrected'],
    );
    assert.match(
      refusal(() => reportCourseCorrection.handle({ ...input, amend: undefined }, on(story, ''))),
      /declared anew/,
    );
  });

  it('of the install or a need prepares the worktree again, once', () => {
    const story = down();
    assert.deepEqual(prepare.due(story.state), [], 'a service in the sandbox needs no preparing');
    declared(story, amend(story, { install: 'npm ci' }).facts);
    assert.deepEqual(
      prepare.due(story.state).map(({ burns }) => burns.map(nameOf)),
      [['amend/prepare']],
    );
    story.act('prepare', p.gate('prepare'));
    assert.deepEqual(prepare.due(story.state), []);
  });
});

describe('a suite that is declared anew', () => {
  const unit = { name: 'unit', command: 'npm test', files: ['test/**'] };
  const anew = { ...unit, command: 'node --test' };

  /** The suite guards, and is then declared anew. */
  function guarding(): Story {
    const story = declared(p.planned(), [{ fact: 'context.amended', declared: { suites: [unit] }, why, by: 'QC' }]);
    story.act(
      'characterise',
      { fact: 'verification.written', verification: p.suite() },
      { fact: 'suite.tried', tried: { suite: 'unit', without: [], used: true, why: 'it is green on the base commit' } },
    );
    assert.deepEqual(characterise.due(story.state), []);
    return declared(story, amend(story, { suites: [anew] }).facts);
  }

  it('runs on the base commit anew', () => assert.equal(characterise.due(guarding().state).length, 1));

  for (const { exit, guards, how } of [
    { exit: 0, guards: true, how: 'by the new command where that is green' },
    { exit: 1, guards: true, how: 'as before where it is red' },
  ])
    it(`guards ${how}: no declaration takes a guard away`, async () => {
      const story = guarding().begin('characterise', 'unit', ['base/unit']);
      const w = await staged(world(), story);
      w.repo.testsAtBase = () => Promise.resolve(['test/a.test.js']);
      w.runner.decide = () => finished({ exit, output: 'not ok 1' });
      const { context, kernel } = play(w);
      const facts = await characterise.run('unit', context);
      await kernel.append({ type: 'step.ended', id: context.open.id, outcome: 'done', facts });
      const { verifications, retired } = kernel.state.work;
      assert.equal(!retired.includes('suite/unit'), guards);
      assert.equal(verifications['suite/unit']?.title.includes('node --test'), exit === 0);
      assert.deepEqual(characterise.due(kernel.state), []);
    });
});
