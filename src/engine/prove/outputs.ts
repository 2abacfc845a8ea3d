/**
 * Faults in what the work shows: a result that is almost right. A verification that looks only at its length, at one word of it,
 * or at whether there is any, does not notice them.
 */
import { calleeOf, takerOf, type Look, type Site } from './look.ts';
import type { Language } from './language.ts';
import { wordingOf } from './wording.ts';

/** What prints: more behind it, its last character or digit wrong, and printed twice. */
export function outputs(look: Look, index: number): Site[] {
  const printed = printedBy(look, index);
  if (!printed) return [];
  const { wording, isAll } = wordsOf(look, index);
  return [
    look.whole(index, 'output extended', printed.extended),
    ...(isBlankLine(look, index) ? [] : [look.whole(index, 'output changed', printed.changed)]),
    look.whole(index, 'output repeated', printed.repeated),
  ].map((site) => (isAll ? { ...site, wording } : site));
}

/** A call, and whether it prints; the words that it prints may be the work's own. @param statement all that is left out */
export function leftOut(look: Look, call: number, statement: number): Site {
  const site = look.whole(statement, 'call left out', look.grammar.nothing);
  if (!printedBy(look, call) && look.source.typeOf(call) !== 'echo_statement') return site;
  return { ...site, operator: 'output left out', wording: wordsOf(look, call).wording };
}

