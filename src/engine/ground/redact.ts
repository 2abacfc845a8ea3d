/**
 * Takes secrets out of text before it enters a conversation, a journal, a log or a commit (I13). Pure and idempotent.
 * Keys of known shapes always go; a value beside a name such as `password` goes only if it looks random, so that code,
 * hashes, identifiers and placeholders stay as they are.
 */

const GONE = '[redacted]';

/** The same text with each secret replaced by `[redacted]`. Linear in the text's length. */
export function redact(text: string): string {
  let clean = headlessKeys(text.replace(KEY_BLOCK, GONE));
  clean = clean.replace(KNOWN, GONE);
  clean = clean.replace(NPM_AUTH, `$1${GONE}`);
  clean = clean.replace(AUTHORIZATION, (all: string, before: string, value: string) =>
    isBase64(value) ? before + GONE : replaced(all, before, value),
  );
  clean = clean.replace(ADDRESS, (all: string, before: string, value: string) => replaced(all, before, value));
  return clean.replace(ASSIGNMENT, assigned);
}

const BEGIN = '-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----';
const END = '-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----';
/** What stands between the lines of a key that is quoted in code, YAML or JSON. */
const BETWEEN = String.raw`(?:[\s"',|>]|\\[rn])*`;
const KEY_LINE = String.raw`${BETWEEN}(?:[A-Za-z0-9+/=]{20,}|(?:Proc-Type|DEK-Info|Version|Comment):[^\r\n\\]*)`;
/** A block whose end was cut off goes too; a mere marker, as in code, stays. */
const KEY_BLOCK = new RegExp(`${BEGIN}(?:${KEY_LINE})+(?:${BETWEEN}[A-Za-z0-9+/=]{0,19}${BETWEEN}${END})?`, 'g');

/** Keys of services, each by the prefix that its issuer gave it. */
const SHAPES = [
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
const HOOK = String.raw`(?<=hooks\.slack\.com\/services\/)T\w{8,}\/B\w{8,}\/\w{20,}`;
const KNOWN = new RegExp(`(?<![A-Za-z0-9_-])(?:${SHAPES.join('|')})|${HOOK}`, 'g');

const NPM_AUTH = /(_(?:authToken|auth|password)[ \t]{0,4}=[ \t]{0,4}"?)(?!\[redacted\])[^\s"$]{8,}/g;
const AUTHORIZATION = /(authorization["']?\s{0,4}[:=]\s{0,4}["'`]?(?:bearer|basic|token)\s{1,4})([\w.~+/=-]{8,})/gi;
const ADDRESS = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'<>]{0,80}:)([^\s:/@"'<>${}]{6,200})(?=@[\w.-])/gi;

const NAME = 'pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|auth[_-]?key|credentials?';
const ASSIGNMENT = new RegExp(
  String.raw`((?:${NAME})[\w.-]{0,40}["'\`]?\]?\s{0,4}(?::=|=>|[:=])\s{0,4}["'\`]?)([\w+/=.~!@#%^&*?$-]{8,256})(?![\w(\[{<])`,
  'gi',
);
/** Names of things that only speak about a secret. */
const ABOUT = /hash|sha\d|digest|checksum|fingerprint|[_-]id\b|url|path|file/i;

function assigned(all: string, before: string, value: string): string {
  return ABOUT.test(before) ? all : replaced(all, before, value);
}

function replaced(all: string, before: string, value: string): string {
  return looksRandom(value) ? before + GONE : all;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const VERSION = /^[v^~=]{0,2}\d+(?:\.\d+)+/;
const CODE = /^(?:[A-Za-z_]\w*[.?!])+[A-Za-z_]\w*$/;
const REFERENCE = /^[$%./~&*#@!]/;
const HEX = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{24,}$/i;

/** Whether a value is unlike anything that a person writes in code: mixed kinds of characters in short runs. */
function looksRandom(value: string): boolean {
  if (REFERENCE.test(value) || UUID.test(value) || VERSION.test(value) || CODE.test(value)) return false;
  if (HEX.test(value)) return true;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return kinds >= 2 && /\d/.test(value) && /[A-Za-z]/.test(value) && !isMadeOfWords(value);
}

/** As of a user and a password, which may have no digit; not a word, nor words in capitals. */
function isBase64(value: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(value) && value.length % 4 === 0 && /[a-z][A-Z].*[a-z]/.test(value);
}

const WORD_ENDS = /[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])/;

/** `maxTokens2048`, `my-secret-name-01`, `packages/core`: words of some length, and few numbers. */
function isMadeOfWords(value: string): boolean {
  const parts = value.split(WORD_ENDS).filter(Boolean);
  const words = parts.filter((part) => /[A-Za-z]/.test(part));
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  return letters / words.length >= 3.5 && parts.length - words.length <= Math.max(1, words.length / 2);
}

const KEY_ENDS = new RegExp(END, 'g');

/** The rest of a key whose beginning was cut off: lines of base64 straight above an end marker. */
function headlessKeys(text: string): string {
  let clean = '';
  let done = 0;
  for (const { 0: marker, index } of text.matchAll(KEY_ENDS)) {
    const start = startOfBase64(text, index, done);
    if (start === index) continue;
    clean += text.slice(done, start) + GONE;
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
