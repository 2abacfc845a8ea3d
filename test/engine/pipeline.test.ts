/** Pipelines on the kernel: what ends a stage, what an agent can and cannot do, and what a crash leaves. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Interruption, TerminalModelError } from '../../src/engine/ground/errors.ts';
import { prompt } from '../../src/engine/ground/prompts.ts';
import { event } from '../../src/engine/state/events.ts';
import { translated } from '../../src/engine/state/older.ts';
import type { State } from '../../src/engine/state/state.ts';
import { calls, says, type World } from '../support/fakes.ts';
import { refOf } from './support/events.ts';
import { begun, decides, decisionsOf, iterations, node, play, silentAgent, status, type Agent } from './support/pipeline.ts';

const stops = decides(() => 'stop');
const context = (w: World, path: string): Record<string, unknown> => JSON.parse(w.repo.files[path] ?? '{}') as Record<string, unknown>;

describe('a stage that ends by judgment', () => {
  it('ends only when its consensus of iterations in a row decide to stop', async () => {
    const row = ['stop', 'continue', 'stop', 'stop', 'stop'];
    const state = await play(
      begun(
        [node()],
        decides(({ n }) => row[n - 1] ?? ''),
      ),
    );
    assert.deepEqual(decisionsOf(state), ['a1 stop', 'a2 continue', 'a3 stop', 'a4 stop']);
    assert.deepEqual(state.stopped, { stop: 'complete', reasons: [] });
  });

  it('does not believe the first stop, nor count that of another stage', async () => {
    const once = { type: 'judgment', min_iterations: 3, consensus: 1 } as const;
    const state = await play(begun([node({ termination: once }), node({ id: 'b' })], stops));
    assert.deepEqual(decisionsOf(state), ['a1 stop', 'a2 stop', 'a3 stop', 'b1 stop', 'b2 stop']);
  });

  it('is no success where it reached its limit first, and the next stage runs all the same', async () => {
    const state = await play(
      begun(
        [node({ maxIterations: 3 }), node({ id: 'b' })],
        decides((a) => (a.node === 'a' ? 'continue' : 'stop')),
      ),
    );
    assert.deepEqual(decisionsOf(state), ['a1 continue', 'a2 continue', 'a3 continue', 'b1 stop', 'b2 stop']);
    assert.deepEqual(state.stopped, { stop: 'partial', reasons: ['Stage a reached its limit of 3 iterations before it ended.'] });
  });

  it('ends by the clock when an iteration ends', async () => {
    const slow: Agent = (asked, w) => {
      w.clock.time += 70_000;
      return decides(() => 'continue')(asked, w);
    };
    const state = await play(begun([node({ maxRuntimeSeconds: 100 })], slow));
    assert.deepEqual(decisionsOf(state), ['a1 continue', 'a2 continue']);
    assert.deepEqual(state.stopped?.reasons, ['Stage a reached its limit of 100 seconds before it ended.']);
  });
});

describe('an iteration that takes longer than its stage may', () => {
  const endless =
    (seconds: number): Agent =>
    ({ turn }, w) => {
      w.clock.time += seconds * 1000;
      return turn < 5 ? calls(['read_file', { path: 'README.md' }]) : calls(status('stop'));
    };
  const once = node({ termination: { type: 'fixed' }, maxIterations: 1, maxRuntimeSeconds: 100 });

  it('may end by itself within a grace', async () => {
    const state = await play(begun([once], endless(130)));
    assert.deepEqual([decisionsOf(state), state.stopped?.stop], [['a1 stop'], 'complete']);
  });

  it('is ended past it, as an error that says so, and makes no further call', async () => {
    const w = begun([once], endless(400));
    const state = await play(w);
    assert.deepEqual([decisionsOf(state), w.model.asked.length], [['a1 error'], 2]);
    assert.match(state.stopped?.reasons[0] ?? '', /it ran 600 seconds past what was left of its stage's 100$/);
  });

  it('is ended as early where kills broke it off in between', async () => {
    let turns = 0;
    const killed: Agent = (_asked, w) => {
      w.clock.time += 400_000;
      turns += 1;
      if (turns === 2) throw new Interruption('cancelled', 'killed');
      return calls(['read_file', { path: 'README.md' }]);
    };
    const w = begun([once], killed);
    await assert.rejects(play(w), Interruption);
    const state = await play(w);
    assert.deepEqual([decisionsOf(state), turns], [['a1 error'], 3]);
    assert.deepEqual(
      state.ledger.pipeline?.iterations.map(({ duration }) => duration),
      [800_000],
    );
  });
});

describe('a stage whose stops are verified', () => {
  const judged = { type: 'judgment', min_iterations: 1, consensus: 1, verify: 'npm test' } as const;
  const writing = node({ termination: judged, maxIterations: 4, writes: ['src/**'] });
  /** Writes what passes in its third iteration, and always says that it is done. */
  const agent: Agent = ({ n }) => calls(['write_file', { path: 'src/a', content: n < 3 ? 'bad' : 'good' }], status('stop'));
  const working = (over: Partial<typeof writing> = {}): World => {
    const w = begun([{ ...writing, ...over }], agent);
    w.runner.decide = (files) => (files['src/a'] === 'good' ? {} : { exit: 1, output: 'one test failed' });
    return w;
  };

  it('ends only by a stop after which its command passes, on what the iteration left', async () => {
    const w = working();
    const state = await play(w);
    assert.deepEqual(decisionsOf(state), ['a1 stop', 'a2 stop', 'a3 stop']);
    assert.deepEqual(state.stopped, { stop: 'complete', reasons: [] });
    assert.deepEqual(
      state.ledger.pipeline?.verdicts.map(({ n, passed, how }) => [n, passed, how]),
      [
        [1, false, 'failed with exit status 1'],
        [2, false, 'failed with exit status 1'],
        [3, true, 'passed'],
      ],
    );
    for (const { run, view, network } of w.runner.jobs) assert.deepEqual([run, view, network], [{ command: 'npm test' }, true, false]);
  });

  it('tells the next iteration what the command printed, and each of them that it must pass', async () => {
    const w = working();
    await play(w);
    const path = '.loop-run/stage-00-a/iterations/002/verification.txt';
    assert.deepEqual(context(w, '.loop-run/stage-00-a/iterations/003/context.json')['failed_verification'], {
      output: path,
      how: 'failed with exit status 1',
    });
    assert.equal(w.repo.files[path], 'one test failed');
    assert.match(JSON.stringify(w.model.asked[0]?.messages), /counts only where this command then passes[^]*npm test/);
  });

  for (const end of [{ exit: null, timedOut: true }, { exit: 0, stopped: 'early' as const }, { exit: 0, dropped: 1 }, { exit: 127 }])
    it(`is not complete where it ends as ${JSON.stringify(end)}`, async () => {
      const w = working();
      w.runner.decide = () => end;
      const state = await play(w);
      assert.equal(iterations(state).length, 4);
      assert.equal(state.stopped?.stop, 'partial');
      assert.match(state.stopped.reasons[0] ?? '', /^Stage a reached its limit of 4 iterations .*; its last stop did not count, because/);
    });

  it('begins the row anew after a stop that did not count', async () => {
    const state = await play(working({ termination: { ...judged, consensus: 2 } as never }));
    assert.deepEqual([decisionsOf(state).at(-1), state.stopped?.stop], ['a4 stop', 'complete']);
  });
});

