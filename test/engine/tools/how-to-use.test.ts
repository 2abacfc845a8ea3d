/** The report describes the use of the deliverable only from the engine's record of what the evaluator really did with success (I8). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { evaluate } from '../../../src/engine/actions/critical-eval.ts';
import type { ToolResult } from '../../../src/engine/ground/messages.ts';
import { Interruption } from '../../../src/engine/ground/errors.ts';
import type { BrowserAction } from '../../../src/engine/ports.ts';
import { documentsOf } from '../../../src/engine/state/documents.ts';
import { finalOf } from '../../../src/engine/judge/ending.ts';
import { calls, world, type World } from '../../support/fakes.ts';
import { noBrowser } from '../../support/fake-host.ts';
import * as p from '../support/parts.ts';
import { again, play, staged } from '../support/play.ts';

type Use = [name: string, input: unknown];

const summary = 'I used it as the clerk would, and it added up. '.repeat(3);
const criteria = [{ id: 'value/tone', met: true, evidence: 'I read the greeting: it is kind.' }];
const report = (...uses: object[]): Use => ['report_evaluation', { summary, criteria, how_to_use: uses, assessment: p.assessment }];
const total = { what: 'Add up', command: './total.sh 2 3' };
const ran: Use = ['bash', { command: './total.sh 2 3' }];

async function worldWith(...answers: ReturnType<typeof calls>[]): Promise<World> {
  const w = await staged(
    world({ answers, files: { 'README.md': 'Run total.sh' } }),
    p.proven().begin('final', 'evaluation', ['final/evaluation']),
  );
  w.runner.decide = (_files, { run }) => ('command' in run && run.command.startsWith('./total.sh') ? {} : { exit: 3 });
  const act = ({ action }: BrowserAction) => Promise.resolve(action === 'open' ? { text: 'A page' } : { refused: 'No page is open.' });
  Object.assign(w.ports, { browser: { ...noBrowser, act } });
  return w;
}

/** The uses that the evaluation records, and the last refusal of a call. */
async function evaluateUses(w: World, { context, kernel } = play(w)) {
  await evaluate(context, 'evaluation');
  const refused = (w.model.asked.at(-1)?.messages ?? [])
    .flatMap((m) => (m.role === 'user' ? m.content : []))
    .findLast((block): block is ToolResult => block.type === 'tool_result' && block.is_error === true);
  return {
    uses: finalOf(kernel.state).evaluation?.howToUse,
    refused: typeof refused?.content === 'string' ? refused.content : '',
  };
}

