/**
 * Faults in what the work shows: a result that is almost right. A verification that looks only at its length, at one word of it,
 * or at whether there is any, does not notice them.
 */
import { calleeOf, type Look, type Site } from './look.ts';
import { firstAnswer, isAsked, valuesOf } from './values.ts';
import type { Language } from './language.ts';

/** What prints: more behind it, its last character wrong, printed twice, other letters, always what it printed first. */
export function outputs(look: Look, index: number): Site[] {
  const printed = printedBy(look, index);
  if (!printed) return [];
  const close = [
    look.whole(index, 'output changed', printed.changed),
    ...(isAsked(look, index) ? [look.whole(index, 'first answer kept', printed.kept)] : []),
    ...rows(look, index),
  ];
  return [
    ...look.shown(index, close),
    look.whole(index, 'output extended', printed.extended),
    look.whole(index, 'output repeated', printed.repeated),
    look.whole(index, 'letters swapped', printed.swapped),
    ...(printed.quoted === undefined ? [] : [look.whole(index, 'numbers in quotes', printed.quoted)]),
  ];
}

/** What a loop prints, one a turn: without the last, and from the last to the first where the work puts something in order. */
function rows(look: Look, index: number): Site[] {
  const { source, language } = look;
  const over = loopedOver(look, index);
  const sequence = sequences[language];
  if (over === undefined || !sequence) return [];
  const text = source.textOf(over);
  return [
    look.whole(over, 'output cut short', sequence.cut(text)),
    ...(/sort|order\s+by/i.test(source.text) ? [look.whole(over, 'output reversed', sequence.reversed(text))] : []),
  ];
}

/** What the loop goes over of which every turn prints this. */
function loopedOver({ source }: Look, index: number): number | undefined {
  let at = source.at(index).parent;
  if (source.typeOf(at) === 'expression_statement') at = source.at(at).parent;
  if (/^(block|statement_block)$/.test(source.typeOf(at))) at = source.at(at).parent;
  const isOfNames = source.childrenOf(at).some((child) => source.typeOf(child) === 'in') && source.typeOf(at) === 'for_in_statement';
  // A JavaScript loop over names (`in`) has no sequence.
  return /^(for_statement|for_in_statement)$/.test(source.typeOf(at)) && !isOfNames ? source.fieldOf(at, 'right') : undefined;
}

interface Sequence {
  cut: (text: string) => string;
  reversed: (text: string) => string;
}

const ofScript: Sequence = { cut: (text) => `[...(${text})].slice(0, -1)`, reversed: (text) => `[...(${text})].reverse()` };
const sequences: Partial<Record<Language, Sequence>> = {
  javascript: ofScript,
  typescript: ofScript,
  tsx: ofScript,
  python: { cut: (text) => `list(${text})[:-1]`, reversed: (text) => `list(${text})[::-1]` },
};

interface Printed {
  extended: string;
  changed: string;
  repeated: string;
  swapped: string;
  kept: string;
  /** Where it is JSON: its numbers as texts. */
  quoted?: string;
}

function printedBy(look: Look, index: number): Printed | undefined {
  if (look.language === 'shell') return byShell(look, index);
  const [printer, values] = [printers[look.language], valuesOf(look.language)];
  const { source } = look;
  if (!printer || !values || !look.is(index, 'calls') || !printer.callee.test(calleeOf(source, index))) return undefined;
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
    swapped: replaced(values.swapped(`${printer.text}(${shown})`)),
    kept: replaced(values.kept(shown)),
    ...(/\b(JSON\.stringify|json\.dumps)\(/.test(shown) ? { quoted: replaced(values.quoted(shown)) } : {}),
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
  callee: /^(console\.(log|info)|process\.stdout\.write|(res|response|reply)\.(end|send|json))$/,
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
  return {
    extended: `{ ${text}; echo "~"; }`,
    changed: `${text} | sed '$s/.$/_/'`,
    repeated: `{ ${text}; ${text}; }`,
    swapped: `${text} | tr 'a-zA-Z' 'A-Za-z'`,
    kept: `{ [ -e ${firstAnswer} ] || ${text} > ${firstAnswer}; cat ${firstAnswer}; }`,
  };
}
