/** Faults that are near to right: where they are made, what they make of a value, and which place is chosen. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'mocha';
import type { Mutant } from '../../../src/engine/prove/mutants.ts';
import { createSyntax } from '../../../src/host/syntax/syntax.ts';
import { adds, mutantsOf, nearMutantsOf } from './support.ts';

const syntax = createSyntax();

async function near(path: string, text: string, isWanted: (line: number) => boolean = () => true): Promise<Mutant[]> {
  return nearMutantsOf(syntax, { [path]: text }, [adds(path, text.split('\n'))], ({ line }) => isWanted(line));
}

/** What a work with this fault prints for each value. */
function ran(command: string, flag: string, made: Mutant | undefined, values: readonly string[]): string[] {
  return values.map((value) => {
    const { stdout } = spawnSync(command, [flag, made?.text ?? '', '--', value], { encoding: 'utf8' });
    return stdout.trimEnd();
  });
}

const kinds = (found: readonly Mutant[]): string[] => found.map(({ line, operator }) => `${line} ${operator}`);
const lines = (...all: string[]): string => all.join('\n');
const given = ['other value returned', 'returned value changed', 'returned value shortened', 'letters swapped'];

describe('faults that are near to right', () => {
  const rows: [what: string, path: string, text: string, found: string[]][] = [
    ['a value that a function gives', 'a.js', lines('function f(a) {', '  return a.trim();', '}'), given.map((one) => `2 ${one}`)],
    ['one of Python', 'a.py', lines('def f(a):', '    return a.strip()'), given.map((one) => `2 ${one}`)],
    ['an arrow that has a name', 'a.ts', 'export const f = (a: string) => a.trim();', given.map((one) => `1 ${one}`)],
    ['what is printed', 'a.js', 'console.log(f());', ['1 output changed', '1 output lengthened', '1 letters swapped']],
    [
      'rows that are printed',
      'a.js',
      'for (const row of rows) console.log(row);',
      ['1 output changed', '1 output lengthened', '1 letters swapped', '1 output cut short'],
    ],
    ['rows that are joined', 'a.js', "const text = rows.map(f).join('');", ['1 output cut short']],
    [
      'rows in an order that a function of the work prints',
      'a.js',
      'print(rows.length ? rows.sort(byName).map(row) : none);',
      ['1 output cut short', '1 output reversed'],
    ],
    [
      'rows that another function puts in order',
      'a.js',
      'list.sort(byName);\nfunction show(rows) {\n  send(rows.map(f));\n}',
      ['3 output cut short'],
    ],
    ['rows that Python joins', 'a.py', "text = ''.join(f(row) for row in rows)", ['1 output cut short']],
    ['rows of which a list is joined', 'a.py', "text = ','.join([f(row) for row in rows])", ['1 output cut short']],
    ['rows that are only counted', 'a.py', 'n = sum(row.n for row in rows)', []],
    ['rows that nobody is shown', 'a.js', 'const all = rows.map(f);', []],
    [
      'rows in an order',
      'a.py',
      lines('rows = sorted(all)', 'for row in rows:', '    print(row)'),
      ['3 output changed', '3 output lengthened', '3 letters swapped', '2 output cut short', '2 output reversed'],
    ],
    [
      'the last of two places that have as many',
      'a.py',
      lines('def f(a):', '    return a + 1', 'def g(a):', '    return a + 2'),
      given.map((one) => `4 ${one}`),
    ],
    ['a constant', 'a.js', "function f() {\n  return 'a';\n}", []],
    ['an object', 'a.js', 'function f(a) {\n  return { a };\n}', []],
    [
      'a list that it filled',
      'a.js',
      'function f(a) {\n  const rows = [];\n  rows.push(a);\n  return rows;\n}',
      ['4 returned value changed', '4 returned value shortened'],
    ],
    [
      'a list that it made of another',
      'a.py',
      'def f(a):\n    return [g(one) for one in a]',
      ['2 returned value changed', '2 returned value shortened'],
    ],
    ['a list of two', 'a.js', 'function f(a) {\n  const pair = [a, g(a)];\n  return pair;\n}', []],
    ['a set of Python', 'a.py', 'def f(a):\n    rows = set()\n    rows.add(a)\n    return rows', []],
    ['values at fixed places', 'a.py', 'def f(a):\n    return a, 1', []],
    ['by what equal contents are found', 'a.py', 'def key(a):\n    return sha(a).hexdigest()', []],
    ['a truth', 'a.py', 'def f(a):\n    return not a', []],
    ['a status', 'a.py', 'def main(a):\n    return run(a)', []],
    ['what a callback gives', 'a.js', 'list.map((a) => a.trim());', []],
    ['what a route that answers gives', 'a.js', lines("app.get('/', (request, response) => {", '  return response.send(f());', '});'), []],
    ['what an event gives', 'a.js', lines("it.on('end', () => {", '  return f();', '});'), []],
    [
      'what a route answers',
      'a.js',
      lines("app.get('/', async (request) => {", '  return f(request);', '});'),
      given.map((one) => `2 ${one}`),
    ],
    ['an order of two', 'a.js', 'list.sort((a, b) => a - b);', []],
    [
      'a function that gives nothing',
      'a.py',
      lines('def answer(n):', '    send(n)', 'def get(n):', '    return answer(n) if n else answer(0)'),
      [],
    ],
    ['what a shell prints', 'a.sh', 'echo "$(total)"', ['1 output changed', '1 output lengthened']],
    [
      'rows that a pipeline of a shell prints in an order',
      'a.sh',
      lines('if [ -n "$1" ]; then', '  for f in *; do wc -c "$f"; done | sort -n | cut -f2', 'fi'),
      ['2 output changed', '2 output lengthened', '2 output cut short', '2 output reversed'],
    ],
    [
      'rows of which a pipeline takes out what is there twice',
      'a.sh',
      'cat "$1" | sort | uniq',
      ['1 output changed', '1 output lengthened', '1 output cut short'],
    ],
    ['an empty line that a shell prints', 'a.sh', 'echo\necho ""', []],
    ['what a shell takes as a value', 'a.sh', 'total=$(cat "$1" | wc -l)', []],
    ['what a shell writes into a file', 'a.sh', 'sort "$1" | head > "$2"', []],
    ['what a shell only asks', 'a.sh', 'if cat "$1" | grep x; then f; fi', []],
    ['what a function of a shell prints', 'a.sh', lines('f() {', '  cat "$1" | sort', '}'), []],
    ['what a shell prints into another command', 'a.sh', 'cat "$1" | sort | mail you', []],
    ['a language that has none', 'a.go', 'package a\nfunc F(a int) int {\n\treturn a + 1\n}', []],
  ];
  for (const [what, path, text, found] of rows)
    it(`${found.length > 0 ? 'are made in' : 'are not made in'} ${what}`, async () =>
      assert.deepEqual(kinds(await near(path, text)), found));

  it('are made only on lines that are wanted', async () => {
    const text = lines('def f(a):', '    return a + 1', 'def g(a):', '    return a + 2');
    assert.deepEqual(
      kinds(await near('a.py', text, (line) => line < 3)),
      given.map((one) => `2 ${one}`),
    );
  });

  it('are first, of several places, where rows are shown', async () => {
    const text = lines("const text = rows.map(f).join('');", ...['a', 'b', 'c'].map((name) => `const ${name} = (v) => v.${name};`));
    const found = await nearMutantsOf(syntax, { 'a.js': text }, [adds('a.js', text.split('\n'))], () => true, true);
    assert.deepEqual([...new Set(found.map(({ line }) => line))], [1, 4]);
  });

  it('are in one script of a page, not in two', async () => {
    const script = '<script>\nfunction f(a) {\n  return a.trim();\n}\n</script>\n';
    assert.deepEqual(
      kinds(await near('a.html', script + script.replace('trim', 'trimEnd'))),
      given.map((one) => `8 ${one}`),
    );
  });

  it('make a number a tenth and one higher or lower, a text a sign longer or shorter, and swap letters', async () => {
    const values = async (value: string): Promise<unknown[]> => {
      const found = await near('a.js', 'const f = (v) => v.x;');
      const made = found.map(({ text }): unknown => {
        try {
          // eslint-disable-next-line @typescript-eslint/no-implied-eval
          return new Function(`${text}\nreturn f({ x: ${value} });`)() as unknown;
        } catch (error) {
          return (error as Error).name;
        }
      });
      return made.slice(1);
    };
    assert.deepEqual(await values('344'), [379, 309, 'TypeError']);
    assert.deepEqual(await values(String.raw`'Ab c\n'`), ['Ab cc\n', 'Ab \n', 'aB C\n']);
    assert.deepEqual(await values("' '"), ['TypeError', 'TypeError', '- ']);
    assert.deepEqual(await values("'12'"), ['122', '1', '-12']);
    assert.deepEqual(await values('[1, 2]'), ['TypeError', 'TypeError', 'TypeError']);
    assert.deepEqual(await values('new Map()'), ['TypeError', 'TypeError', 'TypeError']);
  });

  it('make the last of a list longer, or leave it out', async () => {
    const lists = ['[1, 20]', "['a', 'b']", '[]', '[1, [2]]', "['a', ' ']"];
    const made = ['[1,23]', '[1]', '["a","bb"]', '["a"]', '[]', '[]', '[1]', '[1]', '["a"]', '["a"]'];
    const work = [
      [
        'a.js',
        'function f(all) {\n  const rows = [];\n  rows.push(...all);\n  return rows;\n}',
        (list: string) => `console.log(JSON.stringify(f(${list})))`,
      ],
      [
        'a.py',
        'def f(all):\n    rows = []\n    rows.extend(all)\n    return rows',
        (list: string) => `import json\nprint(json.dumps(f(${list}), separators=(",", ":")))`,
      ],
    ] as const;
    for (const [path, text, shown] of work) {
      const found = await near(path, text);
      const [command, flag] = path === 'a.js' ? [process.execPath, '-e'] : ['python3', '-c'];
      const all = lists.flatMap((list) =>
        found.map((one) => spawnSync(command, [flag, `${one.text}\n${shown(list)}`], { encoding: 'utf8' })),
      );
      assert.deepEqual(
        all.map(({ stdout }) => stdout.trim()),
        made,
        path,
      );
    }
  });

  it('change the last sign of what is printed, and of a number with few decimals its last digit', async () => {
    const values = ['7', '0.7', '-1.38', '0.125', '1.5.25', 'total: 18.9', '40 %', 'a'];
    const printed = ['9', '0.9', '-1.30', '0.12_', '1.5.2_', 'total: 18.1', '40 _', '_'];
    const run = (command: string, flag: string, [made]: Mutant[]): string[] => ran(command, flag, made, values);
    assert.deepEqual(run(process.execPath, '-e', await near('a.js', 'console.log(process.argv.at(-1));')), printed);
    assert.deepEqual(run('python3', '-c', await near('a.py', 'import sys\nprint(sys.argv[-1])')), printed);
  });

  it('print the last digit of the last number twice, and another last character where there is none, or it may be about right', async () => {
    const values = ['7', 'Total: 20.29', '-0.5 EUR', '3 files in 12 folders', '0.125', '1.5.25', 'none'];
    const printed = ['77', 'Total: 20.299', '-0.55 EUR', '3 files in 122 folders', '0.12_', '1.5.2_', 'non_'];
    const isLonger = ({ operator }: Mutant): boolean => operator === 'output lengthened';
    const printers: [command: string, flag: string, path: string, text: string][] = [
      [process.execPath, '-e', 'a.js', 'console.log(process.argv.at(-1));'],
      ['python3', '-c', 'a.py', 'import sys\nprint(sys.argv[-1])'],
      ['sh', '-c', 'a.sh', 'echo "$1"'],
    ];
    for (const [command, flag, path, text] of printers)
      assert.deepEqual(ran(command, flag, (await near(path, text)).find(isLonger), values), printed, path);
  });

  it('are not spread over the work for its strength: what a function without a value gives has no neighbour there either', async () => {
    const text = lines('def answer(n):', '    send(n)', 'def get(n):', '    return answer(n)', 'def one(n):', '    return n + 1');
    const spread = await mutantsOf(syntax, { 'a.py': text }, [adds('a.py', text.split('\n'))], 200);
    assert.deepEqual(
      spread.filter(({ operator }) => operator === 'returned value changed').map(({ line }) => line),
      [6],
    );
  });
});
