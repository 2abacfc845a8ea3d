/** Finds the expected and the actual value in a failure's text, as frameworks and scripts print them. */

export interface Values {
  expected?: string;
  actual?: string;
  diff?: string;
}

/** Values that are named in words come first, then the sides of a printed diff, then what an assertion compares. */
export function valuesIn(lines: readonly string[]): Values {
  const block = diffIn(lines);
  const diff = block && { diff: block.text };
  const named = pairOf(lines, expectedLine, actualLine) ?? pairOf(lines, rustRight, rustLeft) ?? inWords(lines);
  return { ...(named ?? block?.sides ?? compared(lines)), ...diff };
}

type Sides = Required<Pick<Values, 'expected' | 'actual'>>;

/** `Expected: 5`, `expected: 5,`. */
const expectedLine = /^\s*(?:E\s+)?expected(?: \w+){0,3} ?[:=] ?(\S.*)$/i;
const actualLine = /^\s*(?:E\s+)?(?:actual|received|got)(?: \w+){0,3} ?[:=] ?(\S.*)$/i;
const rustLeft = /^\s*left: `?(.*?)`?,?$/;
const rustRight = /^\s*right: `?(.*?)`?(?:: [^`]*)?$/;

function pairOf(lines: readonly string[], one: RegExp, other: RegExp): Sides | undefined {
  const expected = firstMatch(lines, one)?.[1];
  const actual = firstMatch(lines, other)?.[1];
  if (expected === undefined || actual === undefined || isOpen(expected) || isOpen(actual)) return undefined;
  return { expected: value(expected), actual: value(actual) };
}

/** A value that continues on the next lines; only the diff has all of it. */
function isOpen(text: string): boolean {
  return /^[A-Za-z]*\s*[{[(],?$/.test(text.trim());
}

/** `expected 'a', got 'b'`, as scripts print it. */
const words = /\bexpected:? (\S.*?)[,;]? (?:but )?(?:got|received|actual|was):? (\S.*)$/i;
/** pytest's `E  assert -1 == 5`, and Chai's `expected -1 to be 5`. */
const python = /^E\s+(?:AssertionError: )?assert (.+) == (.+)$/;
const chai = /\bexpected (\S.*) to (?:be|equal|(?:deeply|strictly|deep|loosely) equal) (\S.*?)(?: \/\/ .*)?$/;

function inWords(lines: readonly string[]): Sides | undefined {
  const match = firstMatch(lines, words);
  return match && { expected: value(match[1] ?? ''), actual: value(match[2] ?? '') };
}

function compared(lines: readonly string[]): Sides | undefined {
  const match = firstMatch(lines, python) ?? firstMatch(lines, chai);
  return match && { expected: value(match[2] ?? ''), actual: value(match[1] ?? '') };
}

/** Node prints both as fields of an error, with a comma after each. */
function value(text: string): string {
  return text.trim().replace(/,$/, '');
}

function firstMatch(lines: readonly string[], pattern: RegExp): RegExpExecArray | undefined {
  for (const line of lines) {
    const match = pattern.exec(line);
    if (match) return match;
  }
  return undefined;
}

/** First line of a diff, and the mark of the expected side: Jest and Vitest, Mocha, Node. */
const heads: [RegExp, '-' | '+'][] = [
  [/^\s*- Expected(?:  - \d+)?$/, '-'],
  [/^\s*\+ expected - actual$/, '+'],
  [/^\s*\+ actual - expected$/, '-'],
];

function diffIn(lines: readonly string[]): { text: string; sides: Sides } | undefined {
  // Mocha prints its own diff after the assertion's; only the last one is complete.
  const at = lines.findLastIndex((line) => heads.some(([head]) => head.test(line)));
  const head = heads.find(([pattern]) => pattern.test(lines[at] ?? ''));
  if (!head) return undefined;
  const depth = (lines[at] ?? '').search(/\S/);
  const from = /^\s*\+ Received/.test(lines[at + 1] ?? '') ? at + 2 : at + 1;
  const block = blockAt(lines, from, depth);
  if (block.length === 0) return undefined;
  const side = (mark: string): string => undented(block.filter((line) => line[0] === ' ' || line[0] === mark));
  const [expected, actual] = head[1] === '-' ? [side('-'), side('+')] : [side('+'), side('-')];
  return { text: block.join('\n'), sides: { expected, actual } };
}

function blockAt(lines: readonly string[], from: number, depth: number): string[] {
  const block: string[] = [];
  for (const line of lines.slice(from)) {
    const own = line.slice(depth);
    if (own.trim() === '' && block.length === 0) continue;
    if (!/^[ +-]/.test(own) || /^\s+at \S|^\s*\d+ \|/.test(line)) break;
    block.push(own);
  }
  return block;
}

function undented(lines: readonly string[]): string {
  const bare = lines.map((line) => line.slice(1));
  const depth = bare.reduce((least, line) => Math.min(least, Math.max(0, line.search(/\S/))), Infinity);
  return bare.map((line) => line.slice(depth)).join('\n');
}
