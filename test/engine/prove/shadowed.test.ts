/** Tools of the standard library in whose place the work has its own. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { shadowedTool } from '../../../src/engine/prove/shadowed.ts';

describe('a tool that a script runs', () => {
  const rows: [script: string, paths: string[], found: string | undefined][] = [
    ['python3 status.py | python3 -m json.tool --compact', ['json/tool.py', 'json/__init__.py'], 'json.tool'],
    ['python -I -m json.tool', ['json.py'], 'json.tool'],
    ['subprocess.run([sys.executable, "-m", "unittest"])', ['unittest.py'], 'unittest'],
    ["spawnSync('python3', ['-m', 'zipfile', '-l', 'a.zip'])", ['zipfile.py', 'a.js'], 'zipfile'],
    ['python3 -m json.tool', ['status.py', 'lib/json.py', 'jsonish.py'], undefined],
    ['python3 -m http.server 8000', ['http/index.html', 'http/server.js'], undefined],
    ['python3 -m wordcount a.txt', ['wordcount/__main__.py'], undefined],
    ['python3 -m calendar 2024', ['calendar.py'], undefined],
    ['python3 json.py', ['json.py'], undefined],
  ];
  for (const [script, paths, found] of rows)
    it(`is ${found === undefined ? 'not' : 'one of the work’s own,'} ${found ?? 'taken for one of the work'}: ${script}`, () =>
      assert.equal(shadowedTool(script, paths), found));
});
