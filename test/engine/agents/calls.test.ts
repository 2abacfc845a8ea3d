/** The tool calls of one reply run in order. Each result is one journal line with its facts, and no call runs again after a crash (I1, I2, I13). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ToolUse } from '../../../src/engine/ground/messages.ts';
import { runCalls, type CallSite } from '../../../src/engine/agents/calls.ts';
import { Bug, InputError, Interruption } from '../../../src/engine/ground/errors.ts';
import { tank } from '../../../src/engine/state/fuel.ts';
import { actionTanks } from '../../../src/engine/state/tanks.ts';
import type { Finished } from '../../../src/engine/work/job.ts';
import { toolsNamed } from '../../../src/engine/tools/registry.ts';
import { reportTool, worldTool } from '../../../src/engine/tools/tool.ts';
import { z } from 'zod';
import { world, type World } from '../../support/fakes.ts';
import { refOf } from '../support/events.ts';
import { again, building, play, reported, type Play } from '../support/play.ts';

const site: CallSite = {
  askId: 's7/a1',
  role: 'builder',
  tools: toolsNamed(['bash', 'read_file', 'write_file', 'report_task_complete']),
  place: 'worktree',
  ends: ['report_task_complete'],
};
const use = (name: string, input: unknown, id = 't1'): ToolUse => ({ type: 'tool_use', id, name, input });
const callOnce = async (name: string, input: unknown, over: Partial<CallSite> = {}, w: World = world()) => {
  const { results, accepted } = await runCalls(building(w).context, { ...site, ...over }, [use(name, input)]);
  assert.equal(results.length, 1);
  return { text: results[0]?.content, failed: results[0]?.is_error ?? false, accepted };
};
const refusal = (text: string) => ({ text, failed: true, accepted: [] });

describe('a call', () => {
  it('is answered with the result of the tool', async () => {
    assert.deepEqual(await callOnce('write_file', { path: 'a', content: 'x' }), {
      text: 'Wrote a (1 characters).',
      failed: false,
      accepted: ['write_file'],
    });
  });

  it('in which a guarantee of the engine breaks ends the sprint, and is no answer for a model', async () => {
    const broken = worldTool({
      name: 'inspect',
      description: '',
      input: z.strictObject({}),
      begins: false,
      run: () => Promise.reject(new Bug('it cannot be')),
    });
    await assert.rejects(callOnce('inspect', {}, { tools: [broken] }), { name: 'Bug' });
  });

  it('that gives only what changes is made whole before it is handled', async () => {
    const count = reportTool<{ all: string[] }, { more: string }>({
      name: 'count',
      description: '',
      input: z.strictObject({ more: z.string() }),
      whole: async ({ more }, at) => ({ all: [at.state.opened.branch, more] }),
      handle: ({ all }) => ({ text: all.join(), facts: [] }),
    });
    const { context } = building(world());
    const { results } = await runCalls(context, { ...site, tools: [count] }, [use('count', { more: 'x' })]);
    assert.equal(results[0]?.content, `${context.state.opened.branch},x`);
  });

  it('that may be half of a mend ends its session behind the other half, in the same reply', async () => {
    const said = (name: string, completedBy: readonly string[] = []) =>
      reportTool<object>({ name, description: '', input: z.strictObject({}), completedBy, handle: () => ({ text: 'taken', facts: [] }) });
    const tools = [said('help', ['help', 'script']), said('script'), said('uphold')];
    const ends = tools.map(({ name }) => name);
    const takenOf = async (...names: string[]): Promise<string[]> => {
      const calls = names.map((name, n) => use(name, {}, `t${n}`));
      return (await runCalls(building(world()).context, { ...site, tools, ends }, calls)).accepted;
    };
    assert.deepEqual(await takenOf('help', 'help', 'script'), ['help', 'help', 'script']);
    assert.deepEqual(await takenOf('help', 'uphold'), ['help']);
    assert.deepEqual(await takenOf('script', 'help'), ['script']);
    assert.deepEqual(await takenOf('help', 'script', 'help'), ['help', 'script']);
  });

  it('of an unknown tool is answered with the names of the known tools', async () => {
    const text = 'There is no tool "rm" here. You have: bash, read_file, report_task_complete, write_file.';
    assert.deepEqual(await callOnce('rm', {}), refusal(text));
  });

  it('of a tool that is shown only for the prefix is refused, and nothing is done', async () => {
    const w = world();
    const text = '"write_file" is for another session. Here you may call: bash, read_file, report_task_complete.';
    assert.deepEqual(await callOnce('write_file', { path: 'a', content: 'x' }, { withheld: ['write_file'] }, w), refusal(text));
    assert.deepEqual(w.repo.files, {});
  });

  const bad: { name: string; input: unknown; answer: string }[] = [
    {
      name: 'write_file',
      input: { path: 'a' },
      answer:
        'The input of write_file is not usable: content: Invalid input: expected string, received undefined. Call it again with that mended.',
    },
    {
      name: 'write_file',
      input: undefined,
      answer:
        'The input of write_file is not usable: input: Invalid input: expected object, received undefined. Call it again with that mended.',
    },
    {
      name: 'write_file',
      input: 'a',
      answer:
        'The input of write_file is not usable: input: Invalid input: expected object, received string. Call it again with that mended.',
    },
    {
      name: 'read_file',
      input: { path: 'a', limit: 0, mode: 'x' },
      answer:
        'The input of read_file is not usable: limit: Too small: expected number to be >0; input: Unrecognized key: "mode". Call it again with that mended.',
    },
  ];
  it('says of an id that is too long how long it may be', () => {
    const [tool] = toolsNamed(['manage_task']);
    const { error } = tool?.input.safeParse({ action: 'remove', task_id: 'import-of-receipts-with-semicolons' }) ?? {};
    assert.match(error?.issues[0]?.message ?? '', /31 characters/);
  });

  for (const { name, input, answer } of bad)
    it(`of ${name} with ${JSON.stringify(input)} is answered with the error of its input`, async () => {
      assert.deepEqual(await callOnce(name, input), refusal(answer));
    });

  it('that policy denies does not run', async () => {
    const w = world();
    const text = '".git/config" is protected: agents do not touch .git.';
    assert.deepEqual(await callOnce('write_file', { path: '.git/config', content: '' }, {}, w), refusal(text));
    assert.deepEqual(
      await callOnce('write_file', { path: 'a', content: '' }, { role: 'qc' }),
      refusal('A qc reads and reports; it does not change files.'),
    );
    assert.deepEqual(w.repo.files, {});
  });

  it('that a tool refuses or that fails is answered, and does not end the sprint', async () => {
    assert.deepEqual(await callOnce('read_file', { path: 'a' }), refusal('There is no file a. Look with glob_search.'));
    const w = world();
    w.repo.read = () => Promise.reject(new Error('EIO'));
    assert.deepEqual(await callOnce('read_file', { path: 'a' }, {}, w), refusal('The tool failed: EIO'));
    w.repo.read = () => Promise.reject(new InputError('"a" is not UTF-8 text.', 'Use a command.'));
    w.journal.events.length = 0;
    assert.deepEqual(await callOnce('read_file', { path: 'a' }, {}, w), refusal('"a" is not UTF-8 text. Use a command.'));
  });

  it('shows no secret, neither in its result nor in the progress for the person', async () => {
    const key = `sk-ant-api03-${'A1b2'.repeat(10)}`;
    const w = world({ files: { '.env': `KEY=${key}` } });
    w.runner.decide = () => ({ output: `the key is ${key}` });
    const text = async (name: string, input: object): Promise<unknown> => (await callOnce(name, input, {}, w)).text;
    assert.doesNotMatch(String(await text('read_file', { path: '.env' })), /A1b2A1b2/);
    w.journal.events.length = 0;
    assert.equal(await text('bash', { command: `echo ${key}` }), 'exit status 0\nthe key is [redacted]');
    assert.deepEqual(w.progress.at(-1), { kind: 'tool', name: 'bash', input: 'echo [redacted]' });
    assert.ok(![...w.payloads.texts.values()].some((stored) => stored.includes(key)));
  });

  it('shows the person no part of a secret that the shown piece would cut', async () => {
    const w = world();
    await callOnce('bash', { command: `echo ${'x'.repeat(85)} ghp_${'A1b2'.repeat(9)}` }, {}, w);
    assert.doesNotMatch(JSON.stringify(w.progress), /ghp_/);
  });

  it('ends with one journal line that contains its facts', async () => {
    const w = world();
    const { context, kernel } = building(w);
    const before = w.journal.events.length;
    await runCalls(context, site, [use('report_task_complete', reported)]);
    const text = 'Task T1 reported. The engine checks it now.';
    const { n, owner, at, ...line } = w.journal.events.at(-1) ?? assert.fail();
    assert.deepEqual([n, owner, at], [before + 1, 1, w.clock.time]);
    const report = { verified: '', notes: '' };
    assert.deepEqual(line, {
      type: 'step.ended',
      id: 's7/a1/c1',
      outcome: 'done',
      result: refOf(text),
      facts: [{ fact: 'task.reported', id: 'T1', report }],
    });
    assert.equal(w.journal.events.length, before + 1);
    assert.equal(kernel.state.work.tasks['T1']?.status, 'reported');
  });

  const ends: [finished: Partial<Finished>, exit: number | undefined][] = [
    [{}, 0],
    [{ exit: 3 }, 3],
    [{ exit: null }, undefined],
    [{ exit: 0, timedOut: true }, undefined],
  ];
  for (const [finished, exit] of ends)
    it(`records the exit status of its command, if there is one: ${JSON.stringify(finished)}`, async () => {
      const w = world();
      w.runner.decide = () => finished;
      await callOnce('bash', { command: 'make' }, {}, w);
      const line = w.journal.events.at(-1);
      assert.ok(line?.type === 'step.ended');
      assert.equal(line.exit, exit);
    });

  it('that the person stopped has no result, and counts as interrupted when the sprint goes on', async () => {
    const w = world();
    const { context, abort } = building(w);
    w.runner.decide = () => {
      abort.abort();
      return { exit: null };
    };
    const stopped = (error: unknown): boolean => error instanceof Interruption && error.reason === 'cancelled';
    await assert.rejects(runCalls(context, site, [use('bash', { command: 'make' })]), stopped);
    const { results } = await runCalls((await again(w)).context, site, [use('bash', { command: 'make' })]);
    assert.match(JSON.stringify(results[0]?.content), /^"\[interrupted\]/);
    assert.equal(w.runner.jobs.length, 1);
  });
});

describe('calls after a crash', () => {
  const fourCalls = [
    use('write_file', { path: 'a', content: '1' }, 't1'),
    use('bash', { command: 'make' }, 't2'),
    use('write_file', { path: 'b', content: '2' }, 't3'),
    use('bash', { command: 'make install' }, 't4'),
  ];
  const interrupted = '[interrupted] Loop stopped while this ran; whether it had its effect is not known. Look before you repeat it.';
  const notRun = '[not run] The call before this one was interrupted.';
  const ran = 'exit status 0\n';
  const wrote = (name: string): string => `Wrote ${name} (1 characters).`;

  /** By the journal line that is lost: 1 ends call 1; 2 and 3 begin and end call 2; 4 ends call 3; 5 and 6 begin and end call 4. */
  const crashes: { line: number; outcomes: string[]; jobs: number }[] = [
    { line: 1, outcomes: [wrote('a'), ran, wrote('b'), ran], jobs: 2 },
    { line: 2, outcomes: [wrote('a'), ran, wrote('b'), ran], jobs: 2 },
    { line: 3, outcomes: [wrote('a'), interrupted, notRun, notRun], jobs: 1 },
    { line: 4, outcomes: [wrote('a'), ran, wrote('b'), ran], jobs: 2 },
    { line: 5, outcomes: [wrote('a'), ran, wrote('b'), ran], jobs: 2 },
    { line: 6, outcomes: [wrote('a'), ran, wrote('b'), interrupted], jobs: 2 },
  ];
  const crash = async (w: World, { context, kernel }: Play, line: number): Promise<void> => {
    w.journal.crashAt = kernel.state.n + line;
    await assert.rejects(runCalls(context, site, fourCalls), Interruption);
  };

  for (const { line, outcomes, jobs } of crashes)
    it(`at journal line ${line} of six are answered, and no call runs twice`, async () => {
      const w = world();
      await crash(w, building(w), line);
      const { results } = await runCalls((await again(w)).context, site, fourCalls);
      assert.deepEqual(
        results.map((r) => r.content),
        outcomes,
      );
      assert.deepEqual(
        results.map((r) => r.is_error ?? false),
        outcomes.map((o) => o.startsWith('[')),
      );
      assert.equal(w.runner.jobs.length, jobs);
    });

  it('stay "not run" after an interrupted call, also after a second crash', async () => {
    const w = world();
    await crash(w, building(w), 3);
    await crash(w, await again(w), 2);
    const { results } = await runCalls((await again(w)).context, site, fourCalls);
    assert.deepEqual(
      results.map((r) => r.content),
      [wrote('a'), interrupted, notRun, notRun],
    );
    assert.deepEqual(w.repo.files, { a: '1' });
  });

  it('give the same results when all of them ended before', async () => {
    const w = world();
    const first = await runCalls(building(w).context, site, fourCalls);
    const lines = w.journal.events.length;
    assert.deepEqual(await runCalls(play(w).context, site, fourCalls), first);
    assert.deepEqual([w.journal.events.length, w.runner.jobs.length], [lines, 2]);
  });
});