describe('a stage that is fixed', () => {
  it('runs exactly as often as it says, whatever its agents decide', async () => {
    const state = await play(begun([node({ termination: { type: 'fixed' }, maxIterations: 3 })], stops));
    assert.deepEqual(decisionsOf(state), ['a1 stop', 'a2 stop', 'a3 stop']);
    assert.equal(state.stopped?.stop, 'complete');
  });
});

describe('a stage with a queue', () => {
  it('says what to write where grep finds nothing, and nothing of grep where another command fails', async () => {
    const held = async (command: string, end: { exit: number; output: string }): Promise<string> => {
      const w = begun([node({ termination: { type: 'queue', command } })], silentAgent);
      w.runner.decide = () => end;
      return (await play(w)).stopped?.reasons[0] ?? '';
    };
    const hint = / \(grep ends with 1 where it finds nothing\. Write `\|\| test \$\? -eq 1` behind it\.\)/;
    assert.match(await held('grep x TODO', { exit: 1, output: '' }), hint);
    for (const [command, exit, output] of [
      ['grep x TODO', 2, 'grep: TODO: No such file'],
      ['grep x TODO', 1, 'a task'],
      ['cat TODO', 1, ''],
    ] as const)
      assert.doesNotMatch(await held(command, { exit, output }), /grep ends/);
  });

  const queue = node({ termination: { type: 'queue', command: 'cat TODO' } });
  const working = (): World => {
    const w = begun(
      [queue],
      decides(() => 'continue'),
    );
    let left = 2;
    w.runner.decide = () => ({ output: 'a task\n'.repeat(left--) });
    return w;
  };

  it('runs until its command prints nothing, in the sandbox, and not once for an empty one', async () => {
    const w = working();
    const state = await play(w);
    assert.deepEqual(decisionsOf(state), ['a1 continue', 'a2 continue']);
    assert.equal(state.stopped?.stop, 'complete');
    assert.deepEqual(
      w.runner.jobs.map(({ run, network, readonly }) => [run, network, readonly]),
      Array.from({ length: 3 }, () => [{ command: 'cat TODO' }, false, true]),
    );
    const empty = await play(begun([queue], silentAgent));
    assert.deepEqual([decisionsOf(empty), empty.stopped?.stop], [[], 'complete']);
  });

  for (const [network, allowedHosts, opened] of [
    ['none', [], false],
    ['registries', [], false],
    ['registries', ['api.github.com'], true],
    ['all', [], true],
  ] as const)
    it(`asks a host only by the person's leave: ${network}, allowed: ${allowedHosts.join() || 'none'}`, async () => {
      const w = begun([queue], silentAgent, { config: { network, allowedHosts: [...allowedHosts] } });
      await play(w);
      assert.deepEqual(
        w.runner.jobs.map((job) => job.network),
        [opened],
      );
    });

  for (const [how, end] of [
    ['fails', { exit: 2, output: '' }],
    ['runs out of time', { exit: null, timedOut: true }],
    ['is killed', { exit: null, stopped: 'memory' as const }],
  ] as const)
    it(`is not empty when its command ${how}: the run stops, and goes on when it is resumed`, async () => {
      const w = working();
      const works = w.runner.decide;
      w.runner.decide = () => end;
      const held = await play(w);
      assert.equal(held.stopped?.stop, 'waiting');
      assert.match(
        held.stopped.reasons[0] ?? '',
        /^Stage a, iteration 1: the command of its queue .* says nothing about what is left: cat TODO/,
      );
      w.runner.decide = works;
      const state = await play(w);
      assert.deepEqual([decisionsOf(state), state.stopped?.stop], [['a1 continue', 'a2 continue'], 'complete']);
    });
});

