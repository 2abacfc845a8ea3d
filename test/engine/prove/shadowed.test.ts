/** Tools of the standard library in whose place the work has its own. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { shadowedTool } from '../../../src/engine/prove/shadowed.ts';

describe('a tool that a script runs', () => {
  const rows: [script: string, paths: string[], found: string | undefined][] = [
    ['python3 status.py | python3 -m json.tool --compact', ['json/tool.py', 'json/__init__.py'], 'python -m json.tool'],
    ['python -I -m json.tool', ['json.py'], 'python -m json.tool'],
    ['subprocess.run([sys.executable, "-m", "unittest"])', ['unittest.py'], 'python -m unittest'],
    ["spawnSync('python3', ['-m', 'zipfile', '-l', 'a.zip'])", ['zipfile.py', 'a.js'], 'python -m zipfile'],
    [`want=$(python3 -c '\nimport statistics, sys\nprint(1)')`, ['median.py', 'statistics.py'], 'import statistics'],
    [`spawnSync('python3', ['-c', 'from decimal import Decimal; print(1)'])`, ['decimal.py'], 'import decimal'],
    ['python3 - <<EOF\nimport random\nEOF', ['random.py'], 'import random'],
    [`python3 -c 'import ledger; print(ledger.sum())'`, ['ledger.py', 'statistics.py'], undefined],
    [`python3 -c 'import calendar; print(calendar.next())'`, ['calendar.py'], undefined],
    ['python3 -m json.tool', ['status.py', 'lib/json.py', 'jsonish.py'], undefined],
    ['python3 -m http.server 8000', ['http/index.html', 'http/server.js'], undefined],
    ['python3 -m wordcount a.txt', ['wordcount/__main__.py'], undefined],
    ['python3 -m calendar 2024', ['calendar.py'], undefined],
    ['python3 json.py', ['json.py'], undefined],
  ];
  for (const [script, paths, found] of rows)
    it(`is ${found === undefined ? 'not' : 'one of the work’s own,'} ${found ?? 'taken for one of the work'}: ${script}`, () =>
      assert.equal(shadowedTool(script, 'sh', paths, 'the `calendar.next` of a day'), found));

  it('is one of the work’s own too where its requirement only speaks of a format or a kind of thing of that name', () =>
    assert.equal(shadowedTool(`python3 -c 'import json'`, 'sh', ['json.py'], 'It prints JSON. A json of one line.'), 'import json'));

  it('is not what a script of Python imports itself, which looks in the library first', () =>
    assert.equal(shadowedTool('import statistics\n', 'py', ['statistics.py'], ''), undefined));
});
