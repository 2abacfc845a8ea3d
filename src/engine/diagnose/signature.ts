/**
 * A failure's signature: equal for the same failure, different for another (I9). Parts that vary from run to run (times, paths,
 * addresses, hashes, ports) are normalised away; values in assertions are kept.
 */
import { pieceOf, withoutColours } from '../ground/text.ts';
import type { RunFacts } from './classify.ts';
import type { FailureKind } from '../work/verification.ts';
import { caseWords, identityOf } from './cases.ts';
import type { Cases } from './reports/read-cases.ts';

const errorLine = /error|fail|assert|expected|received|actual|exception|panic|not ok|missing|cannot|[✗✘✖✕]/i;
/** Lines after an error line that may hold its values: `-1 !== 5`. */
const linesAfterError = 2;
const maxLines = 24;
const lastLines = 6;

/** From the cases that a framework names, else from the error lines of the output. */
export function signature(run: RunFacts, kind: FailureKind, cases?: Cases): string {
  const identity = identityOf(cases);
  if (identity !== undefined) return `${kind}-${hash(`${run.exit ?? 'killed'}\n${normalize(identity)}`)}`;
  const lines = normalize(run.output)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const near = (_: string, index: number): boolean =>
    lines.slice(Math.max(0, index - linesAfterError), index + 1).some((line) => errorLine.test(line));
  const picked = lines.filter(near).slice(0, maxLines);
  const text = (picked.length > 0 ? picked : lines.slice(-lastLines)).join('\n');
  return `${kind}-${hash(`${run.exit ?? 'killed'}\n${text}`)}`;
}

/** A summary of one to three lines for people and prompts. */
export function summarize(run: RunFacts, kind: FailureKind, cases?: Cases): string {
  const lines = run.output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const words = cases && caseWords(cases);
  const picked = cases?.reported === true ? firstMessage(cases) : lines.filter((line) => errorLine.test(line)).slice(0, 2);
  const shown = (picked.length > 0 ? picked : lines.slice(-2)).map((line) => pieceOf(line, 0, 200));
  const status = run.timedOut ? 'timed out' : run.exit === null ? 'killed' : `exit status ${run.exit}`;
  return [`${kind.replace('_', ' ')}, ${status}`, ...(words === undefined ? [] : [words]), ...shown].slice(0, 3).join('\n');
}

/** The message of the first failed case, with its place. */
function firstMessage({ cases }: Cases): string[] {
  const first = cases.find(({ verdict, message }) => verdict === 'failed' && message !== undefined);
  const place = first?.file === undefined ? '' : `${first.file}${first.line === undefined ? '' : `:${first.line}`}: `;
  return first ? [`${place}${(first.message ?? '').replaceAll(/\s+/g, ' ')}`] : [];
}

/**
 * Not behind a word of an assertion, where a value is what was asserted.
 * @param of what may stand between. @param sign the last sign before it
 */
function unasserted(of = '', sign = String.raw`[^\w\n]`): string {
  return String.raw`(?<!\b(?:[Ee]xpected|[Rr]eceived|[Aa]ctual|[Gg]ot|[Ww]ant(?:ed)?)\b[^\w\n]{0,3}${sign}${of})`;
}

/** A duration without quotes was measured, so it varies. */
const unquoted = unasserted('', String.raw`["'\x60]`);

const time = String.raw`\d{4}-\d{2}-\d{2}[T _]\d{2}[:_-]\d{2}[:_-]\d{2}`;
const zone = String.raw`(?:Z|[+-]\d{2}:?\d{2})?`;

/** What varies from run to run. A value that is asserted stays, unless it is as exact as only a clock, an address or a random name is. */
const varying: readonly [RegExp, string][] = [
  [new RegExp(String.raw`${time}[.,_]\d+${zone}|${unasserted()}${time}${zone}`, 'g'), '<time>'],
  [new RegExp(String.raw`\b(?:\d+\.\d{2,}|(?<!\d\.)${unquoted}\d+(?:\.\d)?)\s?(?:ms|s|sec|seconds)\b`, 'g'), '<duration>'],
  [/(?<=\bduration_ms:? )\d+(\.\d+)?/g, '<duration>'],
  [/(?<=\bthread '[^']{0,80}' )\(\d+\)|(?<=\((node|pid)[: ])\d+/g, '<id>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<id>'],
  [new RegExp(String.raw`\b(?:0x[0-9a-f]{9,}|${unasserted()}0x[0-9a-f]+)\b`, 'gi'), '<address>'],
  [new RegExp(String.raw`\b(?=[a-f]*\d)(?=\d*[a-f])(?:[0-9a-f]{16,64}|${unasserted()}[0-9a-f]{7,64})\b`, 'gi'), '<hash>'],
  [/(127\.0\.0\.1|localhost|\[::1\]):\d+/g, '<host>'],
  [new RegExp(String.raw`\b(?:port:? \d{5}|${unasserted()}port:? \d+)`, 'gi'), '<port>'],
  [/(\/tmp|\/var\/folders|\/verification|[A-Za-z]:\\)[^\s:'")]*/g, '<path>'],
  [/(?<=\.[a-z]\w{0,4}):\d+\b(?::\d+\b)?|(?<=\.[a-z]\w{0,4})\(\d+,\d+\)|(?<=", line )\d+/gi, ':<line>'],
  [new RegExp(String.raw`(?=:\d)${unasserted(String.raw`[\dT _-]{1,13}`)}:\d+:\d+\b`, 'g'), ':<line>'],
];

function normalize(text: string): string {
  return varying.reduce((left, [pattern, by]) => left.replaceAll(pattern, by), withoutColours(text));
}

/** FNV-1a, twice with different seeds: 64 bits are enough to tell a sprint's failures apart. */
function hash(text: string): string {
  return [0x811c9dc5, 0x01000193].map((seed) => fnv(text, seed).toString(16).padStart(8, '0')).join('');
}

function fnv(text: string, seed: number): number {
  let value = seed;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value;
}