describe('how to use it', () => {
  it('contains commands with exit status 0, and opened pages, served commands and read files', async () => {
    const page = { what: 'Look', page: 'http://localhost:$PORT/' };
    const serve = { what: 'Serve', command: 'npm start' };
    const file = { what: 'Read', file: 'README.md' };
    const w = await worldWith(
      calls(ran, ['browser', { action: 'open', url: page.page, serve: 'npm start' }], ['read_file', { path: 'README.md' }]),
      calls(report(total, serve, page, file)),
    );
    assert.deepEqual((await evaluateUses(w)).uses, [
      { what: 'Add up', kind: 'command', it: './total.sh 2 3' },
      { what: 'Serve', kind: 'command', it: 'npm start' },
      { what: 'Look', kind: 'page', it: 'http://localhost:$PORT/' },
      { what: 'Read', kind: 'file', it: 'README.md' },
    ]);
  });

  it('names what served a page, where no use of its own does', async () => {
    const open = (url: string, serve?: string): Use => ['browser', { action: 'open', url, ...(serve === undefined ? {} : { serve }) }];
    const page = { what: 'Look', page: 'http://localhost:$PORT/a' };
    const other = { what: 'See', page: 'http://localhost:1/' };
    const w = await worldWith(
      calls(open('http://localhost:$PORT/', 'npm start'), open(page.page), open(other.page)),
      calls(report(page, other)),
    );
    assert.deepEqual((await evaluateUses(w)).uses, [
      { what: 'Look', kind: 'page', it: page.page, serve: 'npm start' },
      { what: 'See', kind: 'page', it: other.page },
    ]);
  });

  it('contains a command that is meant to fail, with the exit status that it really had', async () => {
    const mistaken: Use = ['bash', { command: 'make' }];
    const entry = { what: 'See what is wrong', command: 'make' };
    const w = await worldWith(calls(mistaken), calls(report({ ...entry, exit_status: 1 })), calls(report({ ...entry, exit_status: 3 })));
    const { uses, refused } = await evaluateUses(w);
    assert.match(refused, /Not done: 1, command "make" \(exit status 1\) \(nearest: "make" \(exit status 3\)\)\. Do it now/);
    assert.deepEqual(uses, [{ what: 'See what is wrong', kind: 'command', it: 'make', exit: 3 }]);
  });

  const claims: { what: string; done: Use; use: object; named: string }[] = [
    { what: 'was never run', done: ran, use: { what: 'x', command: './total.sh' }, named: 'command "./total.sh"' },
    { what: 'failed', done: ['bash', { command: 'make' }], use: { what: 'x', command: 'make' }, named: 'command "make"' },
    {
      what: 'was only printed',
      done: ['bash', { command: './total.sh; echo "exit status 0"' }],
      use: total,
      named: 'command "./total.sh 2 3"',
    },
    { what: 'was not read', done: ['read_file', { path: 'USAGE.md' }], use: { what: 'x', file: 'USAGE.md' }, named: 'file "USAGE.md"' },
    { what: 'was not opened', done: ['browser', { action: 'read' }], use: { what: 'x', page: 'index.html' }, named: 'page "index.html"' },
  ];
  for (const { what, done, use, named } of claims)
    it(`does not contain what ${what}`, async () => {
      const { uses, refused } = await evaluateUses(await worldWith(calls(done), calls(report(use)), calls(report())));
      assert.deepEqual(uses, []);
      assert.ok(refused.includes(`Not done: 1, ${named} (n`), refused);
    });

  it('names in a refusal the entries by number, and the nearest that was done, in short', async () => {
    const long = (n: number): string => `printf '${'2 3 '.repeat(100)}' > orders-${n}.txt; ./total.sh --every orders-${n}.txt`;
    const done = Array.from({ length: 8 }, (_, n): Use => ['bash', { command: `${long(n)} | head -${n}` }]);
    const uses = done.map((_, n) => ({ what: `Add up ${n}`, command: long(n) }));
    const w = await worldWith(calls(ran, ...done), calls(report(total, ...uses.slice(1))), calls(report()));
    w.runner.decide = () => ({});
    const { refused } = await evaluateUses(w);
    assert.match(refused, /Not done: 2, command "printf '2 3 .{0,20}…" \(nearest: "….*orders-1\.txt \| head -1"\); 3, command /);
    assert.match(refused, /; 8, command "printf [^"]*…"\. Do it now, or leave it out\.$/);
    assert.ok(refused.length < 900, `${refused.length}: ${refused}`);
  });

  it('names no file that only a command beside it made, which the person does not have', async () => {
    const make = "printf '1\\n' > ./sums.csv; echo 1 > README.md";
    const [used, read] = ['sums.csv', 'README.md'].map((file) => ({ what: `Add up ${file}`, command: `./total.sh ${file}` }));
    const done = [make, used?.command, read?.command].map((command): Use => ['bash', { command }]);
    const whole = [{ what: 'Write it', command: make }, used ?? {}];
    const w = await worldWith(calls(...done), calls(report(used ?? {}, read ?? {})), calls(report(...whole)));
    w.runner.decide = () => ({});
    const { uses, refused } = await evaluateUses(w);
    assert.match(refused, /^You made sums\.csv here; the person does not have it\. Use a file of the work, or make/);
    assert.equal(uses?.length, 2, 'with what makes it');
  });

  for (const where of ['README.md', 'readme.md', 'PRD.md'])
    it(`may use a file that was made to try it, where ${where} names it as the person's own`, async () => {
      const use = { what: 'Add up', command: './total.sh sums.csv' };
      const commands = ["printf '1\\n' > sums.csv", use.command].map((command): Use => ['bash', { command }]);
      const w = await worldWith(calls(...commands), calls(report(use)));
      w.runner.decide = () => ({});
      const played = play(w);
      const text = 'Write your sums.csv, then run total.sh.';
      if (where !== 'PRD.md') await w.ports.tree.write(where, text);
      else for (const { ref } of documentsOf(played.kernel.state)) w.payloads.texts.set(ref, text);
      assert.deepEqual(await evaluateUses(w, played), { uses: [{ what: 'Add up', kind: 'command', it: use.command }], refused: '' });
    });

  it('names no file that was made to try it, where README.md only names a longer one', async () => {
    const use = { what: 'Add up', command: './total.sh sums.csv' };
    const commands = ["printf '1\\n' > sums.csv", use.command].map((command): Use => ['bash', { command }]);
    const w = await worldWith(calls(...commands), calls(report(use)), calls(report()));
    w.runner.decide = () => ({});
    await w.ports.tree.write('README.md', 'It keeps the rest in old-sums.csv.');
    assert.match((await evaluateUses(w)).refused, /^You made sums\.csv here/);
  });

  it('does not contain a command that was killed or whose end is unknown', async () => {
    const w = await worldWith(calls(ran), calls(report(total)), calls(report()));
    w.runner.decide = () => ({ exit: 0, timedOut: true });
    assert.match((await evaluateUses(w)).refused, /\(no command was done\)\./);
    const crashed = await worldWith(calls(ran), calls(report(total)), calls(report()));
    crashed.journal.crashAt = crashed.journal.events.length + 4;
    await assert.rejects(evaluateUses(crashed), Interruption);
    assert.match((await evaluateUses(crashed, await again(crashed))).refused, /\(no command was done\)\./);
  });

  it('uses the journal, so uses before a crash still count after it', async () => {
    const w = await worldWith(calls(ran), calls(report(total)));
    w.journal.crashAt = w.journal.events.length + 5;
    await assert.rejects(evaluateUses(w), Interruption);
    assert.equal((await evaluateUses(w, await again(w))).uses?.length, 1);
    assert.equal(w.runner.jobs.length, 1);
  });

  for (const [what, use] of [
    ['nothing', {}],
    ['two things', { command: './total.sh 2 3', file: 'README.md' }],
  ] as const)
    it(`has one thing in each entry: ${what} is refused`, async () => {
      const { refused } = await evaluateUses(await worldWith(calls(ran), calls(report({ what: 'x', ...use })), calls(report())));
      assert.match(refused, /^Each entry of how_to_use names one command, page or file; "x" names [02]\.$/);
    });
});
