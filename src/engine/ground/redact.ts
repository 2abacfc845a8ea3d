/**
 * Removes secrets from text before it enters a conversation, a journal, a log or a commit (I13). Keys of a known shape are
 * always removed. A value next to a name like `password` is removed only if it looks random, so that code, hashes and
 * placeholders stay.
 */
import type { TextSpan } from './text.ts';

/** Stands in the place of a secret. */
export const redactedMark = '[redacted]';

/** Replaces each secret by `[redacted]`. Idempotent, and linear in the text's length. */
export function redact(text: string): string {
  let clean = redactKeyTails(text.replace(keyBlock, redactedMark));
  clean = clean.replace(knownKey, redactedMark);
  clean = clean.replace(npmAuth, `$1${redactedMark}`);
  clean = clean.replace(authorizationHeader, (all: string, before: string, value: string) =>
    isBase64(value) ? before + redactedMark : redactIfRandom(all, before, value),
  );
  clean = clean.replace(urlPassword, (all: string, before: string, value: string) => redactIfRandom(all, before, value));
  return clean.replace(assignment, redactAssignment);
}

/** Where secrets stand in a text, in order. Two secrets in one line are one place. */
export function secretsIn(text: string): TextSpan[] {
  if (redact(text) === text) return [];
  const blocks = [...text.matchAll(keyBlock)].map(({ 0: block, index }) => ({ from: index, to: index + block.length }));
  const inLines = [...text.matchAll(/[^\r\n]+/g)].flatMap(({ 0: line, index }) => {
    if (blocks.some(({ from, to }) => from <= index && index < to)) return [];
    const place = changedPart(line, redact(line));
    return place ? [{ from: index + place.from, to: index + place.to }] : [];
  });
  const found = [...blocks, ...inLines].sort((a, b) => a.from - b.from);
  // A secret that goes over lines, such as a name with its value below it.
  return found.length > 0 ? found : [changedPart(text, redact(text))].flatMap((place) => place ?? []);
}

/** The part of a line that its clean form lacks. */
function changedPart(line: string, clean: string): TextSpan | undefined {
  if (line === clean) return undefined;
  let from = 0;
  while (from < line.length && line[from] === clean[from]) from += 1;
  let after = 0;
  while (after < Math.min(line.length, clean.length) - from && line.at(-1 - after) === clean.at(-1 - after)) after += 1;
  return { from, to: line.length - after };
}

const beginMarker = '-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----';
const endMarker = '-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----';
/** Separators between the lines of a key that is quoted in code, YAML or JSON. */
const separators = String.raw`(?:[\s"',|>]|\\[rn])*`;
const keyLine = String.raw`${separators}(?:[A-Za-z0-9+/=]{20,}|(?:Proc-Type|DEK-Info|Version|Comment):[^\r\n\\]*)`;
/** Also matches a key whose end was cut off, but not a marker alone, as code may contain it. */
const keyBlock = new RegExp(`${beginMarker}(?:${keyLine})+(?:${separators}[A-Za-z0-9+/=]{0,19}${separators}${endMarker})?`, 'g');