describe('calls beyond the limit of one action', () => {
  it('are refused where they would act on the world, and reports are not', async () => {
    const w = world();
    const { context, kernel } = building(w);
    const { id } = context.open;
    const burns = Array.from({ length: actionTanks.calls }, () => tank('calls', id));
    await kernel.append({ type: 'step.begun', step: { id: `${id}/a0/c1`, kind: 'call', tool: 'bash' }, burns });
    const { results } = await runCalls(context, site, [use('bash', { command: 'make' })]);
    assert.match(JSON.stringify(results[0]?.content), /used all the calls .* Report now/);
    const { accepted } = await runCalls(context, { ...site, askId: 's7/a2' }, [use('report_task_complete', reported)]);
    assert.deepEqual([accepted, w.runner.jobs.length], [['report_task_complete'], 0]);
  });
});

describe('a report in one reply with other calls', () => {
  const together = [
    use('write_file', { path: 'total.sh', content: 'echo 3' }, 't1'),
    use('bash', { command: 'sh total.sh' }, 't2'),
    use('report_task_complete', reported, 't3'),
  ];
  const lastOf = ({ results }: Awaited<ReturnType<typeof runCalls>>): unknown => results.at(-1)?.content;

  it('is taken where each of them succeeds', async () => {
    const { accepted } = await runCalls(building(world()).context, site, together);
    assert.deepEqual(accepted, ['write_file', 'bash', 'report_task_complete']);
  });

  const commands: { ends: string; found: Partial<Finished>; says: string }[] = [
    { ends: 'with an error', found: { exit: 3 }, says: 'a command ended with exit status 3' },
    { ends: 'by being killed', found: { exit: null, timedOut: true }, says: 'a command did not end by itself' },
  ];
  for (const { ends, found, says } of commands)
    it(`is not taken where a command ends ${ends}, also after a crash`, async () => {
      const w = world();
      w.runner.decide = () => found;
      const { context, kernel } = building(w);
      w.journal.crashAt = kernel.state.n + 4;
      await assert.rejects(runCalls(context, site, together), Interruption);
      const called = await runCalls((await again(w)).context, site, together);
      assert.equal(lastOf(called), `[not taken] In the same reply ${says}. Look at the results, then report what is so.`);
      assert.deepEqual(called.accepted, ['write_file', 'bash']);
    });

  it('is not taken where a call is refused', async () => {
    const [, ...others] = together;
    const called = await runCalls(building(world()).context, site, [use('write_file', { path: 'a' }, 't1'), ...others]);
    assert.equal(
      lastOf(called),
      '[not taken] In the same reply the call of write_file failed. Look at the results, then report what is so.',
    );
  });

  it('of verifications is not taken where another call is refused, and is where a command fails', async () => {
    const names = ['bash', 'offer_mutant', 'report_verifications_complete'];
    const ofQc: CallSite = { ...site, role: 'qc', tools: toolsNamed(names), ends: ['report_verifications_complete'] };
    const answer = async (before: ToolUse): Promise<string> => {
      const w = world();
      w.runner.decide = () => ({ exit: 3 });
      const report = use('report_verifications_complete', { summary: 'written' }, 't2');
      return String(lastOf(await runCalls(building(w).context, ofQc, [before, report])));
    };
    assert.match(
      await answer(use('offer_mutant', { verification: 'no' }, 't1')),
      /^\[not taken\] In the same reply the call of offer_mutant/,
    );
    assert.doesNotMatch(await answer(use('bash', { command: 'sh total.sh' }, 't1')), /not taken/);
  });

  it('of a fix is taken where it tells what else is wrong: that is what the command showed', () => {
    const [{ needsSuccess } = assert.fail()] = toolsNamed(['report_fix']).filter((tool) => tool.kind === 'report');
    const fix = { fix_applied: 'none', files_changed: [], reasoning: 'the script asks for 4' };
    assert.deepEqual([needsSuccess?.(fix), needsSuccess?.({ ...fix, verification_wrong: { evidence: 'P1 says 3' } })], ['all', undefined]);
  });
});

describe('a begin line', () => {
  it('is written before a tool runs whose effect cannot be verified afterwards', async () => {
    const w = world();
    const { context } = building(w);
    let lines = 0;
    const inspect = worldTool({
      name: 'inspect',
      description: '',
      input: z.strictObject({}),
      begins: true,
      run: () => Promise.resolve(String((lines = w.journal.events.length))),
    });
    const before = w.journal.events.length;
    await runCalls(context, { ...site, tools: [inspect] }, [use('inspect', {})]);
    assert.equal(lines, before + 1);
    const { step, burns } = (w.journal.events[before] ?? {}) as { step?: unknown; burns?: unknown };
    assert.deepEqual(step, { id: 's7/a1/c1', kind: 'call', tool: 'inspect' });
    assert.deepEqual(burns, [tank('calls', context.open.id)]);
  });
});
