/**
 * Faults in a value that is returned: almost the right one, or always the first. They are put around it, so they know nothing of it
 * before the work runs.
 */
import type { Language } from './language.ts';
import type { Look, Site } from './look.ts';

/** A file of the run's own, in which a fault keeps its first answer for the processes that come later. */
export const firstAnswer = '/tmp/.first-answer';

/** Each takes the text of an expression, and gives one of which the value is wrong. */
interface Values {
  /** A number one higher, a text or list with its last piece twice. */
  longer: (value: string) => string;
  /** A number one lower, a text or list without its last piece. */
  shorter: (value: string) => string;
  /** A text with capitals for small letters and small ones for capitals; without letters, with a sign in front. */
  swapped: (value: string) => string;
  /** In all later calls, in whatever process, the value of the first. */
  kept: (value: string) => string;
  /** JSON with its numbers in quotes; an error where there are none, because that would be no fault. */
  quoted: (value: string) => string;
}

export function valuesOf(language: Language): Values | undefined {
  return tables[language];
}

/** Of what turns out to be no number, text or list the work mostly ends with an error, which counts for nothing. */
export function returned(look: Look, value: number): Site[] {
  const { source, language } = look;
  const [values, text] = [valuesOf(language), source.textOf(value)];
  if (!values || isPlain(look, value) || isOrder(look, value) || isStatus(look, value)) return [];
  const changed = look.whole(value, 'returned value changed', values.longer(text));
  if (isBuilt(look, value) || isCallback(look, value)) return [changed];
  return [
    changed,
    look.whole(value, 'returned value shortened', values.shorter(text)),
    look.whole(value, 'letters swapped', values.swapped(text)),
    ...(isAsked(look, value) ? [look.whole(value, 'first answer kept', values.kept(text))] : []),
  ];
}

/** A constant, and what is no value. */
function isPlain(look: Look, value: number): boolean {
  return look.is(value, 'strings') || look.is(value, 'numbers') || look.source.textOf(value).startsWith('void ');
}

/** It is written there as no number, text or list. */
function isBuilt(look: Look, value: number): boolean {
  const { source } = look;
  const [inner] = source.namedOf(value);
  if (source.typeOf(value) === 'parenthesized_expression' && inner !== undefined) return isBuilt(look, inner);
  return /^(object|dictionary|set|new_expression|arrow_function|function_expression|lambda|class|jsx_\w+)$/.test(source.typeOf(value));
}

/**
 * In a function that is asked something, and that answers in one way alone: where there is another (a second value, an error, a
 * status), one sample of each is no single sample.
 */
export function isAsked(look: Look, index: number): boolean {
  const { source, language } = look;
  const owner = look.ownerOf(index);
  if (owner === 0) return false;
  const text = source.textOf(owner);
  if (language === 'shell') return /\$\{?[1-9@*]/.test(text) && !/\b(return|exit)\b/.test(text);
  const asked = source.fieldOf(owner, 'parameters') ?? source.fieldOf(owner, 'parameter');
  if (asked === undefined || /^\(?\s*((self|cls)\s*)?\)?$/.test(source.textOf(asked))) return false;
  return [...text.matchAll(/\b(throw|raise|return(?=[^\n;]*[^\s;]))\b/g)].length < 2 && !/\b(throw|raise)\b/.test(text);
}

/** What a function gives to the one that it was handed to, which makes something else of it. */
function isCallback({ source }: Look, value: number): boolean {
  const { parent } = source.at(value);
  if (!/^(arrow_function|lambda)$/.test(source.typeOf(parent))) return false;
  return /^(arguments|argument_list|keyword_argument)$/.test(source.parentOf(parent).type);
}

/** Tells which of two comes first: of its value only the sign counts. */
function isOrder({ source }: Look, value: number): boolean {
  const { from } = source.parentOf(value);
  return /\b(sort|sorted|toSorted|min|max)\([^()]*$/.test(source.text.slice(Math.max(0, from - 60), from));
}

/** What `main` returns, which is looked at for being 0. */
function isStatus(look: Look, value: number): boolean {
  return /^(async |def |function )*main\b/.test(look.source.textOf(look.ownerOf(value)));
}

/** A number of a JSON text, in the words of either language. */
const jsonNumber = String.raw`(?<=[:\[,\s])-?\d[\d.eE+-]*(?=\s*[,\]}])`;

const script: Values = {
  longer: (value) => `((v) => (typeof v === "number" ? v + 1 : v.concat(v.slice(-1))))(${value})`,
  shorter: (value) => `((v) => (typeof v === "number" ? v - 1 : v.slice(0, -1)))(${value})`,
  swapped: (value) =>
    `((v, w = v.replace(/./gsu, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))) => (w === v ? "-" + v : w))(${value})`,
  kept: (value) =>
    `((v, fs = process.getBuiltinModule?.("fs") ?? require("fs"), at = "${firstAnswer}") => (fs.existsSync(at) || fs.writeFileSync(at, JSON.stringify([v])), JSON.parse(fs.readFileSync(at, "utf8"))[0]))(${value})`,
  quoted: (value) => `((t, w = t.replace(/${jsonNumber}/g, '"$&"')) => (w === t ? undefined.none : w))(${value})`,
};

const python: Values = {
  longer: (value) => `(lambda v: v + 1 if type(v) in (int, float) else v + v[-1:])(${value})`,
  shorter: (value) => `(lambda v: v - 1 if type(v) in (int, float) else v[:-1])(${value})`,
  swapped: (value) => `(lambda v: v.swapcase() if v.swapcase() != v else "-" + v)(${value})`,
  kept: (value) =>
    `(lambda v, at="${firstAnswer}": (lambda os, pickle: (os.path.exists(at) or pickle.dump(v, open(at, "wb")), pickle.load(open(at, "rb")))[1])(__import__("os"), __import__("pickle")))(${value})`,
  quoted: (value) => `(lambda r: r[0] if r[1] else None.none)(__import__("re").subn(r'(${jsonNumber})', r'"\\1"', ${value}))`,
};

const tables: Partial<Record<Language, Values>> = { javascript: script, typescript: script, tsx: script, python };
