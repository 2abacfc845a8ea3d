/**
 * Faults in what the work shows: a result that is almost right. A verification that looks only at its length, at one word of it,
 * or at whether there is any, does not notice them.
 */
import { calleeOf, type Look, type Site } from './look.ts';
import type { Language } from './language.ts';

/** What prints: more behind it, its last character wrong, and printed twice. */
export function outputs(look: Look, index: number): Site[] {
  const printed = printedBy(look, index);
  if (!printed) return [];
  return [
    look.whole(index, 'output extended', printed.extended),
    look.whole(index, 'output changed', printed.changed),
    look.whole(index, 'output repeated', printed.repeated),
  ];
}

/** A number one higher, a text longer by a character; other values have no neighbour, and the work ends with an error. */
export function returnedNear(look: Look, value: number): Site[] {
  const text = look.source.textOf(value);
  const near = nearby[look.language];
  if (!near || look.is(value, 'strings') || look.is(value, 'numbers') || givesNothing(look, value)) return [];
  return [look.whole(value, 'returned value changed', near(text))];
}

/** A call of a function of this file that returns no value; in a choice of two, either is enough. */
export function givesNothing(look: Look, value: number): boolean {
  const { source } = look;
  if (/^(conditional|ternary)_expression$/.test(source.typeOf(value))) return source.namedOf(value).some((one) => givesNothing(look, one));
  if (!look.is(value, 'calls')) return false;
  const name = /\w+$/.exec(calleeOf(source, value))?.[0];
  const isOfName = (index: number): boolean => {
    const own = source.fieldOf(index, 'name');
    return look.is(index, 'functions') && own !== undefined && source.textOf(own) === name;
  };
  const texts = source.nodes.flatMap((_, index) => (isOfName(index) ? [source.textOf(index)] : []));
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
}

const javascript: Printer = {
  callee: /^(console\.(log|info)|process\.stdout\.write)$/,
  text: 'String',
  apart: 'void ',
  changed: (shown) => `String(${shown}).slice(0, -1) + "_"`,
};
const printers: Partial<Record<Language, Printer>> = {
  javascript,
  typescript: javascript,
  tsx: javascript,
  python: { callee: /^(print|sys\.stdout\.write)$/, text: 'str', apart: '', changed: (shown) => `str(${shown})[:-1] + "_"` },
};

/** `echo` and `printf` to where the script itself prints. */
function byShell({ source }: Look, index: number): Printed | undefined {
  const text = source.textOf(index);
  if (source.typeOf(index) !== 'command' || !/^(echo|printf)\s/.test(text) || text.includes('\n')) return undefined;
  if (source.parentOf(index).type === 'redirected_statement') return undefined;
  return { extended: `{ ${text}; echo "~"; }`, changed: `${text} | sed '$s/.$/_/'`, repeated: `{ ${text}; ${text}; }` };
}
