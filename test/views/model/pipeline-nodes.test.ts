import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fold } from '../../../src/engine/core/fold.ts';
import type { State } from '../../../src/engine/state/state.ts';
import {
  canFinish,
  canResume,
  pipelineNodes,
  pipelineStatus,
  runOfRow,
  type ShownPipeline,
} from '../../../src/views/model/pipeline-nodes.ts';
import { pipelineView, type PipelineView } from '../../../src/views/model/pipeline-view.ts';
import type { TreeNode } from '../../../src/views/model/tree-node.ts';
import { begun, decides, node, play, silentAgent, type Agent } from '../../engine/support/pipeline.ts';
import type { World } from '../../support/fakes.ts';
import { stateOf } from './sample.ts';

const row = ['continue', 'stop', 'stop'];
const agent: Agent = decides(({ n }) => row[n - 1] ?? 'continue');

function viewOf(state: State): PipelineView {
  const view = pipelineView(state);
  assert.ok(view);
  return view;
}

async function played(world: World): Promise<PipelineView> {
  return viewOf(await play(world));
}

/** As the journal was after its first lines: what another process reads of a run that goes on. */
function after(world: World, isLast: (line: World['journal']['events'][number]) => boolean): State {
  return fold(world.journal.events.slice(0, world.journal.events.findIndex(isLast) + 1));
}

const shown = (view: PipelineView, over: Partial<ShownPipeline> = {}): ShownPipeline => ({
  dir: '/repo/.loop/pipelines/session',
  view,
  running: false,
  activity: null,
  broke: null,
  ...over,
});

/** Each row as one line, indented by its level. */
function lines(nodes: readonly TreeNode[], indent = ''): string[] {
  return nodes.flatMap((one) => [`${indent}${one.label} (${one.description})`, ...lines(one.children, `${indent}  `)]);
}

function all(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.flatMap((one) => [one, ...all(one.children)]);
}