/** Keys of services, by the prefix that the issuer gives them. */
const keyShapes = [
  String.raw`sk-ant-[\w-]{20,}`,
  String.raw`sk-(?:proj|svcacct|admin)-[\w-]{20,}`,
  String.raw`sk-[A-Za-z0-9]{32,}`,
  String.raw`gh[pousr]_[A-Za-z0-9]{36,}`,
  String.raw`github_pat_\w{40,}`,
  String.raw`glpat-[\w-]{20,}`,
  String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
  String.raw`xox[abeoprs]-[A-Za-z0-9-]{10,}`,
  String.raw`xapp-\d-[A-Za-z0-9-]{20,}`,
  String.raw`AIza[\w-]{35}(?![\w-])`,
  String.raw`ya29\.[\w-]{20,}`,
  String.raw`GOCSPX-[\w-]{28}`,
  String.raw`npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])`,
  String.raw`pypi-[\w-]{50,}`,
  String.raw`[rs]k_(?:live|test)_[A-Za-z0-9]{16,}`,
  String.raw`whsec_[A-Za-z0-9+/]{32,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`hf_[A-Za-z0-9]{34}(?![A-Za-z0-9])`,
  String.raw`dop_v1_[a-f0-9]{64}`,
  String.raw`shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}`,
  String.raw`hvs\.[\w-]{24,}`,
  String.raw`AGE-SECRET-KEY-1[0-9A-Z]{58}`,
  String.raw`\d{8,10}:AA[\w-]{33}(?![\w-])`,
  String.raw`eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}`,
];
const slackHook = String.raw`(?<=hooks\.slack\.com\/services\/)T\w{8,}\/B\w{8,}\/\w{20,}`;
const knownKey = new RegExp(`(?<![A-Za-z0-9_-])(?:${keyShapes.join('|')})|${slackHook}`, 'g');

const npmAuth = /(_(?:authToken|auth|password)[ \t]{0,4}=[ \t]{0,4}"?)(?!\[redacted\])[^\s"$]{8,}/g;
const authorizationHeader = /(authorization["']?\s{0,4}[:=]\s{0,4}["'`]?(?:bearer|basic|token)\s{1,4})([\w.~+/=-]{8,})/gi;
const urlPassword = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'<>]{0,80}:)([^\s:/@"'<>${}]{6,200})(?=@[\w.-])/gi;

const secretName =
  'pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|auth[_-]?key|credentials?';
const assignment = new RegExp(
  String.raw`((?:${secretName})[\w.-]{0,40}["'\`]?\]?\s{0,4}(?::=|=>|[:=])\s{0,4}["'\`]?)([\w+/=.~!@#%^&*?$-]{8,256})(?![\w(\[{<])`,
  'gi',
);
/** Parts of names that only describe a secret. */
const descriptiveName = /hash|sha\d|digest|checksum|fingerprint|[_-]id\b|url|path|file/i;

function redactAssignment(all: string, before: string, value: string): string {
  return descriptiveName.test(before) ? all : redactIfRandom(all, before, value);
}

function redactIfRandom(all: string, before: string, value: string): string {
  return isRandomLooking(value) ? before + redactedMark : all;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const version = /^[v^~=]{0,2}\d+(?:\.\d+)+/;
const memberAccess = /^(?:[A-Za-z_]\w*[.?!])+[A-Za-z_]\w*$/;
const reference = /^[$%./~&*#@!]/;
const hex = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{24,}$/i;

/** Whether a value looks generated: mixed kinds of characters in short runs. */
function isRandomLooking(value: string): boolean {
  if (reference.test(value) || uuid.test(value) || version.test(value) || memberAccess.test(value)) return false;
  if (hex.test(value)) return true;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return kinds >= 2 && /\d/.test(value) && /[A-Za-z]/.test(value) && !isMadeOfWords(value);
}

/** `user:password` in Base64 may have no digit; the mixed case tells it from plain words. */
function isBase64(value: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(value) && value.length % 4 === 0 && /[a-z][A-Z].*[a-z]/.test(value);
}

const wordBoundary = /[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])/;

/** Words of some length and few numbers: `maxTokens2048`, `my-secret-name-01`, `packages/core`. */
function isMadeOfWords(value: string): boolean {
  const parts = value.split(wordBoundary).filter(Boolean);
  const words = parts.filter((part) => /[A-Za-z]/.test(part));
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  return letters / words.length >= 3.5 && parts.length - words.length <= Math.max(1, words.length / 2);
}

const endMarkers = new RegExp(endMarker, 'g');

/** Removes the rest of a key whose beginning was cut off: lines of Base64 directly above an end marker. */
function redactKeyTails(text: string): string {
  let clean = '';
  let done = 0;
  for (const { 0: marker, index } of text.matchAll(endMarkers)) {
    const start = startOfBase64(text, index, done);
    if (start === index) continue;
    clean += text.slice(done, start) + redactedMark;
    done = index + marker.length;
  }
  return clean + text.slice(done);
}

function startOfBase64(text: string, end: number, floor: number): number {
  let start = end;
  while (start > floor) {
    const line = text.lastIndexOf('\n', start - 2) + 1;
    if (line < floor || !/^[ \t]*[A-Za-z0-9+/=]+\s*$/.test(text.slice(line, start))) break;
    start = line;
  }
  return start;
}