/** The words that a call prints, and whether it prints nothing else. */
function wordsOf(look: Look, call: number): { wording: string[]; isAll: boolean } {
  const text = look.source.textOf(call);
  const texts = text.match(look.language === 'shell' ? echoed : literal) ?? [];
  const wording = texts.flatMap((one) => wordingOf(one, 1));
  const shown = look.language === 'shell' ? text.replace(/^\w+\s+/, '') : text.replace(/^[\w.]+\s*\(?|\)?;?$/g, '');
  return { wording, isAll: wording.length > 0 && texts.length === 1 && shown === texts[0] && !/[${]/.test(shown) };
}

const literal = /(["'`])(?:\\.|(?!\1)[^\\])*\1/g;
const echoed = /(?<=^\w+\s+).+/s;

/** A number one higher, a text longer by a character; other values have no neighbour, and the work ends with an error. */
export function returnedNear(look: Look, value: number): Site[] {
  const text = look.source.textOf(value);
  const near = nearby[look.language];
  if (!near || look.is(value, 'strings') || look.is(value, 'numbers') || givesNothing(look, value) || isForNobody(look, value)) return [];
  return [look.whole(value, 'returned value changed', near(text))];
}

/** What a function returns to one that only calls it: an event, a timer; or a route, where it answers by what it was given. */
export function isForNobody(look: Look, value: number): boolean {
  if (!/^(javascript|typescript|tsx)$/.test(look.language)) return false;
  const owner = look.ownerOf(value);
  const taker = takerOf(look.source, owner);
  return isHandler(look, owner) || callers.test(taker) || (routes.test(taker) && isOfParameter(look, owner, value));
}

/** `onClick={() => …}`, `button.onclick = () => …`. */
function isHandler({ source }: Look, owner: number): boolean {
  const { type, parent } = source.parentOf(owner);
  if (type === 'jsx_expression') return /^on[A-Z]/.test(source.textOf(parent));
  const left = type === 'assignment_expression' ? source.fieldOf(source.at(owner).parent, 'left') : undefined;
  return left !== undefined && /\.on[a-z]+$/.test(source.textOf(left));
}

const callers =
  /(^|\.)(on|once|addListener|addEventListener|forEach|finally|listen|set(Timeout|Interval|Immediate)|nextTick|queueMicrotask|requestAnimationFrame)$|^new Promise$/;
const routes = /\.(get|post|put|patch|delete|all|use)$/;

/** A call of something of a parameter, such as `response.json(…)`. */
function isOfParameter({ source }: Look, owner: number, value: number): boolean {
  const list = source.fieldOf(owner, 'parameters') ?? source.fieldOf(owner, 'parameter');
  const names: readonly string[] = list === undefined ? [] : (source.textOf(list).match(/\w+/g) ?? []);
  const root = /^\w+(?=\.)/.exec(source.textOf(value).replace(/^await /, ''))?.[0];
  return root !== undefined && names.includes(root);
}

/** A call of a function of this file that returns no value; in a choice of two, either is enough. */
export function givesNothing(look: Look, value: number): boolean {
  const { source } = look;
  if (/^(conditional|ternary)_expression$/.test(source.typeOf(value))) return source.namedOf(value).some((one) => givesNothing(look, one));
  if (!look.is(value, 'calls')) return false;
  const name = /\w+$/.exec(calleeOf(source, value))?.[0];
  const texts = name === undefined ? [] : look.functionsNamed(name);
  return texts.length > 0 && texts.every((text) => !/\b(return|yield)\b[ \t]*[^\s;}]/.test(text));
}

const added = (text: string): string => `(${text}) + 1`;
const nearby: Partial<Record<Language, (text: string) => string>> = {
  javascript: added,
  typescript: added,
  tsx: added,
  python: (text) => `(lambda v: v + (1 if isinstance(v, (int, float)) else type(v)("~")))(${text})`,
};

interface Printed {
  extended: string;
  changed: string;
  repeated: string;
  /** In other letters; left out for a shell. */
  swapped?: string;
  /** With the last digit of its last number twice. */
  lengthened: string;
}

export function printedBy(look: Look, index: number): Printed | undefined {
  if (look.language === 'shell') return byShell(look, index);
  const printer = printers[look.language];
  const { source } = look;
  if (!printer || !look.is(index, 'calls') || !printer.callee.test(calleeOf(source, index))) return undefined;
  const list = source.fieldOf(index, 'arguments');
  const [first, ...others] = list === undefined ? [] : source.namedOf(list);
  if (first === undefined || isOdd(source.typeOf(first)) || others.some((other) => isElsewhere(source.textOf(other)))) return undefined;
  const [whole, shown] = [source.textOf(index), source.textOf(first)];
  const { from } = source.at(index);
  const at = { from: source.at(first).from - from, to: source.at(first).to - from };
  const replaced = (now: string): string => whole.slice(0, at.from) + now + whole.slice(at.to);
  return {
    extended: replaced(`${printer.text}(${shown}) + "~"`),
    changed: replaced(printer.changed(shown)),
    repeated: `${printer.apart}(${whole}, ${whole})`,
    swapped: replaced(printer.swapped(`${printer.text}(${shown})`)),
    lengthened: replaced(printer.lengthened(`${printer.text}(${shown})`)),
  };
}

/** Several arguments at once. */
function isOdd(type: string): boolean {
  return /spread|splat|keyword|generator/.test(type);
}

function isElsewhere(argument: string): boolean {
  return /^file\s*=/.test(argument);
}

interface Printer {
  callee: RegExp;
  /** What makes a text of any value. */
  text: string;
  /** What keeps a bracket from being taken for arguments of the line before. */
  apart: string;
  changed: (shown: string) => string;
  swapped: (text: string) => string;
  lengthened: (text: string) => string;
}

/** A number with two decimals at most, last in a text; of a longer one nobody compares the last digit. */
const rounded = String.raw`(?<![\d.])\d+(\.\d\d?)?`;

/** A text with capitals for small letters and small ones for capitals; without letters, with a sign in front. */
export const swappedScript = (text: string): string =>
  `((v, w = v.replace(/./gsu, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))) => (w === v ? "-" + v : w))(${text})`;
export const swappedPython = (text: string): string => `(lambda v: v.swapcase() if v.swapcase() != v else "-" + v)(${text})`;

/**
 * The last number of a text, its last digit apart; none of more than two decimals, which may be about right. Where there is none, the
 * last character is wrong, as in the fault beside it: an error would be seen, and tell of a place at which nobody looks.
 */
const lastNumber = String.raw`(?<![\d.])(\d+\.\d?|\d*)(\d)(\D*)`;
const lengthenedScript = (text: string): string =>
  `((v, w = v.replace(/${lastNumber}$/, "$1$2$2$3")) => (w === v ? v.slice(0, -1) + "_" : w))(${text})`;
const lengthenedPython = (text: string): string =>
  `(lambda v, w: v[:-1] + "_" if w == v else w)(*(lambda v: (v, __import__("re").sub(r"${lastNumber}\\Z", r"\\1\\2\\2\\3", v)))(${text}))`;

const javascript: Printer = {
  callee: /^(console\.(log|info)|process\.stdout\.write)$/,
  text: 'String',
  apart: 'void ',
  swapped: swappedScript,
  lengthened: lengthenedScript,
  changed: (shown) => `((t) => t.slice(0, -1) + (/${rounded}$/.test(t) ? (+t.slice(-1) + 2) % 10 : "_"))(String(${shown}))`,
};
const printers: Partial<Record<Language, Printer>> = {
  javascript,
  typescript: javascript,
  tsx: javascript,
  python: {
    callee: /^(print|sys\.stdout\.write)$/,
    text: 'str',
    apart: '',
    swapped: swappedPython,
    lengthened: lengthenedPython,
    changed: (shown) =>
      `(lambda t: t[:-1] + (str((int(t[-1]) + 2) % 10) if __import__("re").search(r"${rounded}\\Z", t) else "_"))(str(${shown}))`,
  },
};

/** What a command of a shell prints, with another last character, and with the last digit of its last number twice. */
export function changedByShell(command: string): Pick<Printed, 'changed' | 'lengthened'> {
  return { changed: `${command} | sed '$s/.$/_/'`, lengthened: `${command} | ${lengthenedShell}` };
}

const lengthenedShell =
  "awk '{ l[NR] = $0 } END { x = match(l[NR], /[0-9][^0-9]*$/); " +
  'if (substr(l[NR], 1, x) ~ /(^|[^0-9.])[0-9]+([.][0-9][0-9]?)?$/) l[NR] = substr(l[NR], 1, x) substr(l[NR], x); ' +
  'else sub(/.$/, "_", l[NR]); for (i = 1; i <= NR; i++) print l[i] }\'';

/** Of `echo ""` in a shell, which has no last character. */
export function isBlankLine({ source, language }: Look, index: number): boolean {
  return language === 'shell' && /^(echo|printf)(\s+(["']?)(\\n)*\3)?$/.test(source.textOf(index));
}

/** `echo` and `printf` to where the script itself prints. */
function byShell({ source }: Look, index: number): Printed | undefined {
  const text = source.textOf(index);
  if (source.typeOf(index) !== 'command' || !/^(echo|printf)\s/.test(text) || text.includes('\n')) return undefined;
  if (source.parentOf(index).type === 'redirected_statement') return undefined;
  return { extended: `{ ${text}; echo "~"; }`, repeated: `{ ${text}; ${text}; }`, ...changedByShell(text) };
}
