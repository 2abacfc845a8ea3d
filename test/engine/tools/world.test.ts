/** The execution tools: their calls of the ports, and their answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { defaults, type Config } from '../../../src/engine/ground/config.ts';
import type { Finished } from '../../../src/engine/work/job.ts';
import type { Service } from '../../../src/engine/work/service.ts';
import { toolsNamed } from '../../../src/engine/tools/registry.ts';
import { specOf, ToolError, type Surroundings } from '../../../src/engine/tools/tool.ts';
import { worldTools } from '../../../src/engine/tools/world-tools.ts';
import { world as fakeWorld, type Files } from '../../support/fakes.ts';

const api: Service = { name: 'api', start: { command: 'node api.js' }, ready: { tcp: '$PORT' }, limit: 20 };

function at(files: Files = {}, over: Partial<Config> = {}, services: Service[] = []) {
  const w = fakeWorld({ files });
  const signal = new AbortController().signal;
  const on: Surroundings = {
    role: 'builder',
    config: { ...defaults, ...over },
    ports: w.ports,
    signal,
    place: 'worktree',
    services,
    pictures: 12,
  };
  const call = async (name: string, input: unknown, place: Surroundings['place'] = 'worktree'): Promise<string> => {
    const [tool] = toolsNamed([name]);
    assert.ok(tool?.kind === 'world');
    const result = await tool.run(tool.input.parse(input), { ...on, place });
    return typeof result === 'string' ? result : result.text;
  };
  return { ...w, call };
}
const assertRefused = (promise: Promise<string>, message: string): Promise<void> =>
  assert.rejects(promise, (error) => error instanceof ToolError && error.message === message);

describe('the registry', () => {
  it('returns tools by name in a fixed order, and throws for unknown ones', () => {
    assert.deepEqual(toolsNamed(['read_file', 'bash']), toolsNamed(['bash', 'read_file']));
    assert.deepEqual(
      toolsNamed(['read_file', 'bash']).map((t) => t.name),
      ['bash', 'read_file'],
    );
    assert.throws(() => toolsNamed(['bash', 'rm', 'mv']), /no such tool: rm, mv/);
  });

  it('describes each input for the model as JSON Schema', () => {
    assert.deepEqual(specOf(toolsNamed(['write_file'])[0] ?? assert.fail()), {
      name: 'write_file',
      description: 'Write a file of the worktree, whole; folders are made as needed.',
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' }, content: { type: 'string' } },
        required: ['path', 'content'],
      },
    });
  });

  it('writes a begin line only for tools whose effect cannot be verified afterwards', () => {
    assert.deepEqual(
      worldTools.filter((t) => t.kind === 'world' && t.begins).map((t) => t.name),
      ['bash', 'edit_file'],
    );
  });
});

describe('bash', () => {
  const runs: { input: object; over: Partial<Config>; timeout: number; network: boolean }[] = [
    { input: {}, over: {}, timeout: 120, network: false },
    { input: { timeout: 5 }, over: {}, timeout: 5, network: false },
    { input: { timeout: 500 }, over: { commandTimeout: 60 }, timeout: 60, network: false },
    { input: {}, over: { network: 'none' }, timeout: 120, network: false },
    { input: {}, over: { network: 'installs' }, timeout: 120, network: false },
    { input: {}, over: { network: 'all' }, timeout: 120, network: true },
  ];
  for (const { input, over, timeout, network } of runs)
    it(`runs for ${timeout} s, ${network ? 'with' : 'without'} network, given ${JSON.stringify({ ...input, ...over })}`, async () => {
      const w = at({}, over);
      await w.call('bash', { command: 'make', ...input }, { scratch: 'x' });
      const { readonly: _, ...job } = w.runner.jobs[0] ?? assert.fail();
      assert.deepEqual(job, { run: { command: 'make' }, at: { scratch: 'x' }, timeout, network });
    });

  const ends: [done: Partial<Finished>, text: string][] = [
    [{ output: 'ok\n' }, 'exit status 0\nok\n'],
    [{ exit: 3, output: 'no' }, 'exit status 3\nno'],
    [
      { exit: null, timedOut: true, output: 'slow' },
      'killed after 120 s (no command of this sprint may take longer; do it in parts, or report that the person must raise commandTimeout)\nslow',
    ],
    [{ exit: null }, 'exit status unknown (killed)\n'],
    [
      { exit: 1, output: 'x', traffic: { refused: ['github.com'], reached: [], withheld: [], allowed: ['pypi.org'] } },
      'exit status 1\nx\n[Loop refused these hosts: github.com. Commands reach only: pypi.org. Only the person can allow another.]',
    ],
    [{ output: 'x', dropped: 7 }, 'exit status 0\nx\n[7 bytes of output were dropped]'],
  ];
  it('says how far a timeout that was chosen may be raised', async () => {
    const w = at();
    w.runner.decide = () => ({ exit: null, timedOut: true });
    assert.equal(await w.call('bash', { command: 'make', timeout: 5 }), 'killed after 5 s (timeout may be up to 120)\n');
  });

  for (const [done, text] of ends)
    it(`answers ${JSON.stringify(text)}`, async () => {
      const w = at();
      w.runner.decide = () => done;
      assert.equal(await w.call('bash', { command: 'make' }), text);
    });

  it('starts the services that it names for the command, and no others', async () => {
    const w = at({}, {}, [api, { ...api, name: 'mail' }]);
    await w.call('bash', { command: 'curl -s localhost:$PORT/', services: ['api'] });
    const { services, view, readonly } = w.runner.jobs[0] ?? assert.fail();
    assert.deepEqual([services, view, readonly], [[api], true, false], 'what the service writes would become part of a change');
    await w.call('bash', { command: 'curl -s localhost:$PORT/', services: ['api'] }, { scratch: 'x' });
    assert.equal(w.runner.jobs[1]?.view, undefined, 'a copy is kept as long as its session');
    await w.call('bash', { command: 'make' });
    assert.equal(w.runner.jobs[2]?.view, undefined);
  });

  it('refuses a service that is not there, and names those that are', async () => {
    const call = (services: Service[]) => at({}, {}, services).call('bash', { command: 'make', services: ['db', 'api'] });
    await assertRefused(call([api]), 'There is no service db. There are: api.');
    await assertRefused(call([]), 'There is no service db, api. This sprint has none.');
    const db: Service = { ...api, name: 'db', start: { compose: 'db', file: 'compose.yaml' } };
    await assertRefused(call([api, db]), 'There is no service db. There are: api.');
    const open = at({}, { network: 'all' }, [api, db]);
    await open.call('bash', { command: 'make', services: ['db'] });
    assert.deepEqual(open.runner.jobs[0]?.services, [db]);
  });

  it('tells a line that is repeated once, and how often', async () => {
    const w = at();
    w.runner.decide = () => ({ output: `${'GET /\n'.repeat(200)}a\na\na\n\n\n\n\n\nb` });
    assert.equal(await w.call('bash', { command: 'make' }), 'exit status 0\nGET /\n[the same line 199 times more]\na\na\na\n\n\n\n\n\nb');
  });

  const withService: [what: string, done: Partial<Finished>, text: string | RegExp][] = [
    [
      'why it did not run',
      { exit: null, dead: { name: 'api', how: 'exited', exit: 3 }, logs: { api: 'no port\n' } },
      /^not run: service api is down: .*3.*\n\[service api printed\]\nno port$/,
    ],
    [
      'what they printed where it failed',
      { exit: 7, output: 'no', logs: { api: 'oops\n' } },
      'exit status 7\nno\n[service api printed]\noops\n[What it and its services wrote into the worktree is gone, as with a verification.]',
    ],
    [
      'nothing of them where it did not',
      { output: 'yes', logs: { api: 'fine\n' } },
      'exit status 0\nyes\n[What it and its services wrote into the worktree is gone, as with a verification.]',
    ],
  ];
  for (const [what, done, text] of withService)
    it(`with services says ${what}`, async () => {
      const w = at({}, {}, [api]);
      w.runner.decide = () => done;
      const answer = await w.call('bash', { command: 'make', services: ['api'] });
      if (typeof text === 'string') assert.equal(answer, text);
      else assert.match(answer, text);
      const [job] = w.runner.jobs;
      assert.deepEqual([job?.view, job?.alike], [true, true], 'in a view, with git as without services');
    });

  it('keeps the head, the tail and the error lines of a long output', async () => {
    const w = at();
    w.runner.decide = () => ({ exit: 1, output: `first\n${'.\n'.repeat(50_000)}Error: the cause\n${'.\n'.repeat(50_000)}last` });
    const text = await w.call('bash', { command: 'make' });
    assert.match(text, /^exit status 1\nfirst\n[^]*\nError: the cause\n[^]*last$/);
    assert.ok(text.length < 40_000);
  });
});

describe('read_file', () => {
  const files = { a: 'one\ntwo\nthree\n', empty: '', open: 'one' };
  const reads: [input: object, text: string][] = [
    [{ path: 'a' }, 'one\ntwo\nthree\n'],
    [{ path: 'a', offset: 1 }, 'two\nthree\n'],
    [{ path: 'a', offset: 1, limit: 1 }, 'two'],
    [{ path: 'a', limit: 99 }, 'one\ntwo\nthree\n'],
    [{ path: 'a', offset: 3 }, '[a has 3 lines]'],
    [{ path: 'a', offset: 99 }, '[a has 3 lines]'],
    [{ path: 'a', offset: 2 }, 'three\n'],
    [{ path: 'empty' }, ''],
    [{ path: 'empty', offset: 1 }, '[empty has 0 lines]'],
    [{ path: 'open', offset: 1 }, '[open has 1 line]'],
  ];
  for (const [input, text] of reads)
    it(`reads ${JSON.stringify(input)}`, async () => assert.equal(await at(files).call('read_file', input), text));

  it('cuts a long one at the end of a line, and says where to go on', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `${String(i + 1).padStart(4, '0')}${'.'.repeat(95)}`);
    const w = at({ a: `${lines.join('\n')}\n`, wide: `first\n${'x'.repeat(70_000)}\nlast\n` });
    const first = await w.call('read_file', { path: 'a' });
    assert.equal(first, `${lines.slice(0, 600).join('\n')}\n[lines 1–600 of 3000; go on with offset 600]`);
    const second = await w.call('read_file', { path: 'a', offset: 600, limit: 2000 });
    assert.equal(second, `${lines.slice(600, 1200).join('\n')}\n[lines 601–1200 of 3000; go on with offset 1200]`);
    assert.equal(await w.call('read_file', { path: 'a', offset: 2400 }), `${lines.slice(2400).join('\n')}\n`);
    assert.equal(await w.call('read_file', { path: 'wide' }), 'first\n[lines 1–1 of 3; go on with offset 1]');
    const wide = await w.call('read_file', { path: 'wide', offset: 1 });
    assert.equal(wide, `${'x'.repeat(60_000)}\n[line 2 of 3, without its last 10000 characters; go on with offset 2]`);
    const face = at({ one: `${'a'.repeat(59_999)}😀b` });
    assert.equal(await face.call('read_file', { path: 'one' }), `${'a'.repeat(59_999)}\n[line 1 of 1, without its last 3 characters]`);
  });

  it('suggests glob_search when the file does not exist', () =>
    assertRefused(at(files).call('read_file', { path: 'b' }), 'There is no file b. Look with glob_search.'));
});

describe('write_file', () => {
  it('replaces the whole file', async () => {
    const w = at({ a: 'old' });
    assert.equal(await w.call('write_file', { path: 'a', content: 'new' }), 'Wrote a (3 characters).');
    assert.deepEqual(w.repo.files, { a: 'new' });
  });
});

describe('edit_file', () => {
  const edit = (text: string, before: string, after: string) => {
    const w = at({ a: text });
    return { w, done: () => w.call('edit_file', { path: 'a', old_string: before, new_string: after }) };
  };
  const edits: { text: string; before: string; after: string; result: string; answer: string }[] = [
    { text: 'x = 1\n', before: '1', after: '2', result: 'x = 2\n', answer: 'Edited a.' },
    { text: 'x = 1\n', before: 'x = 1\n', after: '', result: '', answer: 'Edited a.' },
    { text: 'cost: 5', before: '5', after: '$& $1 $$', result: 'cost: $& $1 $$', answer: 'Edited a.' },
    { text: 'foo', before: 'foo', after: 'foo bar', result: 'foo bar', answer: 'Edited a.' },
    { text: 'log(x); // debug', before: 'log(x); // debug', after: 'log(x);', result: 'log(x);', answer: 'Edited a.' },
    { text: 'foo bar', before: 'foo', after: 'foo bar', result: 'foo bar bar', answer: 'Edited a.' },
    { text: 'a\r\nb\r\nc\r\n', before: 'a\nb\n', after: 'x\ny\nz\n', result: 'x\r\ny\r\nz\r\nc\r\n', answer: 'Edited a.' },
    { text: 'a\r\nb\r\n', before: 'b', after: 'x\ny', result: 'a\r\nx\r\ny\r\n', answer: 'Edited a.' },
    { text: 'a\r\nb\r\nc\r\n', before: '\nb\r\n', after: '\r\nx\n', result: 'a\r\nx\r\nc\r\n', answer: 'Edited a.' },
    { text: 'a\r\nb\nc\r\n', before: 'a\nb\nc', after: 'a\nc', result: 'a\r\nc\r\n', answer: 'Edited a.' },
    { text: 'a\nb\r\nc\nd\n', before: 'c\nd', after: 'c\nx\nd', result: 'a\nb\r\nc\nx\nd\n', answer: 'Edited a.' },
    { text: 'a\nb', before: 'b', after: 'GET /\r\n', result: 'a\nGET /\r\n', answer: 'Edited a.' },
  ];
  for (const { text, before, after, result, answer } of edits)
    it(`changes ${JSON.stringify(text)} to ${JSON.stringify(result)}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`, async () => {
      const { w, done } = edit(text, before, after);
      assert.deepEqual([await done(), w.repo.files['a']], [answer, result]);
    });

  const refused: { text: string; before: string; after: string; count: string }[] = [
    { text: 'a a', before: 'a', after: 'b', count: '2 times' },
    { text: 'foo() and foo', before: 'foo', after: 'foo()', count: '2 times' },
    { text: '[0, 0, 0]', before: '0, 0', after: '1, 0', count: '2 times' },
    { text: 'a\r\nb\na\nb\n', before: 'a\nb', after: 'x', count: '2 times' },
    { text: 'a'.repeat(300), before: 'a'.repeat(100), after: 'x', count: '100 times or more' },
  ];
  for (const { text, before, after, count } of refused)
    it(`refuses an ambiguous text in ${JSON.stringify(text)}: ${JSON.stringify(before)}`, async () => {
      const { w, done } = edit(text, before, after);
      const why = `old_string occurs ${count} in a; it must occur exactly once. Give more of the lines around it.`;
      await assertRefused(done(), why);
      assert.deepEqual(w.repo.files, { a: text });
    });

  const missing: { text: string; before: string; why: string }[] = [
    { text: 'x', before: 'y', why: 'Look at it again: it may have changed, or never held that.' },
    { text: '', before: '  ', why: 'Look at it again: it may have changed, or never held that.' },
    {
      text: 'x\r\n\tif (a)\r\n\t\tb();\r\n',
      before: '  if (a)\n    b();\n',
      why: 'It is there with other blanks, from line 2 on. Give it as it stands:\nif (a)\r\n\t\tb();',
    },
    {
      text: 'key: AKIA',
      before: 'key: [redacted]',
      why: 'Where its [redacted] stands for a secret that you were not shown, edit around it.',
    },
  ];
  for (const { text, before, why } of missing)
    it(`says why ${JSON.stringify(before)} is not in ${JSON.stringify(text)}`, async () => {
      const { w, done } = edit(text, before, 'z');
      await assertRefused(done(), `old_string is not in a. ${why}`);
      assert.deepEqual(w.repo.files, { a: text });
    });

  it('takes a text of any length', async () => {
    const lines = 'const x = [1];\n'.repeat(20_000);
    const { w, done } = edit(`${lines}end`, lines, '');
    assert.deepEqual([await done(), w.repo.files['a']], ['Edited a.', 'end']);
  });

  it('suggests glob_search when the file does not exist', () =>
    assertRefused(at().call('edit_file', { path: 'a', old_string: 'x', new_string: 'y' }), 'There is no file a. Look with glob_search.'));
});

describe('searching', () => {
  it('lists files, at most 500', async () => {
    const many = Object.fromEntries(Array.from({ length: 502 }, (_, i) => [`f${String(i).padStart(3, '0')}`, '']));
    const lines = (await at(many).call('glob_search', { pattern: '*' })).split('\n');
    assert.deepEqual([lines.length, lines[0], lines.at(-1)], [501, 'f000', '[2 more]']);
    assert.equal(await at().call('glob_search', { pattern: '*' }), 'No file matches.');
    assert.equal(await at({ a: '', 'b/c': '' }).call('glob_search', { pattern: '*', path: 'b' }), 'b/c');
  });

  it('finds matching lines', async () => {
    const w = at({ a: 'x\ntotal = 1\n', 'b/c': 'total' });
    assert.equal(await w.call('grep_search', { pattern: 'total' }), 'a:2:total = 1\nb/c:1:total');
    assert.equal(await w.call('grep_search', { pattern: 'total', path: 'b' }), 'b/c:1:total');
    assert.equal(await w.call('grep_search', { pattern: 'none' }), 'Nothing matches.');
  });

  it('says where more lines match than it shows, or were not looked at', async () => {
    const w = at({ few: 'y\n'.repeat(200), many: 'x\n'.repeat(201) });
    const few = (await w.call('grep_search', { pattern: 'y' })).split('\n');
    assert.deepEqual([few.length, few.at(-1)], [200, 'few:200:y']);
    const many = (await w.call('grep_search', { pattern: 'x' })).split('\n');
    assert.deepEqual([many.length, many.at(-1)], [201, '[more than 200 matches; narrow path or glob]']);
    w.repo.grep = ({ pattern }) => Promise.resolve({ lines: pattern === 'x' ? ['a:1:x'] : [], cut: '4 MiB' });
    assert.equal(await w.call('grep_search', { pattern: 'x' }), 'a:1:x\n[search cut at 4 MiB; narrow path or glob]');
    assert.equal(await w.call('grep_search', { pattern: 'y' }), '[search cut at 4 MiB; narrow path or glob]');
  });
});
