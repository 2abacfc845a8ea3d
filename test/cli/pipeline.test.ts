/** `loop pipeline`, in a process of its own, with real git and a real sandbox. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { farewell } from '../../src/cli/pipeline.ts';
import type { PlanNode } from '../../src/engine/work/pipeline.ts';
import { acquireLock } from '../../src/host/lock.ts';
import { begun, decides, node as stage, play } from '../engine/support/pipeline.ts';
import { decisions, pipelineGround, three, type PipelineGround } from '../support/pipeline.ts';
import { write } from '../support/sprint.ts';
import { atTerminal, loop } from './loop.ts';

async function within(
  use: (at: PipelineGround, call: (...args: string[]) => ReturnType<typeof loop>) => Promise<void>,
  files = three,
  fixtures = decisions,
): Promise<void> {
  const at = await pipelineGround(files, fixtures);
  try {
    await use(at, (...args) => loop(['pipeline', ...args, '--in', at.repo], at.env));
  } finally {
    await at.dispose();
  }
}

const session = (at: PipelineGround, ...path: string[]): string => join(at.repo, '.loop', 'pipelines', 'three-mock', '.loop', ...path);

describe('loop pipeline', () => {
  it('runs stages, leaves their outputs and decisions as files, and lets the person finish', () =>
    within(async (at, call) => {
      const record = join(at.folder, 'recording.yaml');
      const { code, out, err } = await call('run', 'three', '--mock', at.fixtures, '--record', record);
      assert.equal(code, 0, out + err);
      assert.match(readFileSync(record, 'utf8'), /^# Recorded by Loop[^]*purpose: iterate\/plan#3\n/);
      assert.match(out, /5 stages\. At most 34 iterations, \$25 and 20,000,000 tokens, and 24 hours at work\./);
      assert.match(out, /^COMPLETE \(mock: no model was asked\)$/m);
      const text = (path: string): string => readFileSync(session(at, path), 'utf8');
      assert.equal(text('stage-00-ideas/iterations/002/output.md'), 'Output of ideas, iteration 2, made up.\n');
      assert.deepEqual(JSON.parse(text('stage-01-plan/iterations/003/status.json')), {
        decision: 'stop',
        reason: 'nothing left to improve',
        summary: '',
        work: { items_completed: [], files_touched: [] },
        errors: [],
      });
      assert.ok(existsSync(session(at, 'stage-02-work/iterations/001/output.md')));
      assert.ok(!existsSync(session(at, 'stage-02-work/iterations/002')), 'the queue was empty');
      assert.equal(text('stage-04-looks.b/iterations/002/output.md'), 'Output of looks.b, iteration 2, made up.\n');
      assert.equal(readFileSync(join(at.repo, 'notes.md'), 'utf8'), 'mine, being edited\n');
      const status = await call('status', 'three-mock');
      assert.equal(status.code, 0);
      assert.match(status.out, /^three-mock: three, complete \(mock: no model was asked\), /);
      assert.match(status.out, /plan: 3 iterations; 2 iterations in a row decided to stop\n {4}1\. continue: improved/);
      const sessions = JSON.parse((await call('status', '', '--json')).out) as { session: string }[];
      assert.deepEqual(
        sessions.map((one) => one.session),
        ['three-mock'],
      );
      const json = await call('run', 'three', '--mock', at.fixtures, '--session', 'as-json', '--json');
      assert.match(json.err, /^5 stages\. At most 34 iterations, /m);
      assert.ok(
        json.out.split('\n').every((line) => line === '' || line.startsWith('{')),
        'standard output is the journal alone',
      );
      const again = await call('run', 'three', '--mock', at.fixtures);
      assert.deepEqual([again.code, /Session three-mock is over: complete\. Start another one/.test(again.err)], [4, true]);
      const other = await call('status', 'elsewhere');
      assert.match(other.err, /There are: as-json, three-mock\.\n$/);
      const finishing = () => loop(['finish', join(at.repo, '.loop', 'pipelines', 'three-mock'), 'merge'], at.env);
      await write(at.repo, { 'docs/plan.md': 'mine' });
      const refused = await finishing();
      assert.equal(refused.code, 3);
      assert.match(
        refused.err,
        /in the way of the merge: docs\/plan\.md\.\nNothing was finished\. Mend that, then finish again; or finish with keep:/,
      );
      await rm(join(at.repo, 'docs', 'plan.md'));
      const finish = await finishing();
      assert.equal(finish.code, 0, finish.err);
      assert.match(finish.out, /^Session three-mock: complete \(mock: no model was asked\)\n\d+ commits?, /);
      assert.match(finish.out, /^Merged into main as \w+; its branch and worktree are gone\.$/m);
      assert.match(at.git('log', '--format=%s'), /^Session three-mock: complete \(mock: no model was asked\)$/m);
      assert.match((await finishing()).err, /^Session three-mock was finished already\. Start another one with --session NAME\.\n$/);
      const { out: over } = await call('status', 'three-mock');
      assert.deepEqual([/Next:/.test(over), /^Finished: merge\./m.test(over)], [false, true], over);
      assert.equal(readFileSync(join(at.repo, 'docs', 'plan.md'), 'utf8'), 'The plan.\n');
    }));

  it('takes an input by its path from where the person is, or from --in', () =>
    within(
      async (at) => {
        const sub = join(at.repo, 'here', 'sub');
        const tried = async (...input: string[]) => {
          const { out, err } = await loop(['pipeline', 'dry-run', 'three', '--in', sub, ...input], at.env);
          return err === '' ? [...out.matchAll(/^Input: (\S+)/gm)].map(([, path]) => path ?? '') : [err];
        };
        const own = await tried();
        const added = async (input: string) => (await tried('--input', input)).filter((path) => !own.includes(path));
        assert.deepEqual(await added('own.md'), ['here/sub/own.md']);
        assert.deepEqual(await added('TODO.md'), ['here/sub/TODO.md']);
        assert.deepEqual(await added('../up.md'), ['here/up.md']);
        assert.deepEqual(await added(join(sub, 'o*.md')), ['here/sub/own.md']);
        assert.deepEqual(await added('../[id]/page.md'), ['here/[id]/page.md']);
        assert.deepEqual(await added('../[id]'), ['here/[id]/page.md']);
        assert.match((await added(''))[0] ?? '', /^An input has no path\. Name a file, a folder or a glob; "\." is all of the folder/);
        assert.match((await added('../../../out.md'))[0] ?? '', /^The input "\.\.\/\.\.\/\.\.\/out\.md" lies outside of /);
      },
      { ...three, 'here/sub/own.md': 'Own.', 'here/sub/TODO.md': 'Below.', 'here/up.md': 'Up.', 'here/[id]/page.md': 'One.' },
    ));

  it('lists a session whose journal is damaged as such, and the others as they are', () =>
    within(async (at, call) => {
      for (const name of ['m1', 'm2']) assert.equal((await call('run', 'three', '--mock', at.fixtures, '--session', name)).code, 0);
      const journal = join(at.repo, '.loop', 'pipelines', 'm1', '.loop', 'journal.jsonl');
      writeFileSync(journal, readFileSync(journal, 'utf8').replace('"m1"', '"m3"'));
      const { code, out, err } = await call('status');
      assert.equal(code, 0, err);
      assert.match(out, /^m1: UNREADABLE: .*journal\.jsonl.*\nm2: three, complete/);
      // The outer one holds every session.
      assert.match((await call('status', 'm1')).err, /to give this run up, move the innermost "\.loop" of that path away/);
      const [damaged, sound] = JSON.parse((await call('status', '--json')).out) as { session: string; unread?: string }[];
      assert.deepEqual([damaged?.session, typeof damaged?.unread, sound?.session], ['m1', 'string', 'm2']);
    }));

  it('says of a session that a kill or a wrong file broke off that nothing runs, and what goes on', () =>
    within(
      async (at, call) => {
        assert.equal((await call('run', 'three', '--mock', at.fixtures)).code, 4);
        assert.match((await call('status')).out, /^three-mock: three, interrupted in stage ideas \(mock/);
        const { out } = await call('status', 'three-mock');
        assert.match(out, /\nNext: {4}loop pipeline resume three-mock --mock DIR\n {9}to go on where it was interrupted\n$/);
        const lock = await acquireLock(join(at.repo, '.loop', 'pipelines', 'three-mock'));
        const running = await call('status', 'three-mock');
        await lock.release();
        assert.match(running.out, /^three-mock: three, runs, in stage ideas \(mock/);
        assert.doesNotMatch(running.out, /Next:/);
      },
      three,
      { 'default.json': '{ no decision' },
    ));

  it('says that there is no such pipeline also where something else there cannot be used', () =>
    within(
      async (_at, call) => {
        const { code, err } = await call('dry-run', 'nothing');
        assert.match(err, /^There is no pipeline "nothing"\. There are: .*three.*\n.*odd\.yaml:1: P011: it is a folder, not a file/);
        assert.equal(code, 4);
        const { out } = await call('list');
        assert.match(out, /^My_Stage .*\n.*S014.*\n(?!.*--session)/m, 'another name of the session would not mend it');
      },
      { ...three, 'pipelines/odd.yaml/x': '', 'pipelines/stages/My_Stage/stage.yaml': 'termination: { type: fixed }' },
    ));

  it('says that a session keeps the network that it opened with', () =>
    within(
      async (at, call) => {
        assert.equal((await call('run', 'ideas', '--mock', at.fixtures, '--network', 'all')).code, 3);
        const { out } = await call('resume', 'ideas-mock', '--mock', at.fixtures, '--network', 'none');
        assert.match(out, /^--network is not taken: a session keeps what it opened with, all\.$/m);
        assert.doesNotMatch((await call('resume', 'ideas-mock', '--mock', at.fixtures, '--network', 'all')).out, /not taken/);
      },
      three,
      { 'default.json': '{"decision": "error", "reason": "I cannot"}' },
    ));

  it('names no resume where the error was in the last iteration that may be', async () => {
    const fails = decides(() => 'error');
    const next = async (...nodes: PlanNode[]): Promise<string> =>
      farewell(await play(begun(nodes, fails)), '/repo')
        .slice(-2)
        .join(' ');
    const last = stage({ termination: { type: 'fixed' }, maxIterations: 1 });
    assert.match(await next(last), /^Next: {4}loop finish \/repo\/\.loop\/pipelines\/session merge/);
    assert.match(await next(last, stage({ id: 'b' })), /pipeline resume session/);
    assert.match(await next(stage()), /pipeline resume session/);
  });

  it('stops at an error with stage, iteration and cause, and goes on by the command that it names', () =>
    within(
      async (at, call) => {
        const held = await call('run', 'three', '--mock', at.fixtures);
        assert.equal(held.code, 3, held.err);
        assert.match(held.out, /WAITING \(mock: no model was asked\):\n {2}- Stage plan, iteration 2: the plan contradicts itself\n/);
        assert.match(held.out, /^Next: {4}loop pipeline resume three-mock --mock DIR\n {9}once the cause is mended$/m);
        const live = await call('resume', 'three-mock');
        assert.deepEqual(
          [live.code, live.err],
          [
            4,
            'Session three-mock is a mock: its decisions are made up. Go on with it with --mock DIR, or start another one with --session NAME.\n',
          ],
        );
        await write(at.repo, { 'pipelines/stages/plan/stage.yaml': 'termination: nonsense\n' });
        const broken = await call('run', 'three', '--mock', at.fixtures);
        assert.match(broken.err, /Or go on with session three-mock as it began: loop pipeline resume three-mock --mock DIR\n$/);
        await write(at.fixtures, {
          'plan/iteration-3.json': '{"decision": "stop", "reason": "fine"}',
          'plan/iteration-4.json': '{"decision": "stop", "reason": "fine"}',
        });
        await write(at.repo, {
          'pipelines/stages/plan/prompt.md': 'Other. ${CTX} ${STATUS}',
          'pipelines/stages/plan/stage.yaml': 'termination: { type: judgment }\nguardrails: { max_iterations: 2 }\n',
        });
        const before = readFileSync(session(at, 'journal.jsonl'), 'utf8');
        const resume = ['pipeline', 'resume', 'three-mock', '--mock', at.fixtures, '--in', at.repo];
        const asked = await atTerminal(resume, 'Go on as it began? [Y/n]', 'n\n', at.env);
        assert.deepEqual([asked.code, readFileSync(session(at, 'journal.jsonl'), 'utf8') === before], [4, true], asked.out);
        const { code, out } = await call('run', 'three', '--budget-usd', '1', '--mock', at.fixtures);
        assert.equal(code, 0, out);
        assert.match(
          out,
          /^The files of three were changed since it began\. It goes on as it began\. For the new ones: loop pipeline run three --session NAME$/m,
        );
        assert.match(
          out,
          /^5 stages\. At most 34 iterations, \$25 and 20,000,000 tokens, and 24 hours at work\.\nA budget can only be raised/m,
        );
        const { iterations } = JSON.parse(readFileSync(session(at, 'state.json'), 'utf8')) as {
          iterations: { node: string; n: number; decision: string }[];
        };
        assert.deepEqual(
          iterations.map(({ node, n, decision }) => `${node}${n} ${decision}`),
          [
            'ideas1 continue',
            'ideas2 continue',
            'plan1 continue',
            'plan2 error',
            'plan3 stop',
            'plan4 stop',
            'work1 continue',
            'looks.a1 continue',
            'looks.b1 continue',
            'looks.b2 continue',
          ],
        );
      },
      three,
      { ...decisions, 'plan/iteration-2.json': '{"decision": "error", "reason": "the plan contradicts itself", "errors": ["step 2"]}' },
    ));

  it('keeps the files that a session was given, and takes them for no change of its pipeline', () =>
    within(
      async (at, call) => {
        const first = await call('run', 'ideas', '--mock', at.fixtures, '--input', 'TODO.md');
        assert.equal(first.code, 3, first.err);
        const again = await call('run', 'ideas', '--mock', at.fixtures);
        assert.doesNotMatch(again.out, /The files of ideas were changed/);
        await write(at.repo, { 'pipelines/stages/ideas/prompt.md': 'Other. ${CTX} ${STATUS}' });
        const other = await call('run', 'ideas', '--mock', at.fixtures, '--input', 'TODO.md');
        assert.match(other.out, /^--input is not taken: a session keeps the files that it opened with\.$/m);
        assert.match(other.out, /The files of ideas were changed/);
      },
      three,
      { 'default.json': '{"decision": "error", "reason": "I cannot"}' },
    ));

  it('shows stage by stage what it would send, and begins nothing', () =>
    within(async (at, call) => {
      const { code, out } = await call('dry-run', 'three', '--input', 'TODO.md');
      assert.equal(code, 0);
      assert.match(out, /Input: TODO\.md \(4 characters\)/);
      assert.match(out, /Nothing is sent: this is a dry run\./);
      assert.match(out, /Input: docs\/vision\.md \(10 characters\)/);
      assert.match(
        out,
        /=== Stage plan \(plan\), iteration 1\nEnds: when 2 in a row decide to stop, after at least 2; a stop counts only where this passes: test -s docs\/plan\.md\nLimits: 4/,
      );
      assert.match(out, /=== Stage looks\.b \(ideas\), iteration 1\nSide by side with: looks\.a\n[^]*?model: claude-haiku/);
      assert.match(out, /Inputs: all of ideas\nOutput: docs\/plan\.md\n\nRead \.loop-run\/stage-01-plan\/iterations\/001\/context\.json/);
      assert.ok(!existsSync(join(at.repo, '.loop')));
    }));

  it('lists pipelines and stages, the nearest of each name, and says what is hidden and what is wrong', () =>
    within(
      async (_at, call) => {
        const { code, out } = await call('list');
        assert.equal(code, 0);
        assert.match(out, /^elegance +A mine \(workspace, hides that of the own folder and the extension\)/m);
        assert.match(out, /^work +Does the open tasks .*\(extension\)/m);
        assert.match(out, /^My Pipe .*\n {2}Its name can be no name of a session: run it with --session NAME\./m);
        const json = await call('list', '--json');
        const names = (JSON.parse(json.out) as { name: string; problems: { code: string }[] }[]).map(({ name, problems }) =>
          [name, ...problems.map(({ code: of }) => of)].join(' '),
        );
        assert.ok(names.includes('My Pipe') && names.includes('broken P008'), json.out);
        assert.match(out, /^broken .*\n {2}.*broken\.yaml:1: P008: there is no usable stage "nowhere"/m);
      },
      {
        'pipelines/stages/elegance/stage.yaml': 'description: A mine\ntermination: { type: fixed }\n',
        'pipelines/stages/elegance/prompt.md': '${CTX} ${STATUS}',
        'pipelines/My Pipe.yaml': 'description: Mine\nnodes: [{ id: a, stage: elegance }]\n',
        'pipelines/broken.yaml': 'nodes: [{ id: a, stage: nowhere }]\n',
        '../config/loop/pipelines/stages/elegance/stage.yaml': 'termination: { type: fixed }\n',
      },
    ));

  it('names a file that stands where its own belong, and writes what is missing when that is mended', () =>
    within(async (at, call) => {
      await write(at.repo, { '.loop/pipelines/three-mock/.loop/stage-00-ideas': 'mine\n' });
      const { code, err } = await call('run', 'three', '--mock', at.fixtures);
      assert.deepEqual([code, /stage-00-ideas is not a folder.*Move it/.test(err), /unhandled|\.mjs/i.test(err)], [4, true, false], err);
      await rm(session(at, 'stage-00-ideas'));
      await call('resume', 'three-mock', '--mock', at.fixtures);
      for (const path of ['stage-00-ideas/iterations/002/output.md', 'stage-01-plan/iterations/003/status.json'])
        assert.ok(existsSync(session(at, path)), path);
    }));

  it('never counts made-up decisions beside those of a model', () =>
    within(async (at, call) => {
      await write(at.fixtures, { 'one.yaml': 'recording: 1\nsessions: [{ role: stage, purpose: other, turns: [{ text: x }] }]\n' });
      const live = await call('run', 'three', '--model', `recorded:${join(at.fixtures, 'one.yaml')}`);
      assert.ok(existsSync(join(at.repo, '.loop', 'pipelines', 'three', '.loop', 'journal.jsonl')), live.err);
      const { code, err } = await call('run', 'three', '--session', 'three', '--mock', at.fixtures);
      assert.deepEqual(
        [code, err.startsWith('Session three asks a model; no made-up decision may count in it. Leave --mock out')],
        [4, true],
        err,
      );
    }));

  const refused: [what: string, args: string[], words: RegExp][] = [
    ['a pipeline that is not there', ['run', 'nothing'], /There is no pipeline "nothing"\. There are: .*three/],
    ['a session that is not there', ['resume', 'nothing'], /There is no session "nothing"\. Start one with/],
    ['a name that leads out of its folder', ['run', 'three', '--session', '../other'], /"\.\.\/other" is no name for a session/],
    ['such a name dry', ['dry-run', 'three', '--session', 'a b/../c'], /"a b\/\.\.\/c" is no name for a session/],
    ['no verb', [], /"loop pipeline" needs one of run, dry-run, status, resume, list/],
    [
      'services, which no pipeline starts',
      ['run', 'three', '--docker'],
      /"loop pipeline run" takes no --docker: it is an option of "loop run"\./,
    ],
    ['a dry run as JSON', ['dry-run', 'three', '--json'], /"loop pipeline dry-run" takes no --json/],
    ['a recording of no run', ['list', '--record', 'a.yaml'], /"loop pipeline list" takes no --record/],
    ['files for a session that keeps its own', ['resume', 'three', '--input', 'TODO.md'], /"loop pipeline resume" takes no --input/],
    ['an input that is not there', ['run', 'three', '--input', 'no-such-file'], /"no-such-file" matches no file of/],
    [
      'a folder out of the repository',
      ['list', '--pipelines', '../agents'],
      /"\.\.\/agents" is no name of a folder for pipelines\. Name a folder/,
    ],
    ['a file in place of fixtures', ['run', 'three', '--mock', 'package.json'], /There is no folder .*package\.json/],
    ['fixtures that are not there', ['run', 'three', '--mock', 'no-such-folder'], /There is no folder .*no-such-folder/],
  ];
  it('finds stages and pipelines in a folder of another name', () =>
    within(
      async (at, call) => {
        const named = ['--pipelines', 'agents'];
        assert.doesNotMatch((await call('list')).out, /^three /m);
        assert.match((await call('list', ...named)).out, /^three /m);
        assert.equal((await call('dry-run', 'three', ...named)).code, 0);
        const { code, out, err } = await call('run', 'three', '--mock', at.fixtures, ...named);
        assert.equal(code, 0, out + err);
        const folder = join(at.repo, 'agents');
        await write(at.repo, { 'agents/stages/bad/stage.yaml': 'termination: 1\n' });
        const lint = await loop(['lint', folder, ...named], at.env);
        assert.deepEqual([lint.code, /stages\/bad\/stage\.yaml/.test(lint.out)], [4, true], lint.out + lint.err);
      },
      Object.fromEntries(Object.entries(three).map(([path, text]) => [path.replace(/^pipelines\//, 'agents/'), text])),
    ));

  it('refuses in words, with what to do, before anything began', () =>
    within(async (at, call) => {
      for (const [what, args, words] of refused) {
        const { code, err } = await call(...args);
        assert.deepEqual([code, words.test(err)], [4, true], `${what}: ${err}`);
      }
      const nowhere = await loop(['pipeline', 'list', '--in', join(at.folder, 'nowhere')], at.env);
      assert.match(nowhere.err, /There is no folder .*nowhere\. Give a folder of your repository\./);
      assert.ok(!existsSync(join(at.repo, '.loop', 'pipelines')));
    }));
});