describe('the Pipelines tree', () => {
  it('shows runs, stages and iterations with what they decided, and why', async () => {
    const view = await played(
      begun([node({ id: 'plan' }), node({ id: 'ideas', termination: { type: 'fixed' }, maxIterations: 2 })], agent),
    );
    assert.deepEqual(lines(pipelineNodes([shown(view)])), [
      'session (complete · 5 iterations · $0.00 · test)',
      '  plan (continue, stop, stop · 3 of at most 6)',
      '    1 continue (I say continue)',
      '    2 stop (I say stop)',
      '    3 stop (I say stop)',
      '  ideas (continue, stop · 2 of at most 2)',
      '    1 continue (I say continue)',
      '    2 stop (I say stop)',
    ]);
  });

  it('is short in the status bar: what runs, where it is, and what it costs', async () => {
    const world = begun([node({ id: 'plan' })], agent);
    await played(world);
    const view = viewOf(
      after(world, (line) => line.type === 'step.begun' && line.step.kind === 'action' && line.step.decision.action === 'iterate'),
    );
    const one = shown(view, { running: true });
    assert.equal(pipelineStatus([one]), 'session, plan 1 · $0.00');
    assert.equal(pipelineStatus([one, one]), '2 pipelines run');
    assert.equal(pipelineStatus([]), '');
  });

  it('says which model a stage asks that its file names', async () => {
    const once = { termination: { type: 'fixed' }, maxIterations: 1 } as const;
    const view = await played(begun([node({ ...once, id: 'a', model: 'editor:copilot/gpt' }), node({ ...once, id: 'b' })], agent));
    const tooltips = all(pipelineNodes([shown(view)])).flatMap(({ id, tooltip }) => (id.startsWith('stage/') ? [tooltip.join('\n')] : []));
    assert.deepEqual(
      tooltips.map((text) => /Asks (.*), which its file names\./.exec(text)?.[1]),
      ['copilot/gpt of the editor', undefined],
    );
  });

  it('shows a plateau as a row of decisions, the last six of a long one', async () => {
    const view = await played(
      begun(
        [node({ maxIterations: 9 })],
        decides(({ n }) => (n === 8 ? 'stop' : 'continue')),
      ),
    );
    const [run] = pipelineNodes([shown(view)]);
    assert.equal(run?.children[1]?.description, '…, continue, continue, continue, continue, stop, continue · 9 of at most 9');
    assert.equal(run.children[0]?.label, 'Stage a reached its limit of 9 iterations before it ended.');
  });

  it('names an iteration that told nothing as an error of the engine, without an output', async () => {
    const [run] = pipelineNodes([shown(await played(begun([node()], silentAgent)))]);
    const stage = run?.children.find(({ label }) => label === 'a');
    const [first] = stage?.children ?? [];
    assert.equal(first?.label, '1 error');
    assert.match(first.tooltip[0] ?? '', /told by Loop/);
    assert.equal(first.context, 'iteration');
    assert.match(run?.description ?? '', /waiting, and can be resumed/);
  });

  it('tells a stop that did not pass its verification from one that counts', async () => {
    const judged = { type: 'judgment', min_iterations: 1, consensus: 1, verify: 'npm test' } as const;
    const world = begun(
      [node({ termination: judged, maxIterations: 2 })],
      decides(() => 'stop'),
    );
    let runs = 0;
    world.runner.decide = () => (runs++ === 0 ? { exit: 1, output: 'red' } : {});
    const [run] = pipelineNodes([shown(await played(world))]);
    const stage = run?.children[0];
    assert.equal(stage?.description, 'stop that does not count, stop · 2 of at most 2');
    assert.deepEqual(
      stage.children.map(({ label, icon }) => [label, icon?.icon]),
      [
        ['1 stop that does not count', 'warning'],
        ['2 stop', 'pass'],
      ],
    );
  });

  it('shows the iteration under way with what its agent does, in the row that it keeps when it ends', async () => {
    const world = begun([node()], agent);
    await play(world);
    const open = viewOf(after(world, (line) => line.type === 'step.begun' && line.step.kind === 'ask' && line.step.id.startsWith('s')));
    const going = open.stages[0]?.now;
    assert.deepEqual([going?.n, typeof going?.session], [1, 'string']);
    const activity = { elapsed: 8000, lines: [{ kind: 'tool', id: 'tool', words: 'reads docs/plan.md', elapsed: 1000 } as const] };
    const twice = [shown(open, { running: true, activity }), shown(open, { running: true, activity, dir: '/other' })];
    const nodes = pipelineNodes(twice);
    assert.deepEqual(lines(nodes.slice(0, 1)).slice(-2), ['    1 under way (8 s)', '      reads docs/plan.md (1 s)']);
    const ids = all(nodes).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, 'an id is there twice');
    const row1 = all(nodes).find(({ label }) => label === '1 under way');
    assert.deepEqual(row1?.opens, { kind: 'session', step: going?.session, title: 'a 1', dir: twice[0]?.dir });
    const done = all(pipelineNodes([shown(await played(begun([node()], agent)))])).find(({ label }) => label === '1 continue');
    assert.equal(done?.id, row1.id);
  });

  it('says interrupted of what this window does not run', async () => {
    const world = begun([node()], agent);
    await play(world);
    const open = viewOf(
      after(world, (line) => line.type === 'step.begun' && line.step.kind === 'action' && line.step.decision.action === 'iterate'),
    );
    assert.deepEqual(lines(pipelineNodes([shown(open)])), [
      'session (interrupted · 0 iterations · $0.00 · test)',
      '  a (0 of at most 6)',
      '    1 interrupted ()',
    ]);
  });

  it('puts the newest run first, and opens it', async () => {
    const view = await played(begun([node()], agent));
    const newer = { ...view, session: 'newer', openedAt: view.openedAt + 1 };
    assert.deepEqual(
      pipelineNodes([shown(view), shown(newer, { dir: '/newer' })]).map(({ label, expanded, id }) => [label, expanded, runOfRow(id)]),
      [
        ['newer', true, '/newer'],
        ['session', false, '/repo/.loop/pipelines/session'],
      ],
    );
  });

  it('is none of a sprint', () => assert.equal(pipelineView(stateOf()), undefined));
});

describe('what can be done with a run', () => {
  const cases: { of: string; over: Partial<PipelineView>; running?: boolean; resume: boolean; finish: boolean; context: string }[] = [
    { of: 'a run that was interrupted', over: { ending: null }, resume: true, finish: true, context: 'run-resume-finish' },
    { of: 'one that runs here', over: { ending: null }, running: true, resume: false, finish: false, context: 'run-running' },
    { of: 'one that runs elsewhere', over: { ending: null, elsewhere: { process: 7 } }, resume: false, finish: false, context: 'run' },
    { of: 'one that is complete', over: {}, resume: false, finish: true, context: 'run-finish' },
    {
      of: 'one that waits for the person',
      over: { ending: { stop: 'waiting', reasons: ['why'], resumes: true } },
      resume: true,
      finish: true,
      context: 'run-resume-finish',
    },
    { of: 'a mock, which needs its fixtures', over: { ending: null, mock: true }, resume: false, finish: true, context: 'run-finish' },
    { of: 'one that was merged', over: { finished: 'merge' }, resume: false, finish: false, context: 'run' },
  ];
  for (const { of, over, running = false, resume, finish, context } of cases)
    it(`fits ${of}`, async () => {
      const one = shown({ ...(await played(begun([node()], agent))), ...over }, { running });
      assert.deepEqual([canResume(one), canFinish(one), pipelineNodes([one])[0]?.context], [resume, finish, context]);
    });
});
