/** The lines that a run reaches, in each language that tells them. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { isReached } from '../../../src/engine/work/job.ts';
import { World } from './world.ts';

describe('the lines that a run reaches', function () {
  let world: World;
  before(() => void (world = new World()));
  after(() => world.dispose());

  const reached = async (ext: string, script: string, files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(world.tree, path), text, { mode: 0o755 });
    const done = await world.run({ script, ext, name: 'cli-a' }, { view: true, reach: true });
    assert.equal(done.exit, 0, done.output);
    return done.reached;
  };

  const js = [
    'function never() {',
    '  return 1;',
    '}',
    'const one = 2;',
    'if (one === 3) {',
    '  never();',
    '} else {',
    '  console.log(one);',
    '}',
    '',
  ].join('\n');
  const py = [
    'import sys',
    'def never():',
    '    return 1',
    'def ever():',
    '    return 2',
    'if len(sys.argv) > 5:',
    '    never()',
    'else:',
    '    print(ever())',
    '',
  ].join('\n');
  const sh = [
    '#!/usr/bin/env bash',
    'never() {',
    '  echo 1',
    '}',
    'if [ $# -gt 5 ]; then',
    '  never',
    'else',
    '  echo "$(echo 2)"',
    'fi',
    '',
  ].join('\n');
  const rows: [what: string, ext: string, script: string, files: Record<string, string>, path: string, lines: number[], not: number[]][] = [
    ['a command in Node.js', 'sh', 'node a.js', { 'a.js': js }, 'a.js', [4, 5, 8], [2, 6]],
    ['a module in the process of a script', 'cjs', 'require(process.cwd() + "/a.js")', { 'a.js': js }, 'a.js', [4, 5, 8], [2, 6]],
    [
      'a command in Node.js that is killed',
      'sh',
      'timeout -s KILL 1 node b.js; true',
      { 'b.js': `${js}setInterval(() => 1, 1000);\n` },
      'b.js',
      [4, 8, 10],
      [2, 6],
    ],
    ['a command in Python', 'sh', 'python3 a.py', { 'a.py': py }, 'a.py', [5, 6, 9], [3, 7]],
    [
      'a command in Python, of a script in Python',
      'py',
      'import subprocess, sys\nsys.exit(subprocess.call(["python3", "a.py"]))',
      { 'a.py': py },
      'a.py',
      [5, 9],
      [3, 7],
    ],
    ['a module in the process of a script in Python', 'py', 'import a', { 'a.py': py }, 'a.py', [5, 9], [3, 7]],
    ['a command in bash', 'sh', './a.sh', { 'a.sh': sh }, 'a.sh', [5, 8], [3, 6]],
    [
      'what a script in Node.js starts with other options of Node.js',
      'mjs',
      "import { execFile } from 'node:child_process';\nimport { promisify } from 'node:util';\nawait promisify(execFile)(process.execPath, ['a.js'], { env: { NODE_OPTIONS: '--no-warnings' } });",
      { 'a.js': js },
      'a.js',
      [4, 5, 8],
      [2, 6],
    ],
    [
      'what a script in Node.js starts with no variables, and waits for',
      'cjs',
      "require('child_process').execFileSync('/bin/bash', ['a.sh'], { env: {} })",
      { 'a.sh': sh },
      'a.sh',
      [5, 8],
      [3, 6],
    ],
  ];
  for (const [what, ext, script, files, path, lines, not] of rows)
    it(`are told of ${what}`, async () => {
      const found = (await reached(ext, script, files))?.[path] ?? [];
      assert.deepEqual(
        [lines.filter((line) => isReached(found, { line })), not.filter((line) => isReached(found, { line }))],
        [lines, []],
        JSON.stringify(found),
      );
    });

  it('are told of the last call of a service, and of a command that is told to end', async () => {
    const server = [
      "require('http').createServer(({ url }, response) => {",
      "  if (url === '/ready') return void response.end();",
      "  response.end('last');",
      "}).listen(process.env.PORT, '127.0.0.1');",
    ];
    const waits = ['setTimeout(() => {', "  console.log('begun');", '}, 300);', 'setInterval(() => 1, 1000);'];
    const gone = ["process.on('SIGTERM', () => {", "  console.log('ended');", '  process.exit(3);', '});', ...waits];
    for (const [path, lines] of Object.entries({ 'd.js': server, 'e.js': waits, 'f.js': gone }))
      writeFileSync(join(world.tree, path), lines.join('\n'));
    const http = 'http://127.0.0.1:$PORT/ready';
    const service = { name: 'api', start: { command: 'node d.js' }, ready: { http }, limit: 20 };
    const end = (name: string): string =>
      `: > /tmp/o; node ${name} > /tmp/o & until grep -q begun /tmp/o; do :; done; kill $!; wait $!; echo $?`;
    const script = `${end('e.js')}; ${end('f.js')}; cat /tmp/o; curl -s "127.0.0.1:$PORT/x"`;
    const done = await world.run({ script, ext: 'sh', name: 'cli-a' }, { view: true, reach: true, services: [service] });
    const told = Object.entries(done.reached ?? {}).map(([path, places]) => [path, [3, 2].filter((line) => isReached(places, { line }))]);
    assert.deepEqual([done.exit, done.output], [0, '143\n3\nbegun\nended\nlast']);
    assert.deepEqual(Object.fromEntries(told), { 'd.js': [3, 2], 'e.js': [3, 2], 'f.js': [3, 2] });
  });

  it('are told in part where Node.js gets to a part of them', async () => {
    const lines = [
      "const never = (all) => all.map((one) => '<' + one);",
      "const text = process.argv[2] ? 'given' : 'none';",
      "const late = () => 'late'; setTimeout(() => console.log(late(), text), 200);",
    ];
    const found = (await reached('sh', 'node c.js', { 'c.js': lines.join('\n') }))?.['c.js'] ?? [];
    const isThere = (line: number, part: string): boolean => isReached(found, { line, column: (lines[line - 1] ?? '').indexOf(part) });
    const parts: [line: number, part: string, reached: boolean][] = [
      [1, 'never', true],
      [1, 'all.map', false],
      [1, "'<'", false],
      [2, "'given'", false],
      [2, "'none'", true],
      [3, "'late'", true],
      [3, 'console', true],
    ];
    for (const [line, part, is] of parts) assert.equal(isThere(line, part), is, `${part} in ${JSON.stringify(found)}`);
  });

  it('are read from plain files alone: no pipe is waited for, and no link is followed', async () => {
    // It names a line of the tree, and lies outside of the reports.
    writeFileSync(join(world.outside, 'told'), 'a.sh:7\n');
    const spoil = [
      `cd "$REPORTS_DIR"; mkdir -p .reach; mkfifo .reach/a; ln -s ${world.outside}/told .reach/b`,
      `rm -rf "$REPORTS_DIR/.reach"; ln -s ${world.outside} "$REPORTS_DIR/.reach"`,
    ];
    for (const script of spoil) assert.deepEqual(await reached('sh', script, {}), {});
  });

  it('change neither what is printed nor how it ends', async () => {
    writeFileSync(join(world.tree, 'a.sh'), sh, { mode: 0o755 });
    writeFileSync(join(world.tree, 'a.js'), js);
    const script = 'set -eu; ./a.sh; node a.js; f() { return 3; }; f || echo $?; (exit 4) || echo $?; false';
    const run = (reach: boolean) => world.run({ script, ext: 'sh', name: 'cli-a' }, { view: true, reach });
    const [plain, told] = [await run(false), await run(true)];
    assert.deepEqual([told.exit, told.output], [plain.exit, plain.output]);
    assert.deepEqual([plain.exit, plain.output, plain.reached, plain.reports], [1, '2\n2\n3\n4\n', undefined, told.reports]);
  });
});
