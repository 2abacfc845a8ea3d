/** Which program runs a script on each platform, by a table; that they really run is shown in `runner.test.ts`. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { interpretersOf, knownExtensions } from '../../../src/host/sandbox/interpreter.ts';

const gitBash = [['C:\\Program Files\\Git\\bin\\bash.exe'], ['C:\\Program Files (x86)\\Git\\bin\\bash.exe'], ['sh']];
const python = [['py', '-3'], ['python']];
const typed = [['node', '--experimental-strip-types', '--disable-warning=ExperimentalWarning']];
const options = (commands: string[][], ...more: string[]): string[][] => commands.map((command) => [...command, ...more]);

/** Extension, first line, on Linux and macOS, on Windows. */
const table: [string, string, string[][], string[][]][] = [
  ['sh', 'echo', [['bash'], ['sh']], gitBash],
  ['py', 'print(1)', [['python3']], python],
  ['js', 'let a', [['node']], [['node']]],
  ['mjs', 'let a', [['node']], [['node']]],
  ['cjs', 'let a', [['node']], [['node']]],
  ['ts', 'let a', typed, typed],
  ['rb', 'puts 1', [], []],
  ['constructor', '', [], []],
  ['sh', '', [['bash'], ['sh']], gitBash],
  ['sh', '# not #!/bin/sh', [['bash'], ['sh']], gitBash],
  ['sh', '#!/bin/sh', [['/bin/sh']], gitBash],
  ['sh', '#!/bin/bash -eu', [['/bin/bash', '-eu']], options(gitBash, '-eu')],
  ['sh', '#! /bin/bash  -e  -u  ', [['/bin/bash', '-e  -u']], options(gitBash, '-e', '-u')],
  ['sh', '#!/bin/bash\r', [['/bin/bash']], gitBash],
  ['sh', '#!/bin/bash -e\r', [['/bin/bash', '-e']], options(gitBash, '-e')],
  ['sh', '#!/usr/bin/env bash', [['/usr/bin/env', 'bash']], gitBash],
  ['py', '#!/usr/bin/env python3\r', [['/usr/bin/env', 'python3']], python],
  ['py', '#!/usr/bin/python3.11 -I', [['/usr/bin/python3.11', '-I']], options(python, '-I')],
  ['sh', '#!/usr/bin/env node', [['/usr/bin/env', 'node']], [['node']]],
  ['js', '#!/usr/bin/env -S node --title=x', [['/usr/bin/env', '-S node --title=x']], [['node', '--title=x']]],
  ['js', '#!/usr/bin/env -S LANG=C node --title=x', [['/usr/bin/env', '-S LANG=C node --title=x']], [['node', '--title=x']]],
  ['rb', '#!/usr/bin/env ruby', [['/usr/bin/env', 'ruby']], [['ruby']]],
  ['pl', '#!C:\\Perl\\bin\\perl.exe -w', [['C:\\Perl\\bin\\perl.exe', '-w']], [['perl', '-w']]],
];

describe('the interpreter', () => {
  for (const [ext, line, unix, windows] of table)
    it(`of .${ext} with ${JSON.stringify(line)}`, () => {
      const on = (platform: NodeJS.Platform): string[][] => interpretersOf(ext, `${line}\nexit 1\n`, platform);
      assert.deepEqual({ linux: on('linux'), darwin: on('darwin'), win32: on('win32') }, { linux: unix, darwin: unix, win32: windows });
      assert.deepEqual(interpretersOf(ext, line, 'linux'), unix, 'without an end of line');
    });

  it('.sh on Windows: whatever QC may write has a program that runs it, on each platform', () => {
    assert.deepEqual(knownExtensions, ['sh', 'py', 'js', 'mjs', 'cjs', 'ts']);
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      for (const ext of knownExtensions) assert.ok(interpretersOf(ext, '', platform).length > 0, `${ext} on ${platform}`);
  });
});
