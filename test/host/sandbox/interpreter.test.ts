/** Which program runs a script on each platform. `runner.test.ts` shows that the programs really run. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { scriptExtensions } from '../../../src/engine/work/script-language.ts';
import { interpretersOf } from '../../../src/host/sandbox/interpreter.ts';

const gitBash = [['C:\\Program Files\\Git\\bin\\bash.exe'], ['C:\\Program Files (x86)\\Git\\bin\\bash.exe'], ['sh']];
const python = [['py', '-3'], ['python']];
const typed = [['node', '--experimental-strip-types', '--disable-warning=ExperimentalWarning']];
const options = (commands: string[][], ...more: string[]): string[][] => commands.map((command) => [...command, ...more]);

const cases: [ext: string, line: string, unix: string[][], windows: string[][]][] = [
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

describe('the interpreters', () => {
  for (const [ext, line, unix, windows] of cases)
    it(`of a .${ext} script that begins with ${JSON.stringify(line)}`, () => {
      const interpreters = (platform: NodeJS.Platform): string[][] => interpretersOf(ext, `${line}\nexit 1\n`, platform);
      assert.deepEqual(
        { linux: interpreters('linux'), darwin: interpreters('darwin'), win32: interpreters('win32') },
        { linux: unix, darwin: unix, win32: windows },
      );
      assert.deepEqual(interpretersOf(ext, line, 'linux'), unix, 'the first line is the only one');
    });

  it('exist for each extension that QC may write, on each platform, also for .sh on Windows', () => {
    assert.deepEqual(scriptExtensions, ['sh', 'py', 'js', 'mjs', 'cjs', 'ts']);
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      for (const ext of scriptExtensions) assert.ok(interpretersOf(ext, '', platform).length > 0, `${ext} on ${platform}`);
  });
});