describe('an iteration', () => {
  it('journals git’s tree with a change that its patch does not hold whole', async () => {
    const writing = node({ termination: { type: 'fixed' }, maxIterations: 1, writes: ['src/**'] });
    const w = begun([writing], () => calls(['write_file', { path: 'src/a', content: 'x' }], status('stop')));
    const [changes, tree] = [w.repo.changes.bind(w.repo), 'a'.repeat(40)];
    w.repo.changes = async () => ({ ...(await changes()), tree });
    await play(w);
    const facts = w.journal.events.flatMap((one) => (one.type === 'step.ended' ? one.facts : []));
    assert.deepEqual(
      facts.flatMap((one) => (one.fact === 'tree.changed' ? [one.change.tree] : [])),
      [tree],
    );
  });

  it('is asked in a fresh session, with its variables filled and the words of the engine', async () => {
    const w = begun([node({ tier: 'triage', effort: 'max' })], stops);
    await play(w);
    const [first, second] = w.model.asked;
    assert.deepEqual(
      w.model.asked.map(({ purpose, turn }) => [purpose, turn]),
      [
        ['iterate/a#1', 1],
        ['iterate/a#2', 1],
      ],
    );
    assert.deepEqual([first?.model, first?.effort], ['claude-haiku-5-5', 'max']);
    const text = JSON.stringify(second?.messages);
    assert.ok(text.includes('Read .loop-run/stage-00-a/iterations/002/context.json. Session session, iteration 2.'));
    assert.ok(
      text.includes('.loop-run/stage-00-a/output.md .loop-run/stage-00-a/progress.md .loop-run/stage-00-a/iterations/002/status.json'),
    );
    assert.ok(text.includes('End by calling `report_status` once'));
    const { tools } = prompt('stage', {
      prompt: '',
      context: '',
      progress: '',
      output: '',
      status: '',
      writes: '',
      folder: '',
      verification: '',
    });
    assert.deepEqual(first?.tools.map(({ name }) => name).sort(), [...tools].sort());
  });

  it('gets a context with stage, iteration, paths, inputs and limits', async () => {
    const w = begun([node({ termination: { type: 'fixed' }, maxIterations: 2, commands: { test: 'npm test' } })], stops, {
      inputs: [{ path: 'docs/plan.md', ref: refOf('plan') }],
    });
    w.payloads.texts.set(refOf('plan'), 'plan');
    await play(w);
    assert.deepEqual(context(w, '.loop-run/stage-00-a/iterations/002/context.json'), {
      version: 1,
      session: 'session',
      pipeline: 'test',
      stage: { id: 'a', index: 0, template: 'improve' },
      iteration: 2,
      paths: {
        session_dir: '.loop-run',
        stage_dir: '.loop-run/stage-00-a',
        progress: '.loop-run/stage-00-a/progress.md',
        output: '.loop-run/stage-00-a/output.md',
        status: '.loop-run/stage-00-a/iterations/002/status.json',
      },
      inputs: {
        initial: ['.loop-run/inputs/docs/plan.md'],
        from_stage: {},
        from_previous_iterations: ['.loop-run/stage-00-a/iterations/001/output.md'],
      },
      commands: { test: 'npm test' },
      limits: { max_iterations: 2, remaining_seconds: 3600 },
    });
    assert.equal(w.repo.files['.loop-run/inputs/docs/plan.md'], 'plan');
  });

  it('gets all outputs of another stage, or the latest, as its node selects', async () => {
    const fixed = { termination: { type: 'fixed' }, maxIterations: 3 } as const;
    const last = { ...fixed, maxIterations: 1 };
    const nodes = [
      node(fixed),
      node({ id: 'b', ...last, inputs: { from: ['a'], select: 'all' } }),
      node({ id: 'c', ...last, inputs: { from: ['a'], select: 'latest' } }),
    ];
    const given: Record<string, [from: unknown, texts: unknown[]]> = {};
    const all = [1, 2, 3].map((n) => `.loop-run/stage-00-a/iterations/00${n}/output.md`);
    const looking: Agent = (asked, w) => {
      const { from_stage } = context(w, asked.paths.context)['inputs'] as Record<string, unknown>;
      given[asked.node] = [from_stage, all.map((path) => w.repo.files[path])];
      return stops(asked, w);
    };
    await play(begun(nodes, looking));
    assert.deepEqual(given['b'], [{ a: all }, ['a 1', 'a 2', 'a 3']]);
    assert.deepEqual(given['c'], [{ a: all.slice(2) }, [undefined, undefined, 'a 3']]);
  });

  it('finds the notes of those before it, the end of them where they are too long', async () => {
    const seen: string[] = [];
    const noting: Agent = ({ paths, n }, w) => {
      const before = w.repo.files[paths.progress] ?? '';
      seen.push(before);
      return calls(['write_file', { path: paths.progress, content: `${before}note ${n}\n${'x'.repeat(9000)}\n` }], status('continue'));
    };
    await play(begun([node()], noting));
    assert.deepEqual([seen[0], seen[1]?.slice(0, 6)], ['', 'note 1']);
    assert.ok(
      seen.every((text) => text.length < 20_200),
      'bounded',
    );
    assert.match(seen[5] ?? '', /^\[Earlier notes were left out/);
    assert.ok(seen[5]?.includes('note 5'));
  });

  it('may decide in the status file', async () => {
    const inFile: Agent = ({ paths, turn }) =>
      turn === 1
        ? calls(['write_file', { path: paths.status, content: JSON.stringify({ decision: 'stop', reason: 'nothing left' }) }])
        : says('Done.');
    const w = begun([node()], inFile);
    const state = await play(w);
    assert.deepEqual(
      iterations(state).map(({ by, status: told }) => [by, told.decision]),
      [
        ['file', 'stop'],
        ['file', 'stop'],
      ],
    );
    assert.equal(w.model.asked.length, 4, 'no reminder');
  });

  it('is an error where it says so by either way', async () => {
    const both: Agent = ({ paths }) =>
      calls(['write_file', { path: paths.status, content: '{"decision": "error", "reason": "it broke"}' }], status('stop'));
    const state = await play(begun([node()], both));
    assert.deepEqual(decisionsOf(state), ['a1 error']);
    assert.deepEqual(state.stopped, { stop: 'waiting', reasons: ['Stage a, iteration 1: it broke'] });
  });

  for (const [what, agent, turns] of [
    ['never decides', silentAgent, 2],
    [
      'writes a status that cannot be read',
      (({ paths, turn }) =>
        turn === 1 ? calls(['write_file', { path: paths.status, content: '{"decision": "done"}' }]) : says('x')) as Agent,
      3,
    ],
    ['says stop beside an error', (({ turn }) => (turn === 1 ? calls(status('stop', { errors: ['it broke'] })) : says('x'))) as Agent, 3],
  ] as const)
    it(`is reminded once when it ${what}, and then is an error, never done`, async () => {
      const w = begun([node()], agent);
      const state = await play(w);
      assert.equal(w.model.asked.length, turns);
      assert.deepEqual(decisionsOf(state), ['a1 error']);
      assert.equal(iterations(state)[0]?.by, 'engine');
      assert.deepEqual(state.stopped, {
        stop: 'waiting',
        reasons: [
          'Stage a, iteration 1: the session ended without a decision that can be read: it stopped without a report, after a reminder',
        ],
      });
    });

  it('whose first call is refused is not over: resumed, it goes on, although it is the last that its stage allows', async () => {
    let isRefused = true;
    const agent: Agent = () => {
      if (isRefused) throw new TerminalModelError('The account is used up.', 'request', 'Add credit.');
      return calls(status('stop'));
    };
    const w = begun([node({ termination: { type: 'fixed' }, maxIterations: 1 })], agent);
    await assert.rejects(play(w), TerminalModelError);
    isRefused = false;
    const state = await play(w);
    assert.deepEqual([decisionsOf(state), state.stopped?.stop], [['a1 stop'], 'complete']);
  });

  it('that ends as an error stops the run; resumed, it goes on after it and repeats no other', async () => {
    const w = begun(
      [node()],
      decides(({ n }) => (n === 2 ? 'error' : 'stop')),
    );
    const held = await play(w);
    assert.deepEqual(
      [decisionsOf(held), held.stopped],
      [['a1 stop', 'a2 error'], { stop: 'waiting', reasons: ['Stage a, iteration 2: I say error'] }],
    );
    const state = await play(w);
    assert.deepEqual(decisionsOf(state), ['a1 stop', 'a2 error', 'a3 stop', 'a4 stop']);
    assert.equal(state.stopped?.stop, 'complete');
  });

  it('that ends as an error leaves no output and does not count for the least number of iterations', async () => {
    const least = { type: 'judgment', min_iterations: 3, consensus: 2 } as const;
    const garbage: Agent = ({ paths, n }) =>
      n === 1 ? calls(['write_file', { path: paths.output, content: 'GARBAGE' }], status('error')) : calls(status('stop'));
    const w = begun([node({ termination: least })], garbage);
    await play(w);
    const state = await play(w);
    assert.deepEqual(decisionsOf(state), ['a1 error', 'a2 stop', 'a3 stop', 'a4 stop']);
    assert.deepEqual(
      [
        state.stopped?.stop,
        iterations(state)
          .slice(1)
          .map(({ output }) => output),
      ],
      ['complete', [null, null, null]],
    );
  });

  it('keeps what it may write as a commit, and its output in the repository', async () => {
    const w = begun([node({ writes: ['src/**'], output: 'docs/plan.md' })], ({ paths, n }) =>
      calls(
        ['write_file', { path: 'src/a.ts', content: `${n}` }],
        ['write_file', { path: paths.output, content: `plan ${n}` }],
        status('stop'),
      ),
    );
    const state = await play(w);
    assert.deepEqual(
      w.repo.commits.map(({ message }) => message),
      ['session: a#1', 'session: a#2'],
    );
    assert.deepEqual([w.repo.files['src/a.ts'], w.repo.files['docs/plan.md']], ['2', 'plan 2']);
    assert.deepEqual(
      iterations(state).map(({ output }) => output),
      [refOf('plan 1'), refOf('plan 2')],
    );
    assert.equal(state.stopped?.stop, 'complete');
  });

  it('may write what is called as a glob is written', async () => {
    const w = begun([node({ writes: ['app/[id]/page.tsx', 'lib/[slug]/**'] })], () =>
      calls(
        ['write_file', { path: 'app/[id]/page.tsx', content: 'x' }],
        ['write_file', { path: 'lib/[slug]/deep/a.ts', content: 'x' }],
        status('stop'),
      ),
    );
    const state = await play(w);
    assert.deepEqual([state.stopped?.reasons, w.repo.files['app/[id]/page.tsx']], [[], 'x']);
  });

  it('that changes another file is an error, and all of its changes are taken back', async () => {
    const w = begun([node({ writes: ['src/**'] })], () =>
      calls(['write_file', { path: 'src/a.ts', content: 'x' }], ['write_file', { path: 'README.md', content: 'theirs' }], status('stop')),
    );
    const state = await play(w);
    assert.deepEqual([w.repo.files['README.md'], w.repo.files['src/a.ts'], w.repo.commits], ['mine', undefined, []]);
    assert.match(state.stopped?.reasons[0] ?? '', /^Stage a, iteration 1: it changed 1 file that it may not write.*README\.md$/);
  });

  it('cannot decide for a later one, nor change what an earlier one left', async () => {
    const forging: Agent = ({ paths, n, turn }) => {
      if (n > 1) return says('x');
      if (turn > 1) return calls(status('continue'));
      const next = paths.status.replace('001', '002');
      return calls(
        ['write_file', { path: paths.output, content: 'mine' }],
        ['write_file', { path: next, content: JSON.stringify({ decision: 'stop', reason: 'forged' }) }],
        ['write_file', { path: paths.context, content: '{"limits": {}}' }],
      );
    };
    const w = begun([node({ termination: { type: 'judgment', min_iterations: 1, consensus: 1 } })], forging);
    const state = await play(w);
    assert.deepEqual(decisionsOf(state), ['a1 continue', 'a2 error']);
    assert.equal(w.repo.files['.loop-run/stage-00-a/iterations/001/output.md'], 'mine');
  });
});

describe('stages side by side', () => {
  const beside = (id: string, most: number, over: Partial<ReturnType<typeof node>> = {}) =>
    node({ id: `both.${id}`, block: 'both', termination: { type: 'fixed' }, maxIterations: most, ...over });

  it('take turns, each gets the same, and none sees what another one left', async () => {
    const given = node({ termination: { type: 'fixed' }, maxIterations: 1 });
    const inputs = { from: ['a'], select: 'latest' } as const;
    const last = node({ id: 'z', termination: { type: 'fixed' }, maxIterations: 1, inputs: { from: ['both.x', 'both.y'], select: 'all' } });
    const seen: Record<string, string[]> = {};
    const looking: Agent = (asked, w) => {
      seen[`${asked.node}#${asked.n}`] = Object.entries(w.repo.files).flatMap(([path, text]) => (path.endsWith('output.md') ? [text] : []));
      return stops(asked, w);
    };
    const state = await play(
      begun(
        [given, beside('x', 3, { inputs: { ...inputs, from: ['a'] } }), beside('y', 2, { inputs: { ...inputs, from: ['a'] } }), last],
        looking,
      ),
    );
    assert.deepEqual(
      decisionsOf(state).map((one) => one.split(' ')[0]),
      ['a1', 'both.x1', 'both.y1', 'both.x2', 'both.y2', 'both.x3', 'z1'],
    );
    assert.equal(state.stopped?.stop, 'complete');
    assert.deepEqual([seen['both.x#1'], seen['both.y#1']], [['a 1'], ['a 1']]);
    assert.ok(seen['both.y#2']?.every((text) => !text.startsWith('both.x')));
    assert.deepEqual(seen['z#1']?.sort(), ['both.x 1', 'both.x 2', 'both.x 3', 'both.y 1', 'both.y 2']);
  });

  it('stop at once where one of them ends as an error, and go on with the others when resumed', async () => {
    const w = begun(
      [beside('x', 3), beside('y', 2)],
      decides(({ node: id, n }) => (id === 'both.y' && n === 1 ? 'error' : 'stop')),
    );
    const held = await play(w);
    assert.deepEqual(
      [decisionsOf(held), held.stopped?.reasons],
      [['both.x1 stop', 'both.y1 error'], ['Stage both.y, iteration 1: I say error']],
    );
    const state = await play(w);
    const all = ['both.x1 stop', 'both.y1 error', 'both.x2 stop', 'both.y2 stop', 'both.x3 stop'];
    assert.deepEqual([decisionsOf(state), state.stopped?.stop], [all, 'partial']);
  });
});

describe('the worst case of a pipeline', () => {
  it('holds: never more iterations than its tank, and no call over the budget', async () => {
    const nodes = ['a', 'b', 'c'].map((id) => node({ id, maxIterations: 5 }));
    const w = begun(
      nodes,
      decides(() => 'continue'),
      { config: { maxLoopIterations: 7 } },
    );
    const state = await play(w);
    assert.equal(iterations(state).length, 7);
    assert.deepEqual([state.ledger.sizes.iteration, state.ledger.burned.iteration['']], [7, 7]);
    assert.equal(state.stopped?.stop, 'partial');
    assert.ok(state.stopped.reasons.includes('Stage b did not end: the run has used up its 7 iterations (by --max-iterations).'));
    const dear: Agent = (asked, about) => ({
      ...decides(() => 'continue')(asked, about),
      usage: { input: 9000, output: 1000, cacheRead: 0, cacheWrite: 0 },
    });
    const poor = await play(begun(nodes, dear, { config: { budgetTokens: 60_000 } }));
    assert.ok(iterations(poor).length > 1);
    assert.equal(poor.stopped?.stop, 'out-of-budget');
    assert.match(poor.stopped.reasons[0] ?? '', /^The next model call of stage [ab] could go over the budget/);
    assert.ok(poor.ledger.spend.input + poor.ledger.spend.output <= 60_000);
  });
});

describe('a budget that is reached', () => {
  const once = node({ termination: { type: 'fixed' }, maxIterations: 1 });
  const poor = { config: { budgetTokens: 1000 } };
  const raise = (w: World, tokens: number): void => {
    const n = w.journal.events.length + 1;
    w.journal.events.push({ n, owner: 1, at: 0, type: 'person.said', facts: [{ fact: 'budget.raised', usd: 25, tokens, hours: 0 }] });
  };

  it('costs no iteration: once it is raised, the stage ends as it was promised', async () => {
    const w = begun([once], stops, poor);
    const short = await play(w);
    assert.deepEqual([short.stopped?.stop, decisionsOf(short), short.ledger.pipeline?.cut], ['out-of-budget', [], 'tokens']);
    raise(w, 9_000_000);
    const state = await play(w);
    assert.deepEqual([decisionsOf(state), state.stopped], [['a1 stop'], { stop: 'complete', reasons: [] }]);
    assert.deepEqual([state.ledger.burned.iteration, state.ledger.burned.again], [{ '': 1 }, { '': 1 }]);
  });

  it('is no matter where its last stage ended meanwhile: nothing is left to do', async () => {
    const slow: Agent = (asked, about) => {
      w.clock.time += 2 * 3_600_000;
      return stops(asked, about);
    };
    const w = begun([once], slow, { config: { maxHours: 1 } });
    const { ledger, stopped } = await play(w);
    assert.ok(ledger.budgetReached);
    assert.deepEqual(stopped, { stop: 'complete', reasons: [] });
  });

  it('cannot be raised for ever by a little: what begins again has a tank of its own', async () => {
    const w = begun([once], stops, poor);
    let state = await play(w);
    let raises = 0;
    for (; state.stopped?.stop === 'out-of-budget'; raises += 1) {
      raise(w, 1001 + raises);
      state = await play(w);
    }
    assert.equal(raises, 9);
    assert.deepEqual(state.stopped, {
      stop: 'failed',
      reasons: ['Stage a did not end: the run has used up its 1 iteration (as its stages allow).'],
    });
  });
});

describe('a pipeline that an older version began', () => {
  it('gets its inputs from the one node that it named', () => {
    const [first] = begun([node(), node({ id: 'b', inputs: { from: ['a'], select: 'all' } })], stops).journal.events;
    const old = JSON.parse(JSON.stringify(first).replace('"from":["a"]', '"from":"a"')) as unknown;
    assert.notDeepEqual(old, first);
    assert.deepEqual(event.parse(translated(old)), event.parse(translated(first)));
  });
});

describe('a pipeline that crashes', () => {
  const nodes = [
    node({ writes: ['src/**'], termination: { type: 'judgment', min_iterations: 2, consensus: 2, verify: 'npm test' } }),
    node({ id: 'b', termination: { type: 'fixed' }, maxIterations: 2, inputs: { from: ['a'], select: 'all' } }),
    node({ id: 'd.x', block: 'd', termination: { type: 'fixed' }, maxIterations: 2 }),
    node({ id: 'd.y', block: 'd', inputs: { from: ['b'], select: 'latest' } }),
    node({ id: 'c', termination: { type: 'queue', command: 'cat TODO' } }),
  ];
  const agent: Agent = (asked) => {
    const own = asked.node === 'a' ? [['write_file', { path: `src/${asked.n}`, content: 'x' }] as [string, unknown]] : [];
    return calls(...own, ['write_file', { path: asked.paths.output, content: `${asked.node} ${asked.n}` }], status('stop'));
  };
  const start = (): World => {
    const w = begun(nodes, agent);
    w.runner.decide = (files, { view }) => {
      if (view) return { exit: 'src/2' in files ? 0 : 1, output: 'red' };
      return { output: w.model.asked.some(({ purpose }) => purpose.startsWith('iterate/c')) ? '' : 'one\n' };
    };
    return w;
  };
  const story = (state: State, w: World): unknown => ({
    stopped: state.stopped,
    decisions: decisionsOf(state),
    outputs: iterations(state).map(({ output }) => output),
    commits: w.repo.commits.map(({ message, after }) => [message, Object.keys(after).filter((path) => path.startsWith('src/'))]),
    verdicts: state.ledger.pipeline?.verdicts,
    iterations: state.ledger.burned.iteration,
  });

  it('at any journal line goes on to the same end: nothing is lost, no iteration is doubled', async () => {
    const calm = start();
    const expected = story(await play(calm), calm);
    for (let crashAt = 2; crashAt <= calm.journal.events.length; crashAt += 1) {
      const w = start();
      w.journal.crashAt = crashAt;
      await assert.rejects(play(w), Interruption);
      w.journal.crashAt = Infinity;
      assert.deepEqual(story(await play(w), w), expected, `crash at ${crashAt} of ${calm.journal.events.length}`);
    }
  });
});
