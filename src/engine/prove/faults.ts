/**
 * Where a file can be made wrong, and how: one small change each, made in the parsed file. What no verification could notice is
 * left out, by the rules in docs/proof-faults.md.
 */
import { givenBack, givenEmptied, printedBack } from './given-back.ts';
import { isTakenLabel } from './labels.ts';
import type { Language } from './language.ts';
import { calleeOf, isJump, isOfHeader, listed, Look, quietAttributes, type Site } from './look.ts';
import { operatorsOf } from './operators.ts';
import { leftOut, outputs, returnedNear } from './outputs.ts';
import type { Range, Source, SourceTree } from './source-tree.ts';
import { wordingOf } from './wording.ts';

/** All places of a file; `tests` are ranges that are left alone. */
export function sitesOf(language: Language, text: string, tree: SourceTree, tests: readonly Range[] = []): Site[] {
  const look = new Look(language, text, tree, tests);
  return look.source.nodes.flatMap((_node, index) => (look.isPassive(index) ? [] : sitesAt(look, index)));
}

function sitesAt(look: Look, index: number): Site[] {
  const { source } = look;
  const { named } = source.at(index);
  if (!named || source.typeOf(index) === 'test_operator') return operators(look, index);
  return [
    ...(look.is(index, 'numbers') ? numbers(look, index) : []),
    ...(look.is(index, 'words') || isEchoed(look, index) ? words(look, index) : []),
    ...(look.is(index, 'booleans') ? booleans(look, index) : []),
    ...conditions(look, index),
    ...returns(look, index),
    ...calls(look, index),
    ...outputs(look, index),
    ...printedBack(look, index),
    ...(look.is(index, 'lists') ? [...swaps(look, index), ...limits(look, index)] : []),
    ...(look.language === 'css' ? [...visibility(look, index), ...withoutLayout(look, index)] : []),
  ];
}

function operators(look: Look, index: number): Site[] {
  const { source, language } = look;
  const { parent, type, named } = source.at(index);
  const sign = named ? source.textOf(index) : type;
  if (!look.is(parent, 'binary')) return [];
  const place = source.childrenOf(parent).indexOf(index);
  const [left, right] = [source.childrenOf(parent)[place - 1], source.childrenOf(parent)[place + 1]];
  const beside = [left, right].map((side) => (side === undefined ? '' : source.textOf(side)));
  return operatorsOf(sign, language).flatMap(([operator, now]) => {
    if (operator === 'arithmetic changed') {
      if (/=$|^(\+\+|--)$/.test(sign) && look.isCount(index)) return [];
      if ([left, right].some((side) => side !== undefined && isText(look, side))) return [];
      const same = /^[*/]=?$/.test(sign) ? '1' : '0';
      if (beside[1] === same && sign !== '%') return [];
    }
    const site = look.whole(index, operator, now);
    // Whether the right side runs at all is decided by the left one.
    return [operator === 'logic changed' && left !== undefined ? { ...site, entry: source.at(left).from } : site];
  });
}

/** A text, or what is put together from one: that has no other arithmetic. */
function isText(look: Look, index: number): boolean {
  const { source } = look;
  const parts = [index];
  for (let seen = 0; seen < longestSum; seen += 1) {
    const at = parts.pop();
    if (at === undefined) return false;
    if (look.is(at, 'strings')) return true;
    const [first, sign, last] = source.childrenOf(at);
    if (source.typeOf(at) === 'parenthesized_expression') parts.push(...source.namedOf(at));
    else if (look.is(at, 'binary') && first !== undefined && last !== undefined && source.textOf(sign ?? -1) === '+')
      parts.push(first, last);
  }
  return false;
}

/** Nobody writes a longer one by hand. */
const longestSum = 100;

function numbers(look: Look, index: number): Site[] {
  const text = look.source.textOf(index);
  const [, digits = '', fraction = '', unit = ''] = /^(\d[\d_]*)(\.\d+)?([a-zA-Z%]\w*)?$/.exec(text) ?? [];
  if (digits === '' || /^0[xXbBoO]/.test(text) || digits.length > 15) return [];
  if (isTyped.has(look.language) && isRoom(look.source, index)) return [];
  const now =
    look.language === 'css'
      ? otherSize(look, index, { digits, fraction, unit })
      : `${Number(digits.replaceAll('_', '')) + 1}${fraction}${unit}`;
  return isTyped.has(look.language) && isTakenLabel(look.source, index, now) ? [] : [look.whole(index, 'number changed', now)];
}

/** How many things a collection has room for at first: it grows by itself. */
function isRoom(source: Source, index: number): boolean {
  const { from } = source.at(index);
  return rooms.test(source.text.slice(Math.max(0, from - longestArgument), from));
}

const rooms =
  /\b(?:String(?:Builder|Buffer)|ArrayList|ArrayDeque|(?:Linked|Concurrent)?Hash(?:Map|Set)|new (?:List|Dictionary))\s*(?:<[^()]*>)?\(\s*$|\bmake\([^(),]+,[^(),]+,\s*$/;

/** One that somebody sees: a pixel more changes nothing, nor a length without a unit, or a border without a style, which a browser leaves out. */
function otherSize(
  { source }: Look,
  index: number,
  { digits, fraction, unit }: { digits: string; fraction: string; unit: string },
): string {
  const size = Number(digits);
  const isLength = unit === '' && size === 0 && fraction === '' && !takesNumber.test(source.textOf(source.at(index).parent));
  return `${size < 10 ? size + 1 : size * 2}${fraction}${isLength ? 'em' : unit}`;
}

/** What takes a number without a unit. `border: 1` is left out as well, but then the browser's own border shows. */
const takesNumber =
  /^(?:opacity|z-index|order|flex|line-height|font-weight|animation|transition|grid|(?:border|outline)(?:-(?:top|right|bottom|left))?\s*:\s*0\s*(?:!|;|$))/;

/** Words of `echo`, which in a shell need no quotes. */
function isEchoed({ source, language }: Look, index: number): boolean {
  const { parent, type, field } = source.at(index);
  if (language !== 'shell' || type !== 'word' || field !== 'argument') return false;
  return /^(echo|printf)\b/.test(source.textOf(parent)) && /^[A-Za-z]/.test(source.textOf(index));
}

/** One more character in front. Only the first piece of a string counts: the others would be the same fault. */
function words(look: Look, index: number): Site[] {
  const { source, language } = look;
  const { from, parent, type } = source.at(index);
  const first = source.childrenOf(parent).find((child) => source.typeOf(child) === type);
  if (type !== 'jsx_text' && type !== 'text' && type !== 'word' && look.is(parent, 'strings') && first !== index) return [];
  const text = source.textOf(index);
  const blank = /^\s*/.exec(text)?.[0].length ?? 0;
  if (type === 'attribute_value' && quietAttribute(source, index)) return [];
  const isMarkup = type === 'jsx_text' || type === 'text';
  const before = type === 'text' ? blankOrControl(text) : blank;
  if (isMarkup && before === text.length) return [];
  const quote = type === 'raw_string' ? 1 : 0;
  if (language === 'shell' && type === 'raw_string' && text.length < 3) return [];
  // One more character before the sign would make another kind of link.
  const sign = type === 'attribute_value' && text.startsWith('#') ? 1 : 0;
  const at = from + (isMarkup ? before : quote) + sign;
  // What a page says in one word is wording, too: it is a name for nobody.
  const string = look.is(parent, 'strings') ? parent : index;
  const wording = isMarkup ? wordingOf(text, 1) : wordingOf(source.textOf(string), isOfHeader(look, string) ? 1 : undefined);
  return [{ ...look.site(index, 'text changed', { from: at, to: at }, '~'), ...(wording.length > 0 ? { wording } : {}) }];
}

/** Characters before the first that a page shows: also those of a template's own signs, such as `{% else %}`, which are no text. */
function blankOrControl(text: string): number {
  return /^(?:\s|\{%[^]*?%\}|\{#[^]*?#\}|\{\{[#/^!][^]*?\}\}|<%(?![=-])[^]*?%>|@\w+\([^\n]*\)(?=\s))*/.exec(text)?.[0].length ?? 0;
}

function quietAttribute(source: Source, index: number): boolean {
  const value = source.at(index).parent;
  const attribute = source.typeOf(value).endsWith('attribute') ? value : source.at(value).parent;
  const name = source.textOf(source.childrenOf(attribute)[0] ?? -1).toLowerCase();
  return quietAttributes.has(name) || name.startsWith('data-') || name.startsWith('on');
}

function booleans(look: Look, index: number): Site[] {
  const text = look.source.textOf(index);
  const { grammar } = look;
  return [look.whole(index, 'true and false swapped', /^true$/i.test(text) ? grammar.false : grammar.true)];
}

function conditions(look: Look, index: number): Site[] {
  const { source, grammar, language } = look;
  const parent = source.at(index).parent;
  const loop = isConditionOf(look, grammar.loops, index);
  if (!loop && !isConditionOf(look, grammar.conditions, index)) return [];
  if (!loop && hasEmptyBody(look, parent)) return [];
  const inner = unwrapped(source, index);
  const text = source.textOf(inner);
  if (/^(true|false)$/i.test(text) || text.includes('import.meta.vitest')) return [];
  const { from, to } = source.at(inner);
  const range = { from, to };
  // Go refuses a variable that nothing uses any more, and Java a loop that never goes round.
  const isKept = language === 'go' || language === 'java';
  const whole = source.text.slice(from, to);
  const never = look.site(index, 'condition always false', range, isKept ? `(${whole}) && false` : grammar.false);
  if (loop) return source.typeOf(parent).startsWith('do_') ? [] : [never];
  const negated = look.site(index, 'condition negated', range, grammar.not(whole));
  const always = look.site(index, 'condition always true', range, isKept ? `(${whole}) || true` : grammar.true);
  return [...(isComparison(look, inner) ? [] : [negated]), always, never];
}

/** In a list like `if_statement.condition elif_clause`, where no field means the first thing that has a name. */
function isConditionOf({ source, language }: Look, list: string, index: number): boolean {
  const { parent, field } = source.at(index);
  const type = source.typeOf(parent);
  if (type === 'condition_clause' || !source.at(index).named) return false;
  if (language === 'kotlin') return listed(list, type) && source.namedOf(parent)[0] === index;
  if (listed(list, type)) return source.namedOf(parent)[0] === index;
  return field !== undefined && listed(list, `${type}.${field}`);
}

/** Without the brackets that the language asks for. */
function unwrapped(source: Source, index: number): number {
  const isWrap = /^(parenthesized_expression|condition_clause)$/.test(source.typeOf(index));
  const inside = source.namedOf(index);
  return isWrap && inside.length === 1 ? (inside[0] ?? index) : index;
}

/** Its negation is the comparison reversed, which there is already. */
function isComparison(look: Look, index: number): boolean {
  const { source } = look;
  if (look.language === 'shell') return false;
  const signs = source.childrenOf(index).filter((child) => !source.at(child).named);
  if (!look.is(index, 'binary') || signs.length !== 1) return false;
  return operatorsOf(source.typeOf(signs[0] ?? -1), look.language).some(([operator]) => operator === 'comparison reversed');
}

function hasEmptyBody(look: Look, index: number): boolean {
  const { source } = look;
  const body = source.fieldOf(index, 'consequence') ?? source.fieldOf(index, 'body');
  return body !== undefined && look.is(body, 'blocks') && /^\{\s*\}$/.test(source.textOf(body));
}

function returns(look: Look, index: number): Site[] {
  const { source, grammar, language } = look;
  const type = source.typeOf(index);
  if (/^(arrow_function|lambda)$/.test(type) && grammar.none !== undefined && language !== 'php' && language !== 'ruby') {
    const body = source.fieldOf(index, 'body');
    if (body === undefined || look.is(body, 'blocks') || look.isPassive(body)) return [];
    return otherValue(look, body);
  }
  if (language === 'shell') {
    if (!isJump(look, index) || !isStatement(look, index) || !isFollowed(look, index)) return [];
    return [look.whole(index, 'return left out', grammar.nothing)];
  }
  if (!look.is(index, 'returns') || (language === 'kotlin' && !/^return\b/.test(source.textOf(index)))) return [];
  const [value] = source.namedOf(index);
  if (value !== undefined) return otherValue(look, value);
  if (!isFollowed(look, index)) return [];
  return [look.whole(index, 'return left out', language === 'python' ? 'pass' : grammar.nothing.replace(/;$/, '') || ';')];
}

function otherValue(look: Look, value: number): Site[] {
  const { source, grammar } = look;
  const text = source.textOf(value);
  const inner = source.typeOf(value) === 'argument_list' || source.typeOf(value) === 'expression_list' ? source.namedOf(value) : [value];
  if (inner.length !== 1 || look.is(inner[0] ?? -1, 'booleans')) return [];
  const simple = inner[0] ?? value;
  if (isTruth(look, simple)) return isComparison(look, simple) ? [] : [look.whole(value, 'other value returned', grammar.not(text))];
  if (grammar.none === undefined || new Set(['undefined', 'null', 'None', 'nil', '0', 'NULL', 'nullptr']).has(text)) return [];
  const given = [...givenBack(look, simple), ...givenEmptied(look, simple)];
  return [look.whole(value, 'other value returned', grammar.none), ...returnedNear(look, simple), ...given];
}

/** Whether it is true or false, as far as its form tells. */
function isTruth(look: Look, index: number): boolean {
  const { source, language } = look;
  const kinds = source.childrenOf(index).filter((child) => !source.at(child).named);
  if (/unary|prefix_expression|not_operator/.test(source.typeOf(index))) return /^(!|not\b)/.test(source.textOf(index));
  if (!look.is(index, 'binary')) return false;
  return kinds.some((sign) => {
    const found = operatorsOf(source.typeOf(sign), language).map(([operator]) => operator);
    // In these languages `a || b` is one of both values.
    const isValue = /^(javascript|typescript|tsx|python|ruby)$/.test(language) && found.includes('logic changed');
    return !isValue && found.some((operator) => operator === 'comparison reversed' || operator === 'logic changed');
  });
}

/** Whether anything comes behind it in its function, which leaving it out would let run. */
function isFollowed(look: Look, index: number): boolean {
  const { source } = look;
  for (let at = index; at > 0 && !look.is(at, 'functions'); at = source.at(at).parent) {
    const { parent } = source.at(at);
    if (/_clause$|^else|^elsif|^elif/.test(source.typeOf(at)) || !look.is(parent, 'blocks')) continue;
    const next = source.afterOf(at);
    if (next !== undefined && !/clause|^else|^elsif|^elif/.test(source.typeOf(next))) return true;
  }
  return false;
}

function calls(look: Look, index: number): Site[] {
  const { source, grammar, language } = look;
  const { type } = source.at(index);
  if (language === 'php' && type === 'echo_statement') return [leftOut(look, index, index)];
  if (grammar.calls === '' || !look.is(index, 'calls')) return [];
  if (language === 'shell' && /^(:|true|set|cd|shift|return|exit|trap|\.|source|exec|local|export)(\s|$)/.test(source.textOf(index)))
    return [];
  let at = index;
  while (grammar.statements !== '' && listed(grammar.statements, source.parentOf(at).type)) at = source.at(at).parent;
  if (grammar.statements === '' ? !isStatement(look, at) : at === index || !/statement/.test(source.typeOf(at))) return [];
  // Go asks for a `return` where a panic was last.
  if (language === 'go' && calleeOf(source, index) === 'panic' && !isFollowed(look, at)) return [];
  // The value of the last call of a method is what the method returns.
  if (language === 'ruby' && !isFollowed(look, at) && look.ownerOf(at) !== 0) return [];
  return [leftOut(look, index, at)];
}

/** In a language whose blocks hold calls themselves. */
function isStatement(look: Look, index: number): boolean {
  const { field, parent } = look.source.at(index);
  if (look.source.typeOf(parent) === 'redirected_statement') return isStatement(look, parent);
  return look.is(parent, 'blocks') && field !== 'condition' && field !== 'value' && !isConditionOf(look, look.grammar.conditions, index);
}

const longestArgument = 60;

/** One of two values in the place of the smaller or larger one. */
function limits(look: Look, index: number): Site[] {
  const { source } = look;
  const { from, parent } = source.at(index);
  const values = source.namedOf(index);
  const isPlain = (value: number): boolean => !/keyword|spread|splat|named|pair|generator/.test(source.typeOf(value));
  if (values.length !== 2 || !values.every(isPlain) || !/\b(min|max)\s*$/i.test(source.text.slice(Math.max(0, from - 8), from))) return [];
  return values.map((value) => look.whole(parent, 'limit left out', source.textOf(value)));
}

/** Calls that mean the same with their arguments swapped. */
const inAnyOrder =
  /\b(min|max|add|mul|multiply|gcd|lcm|hypot|xor|equals?|is_?close|union|intersection|(enum)?set\.of|(hash|mutable)?setof)\s*$/i;

/** Their compilers refuse `f(false, name)` for `f(name, false)`, and two labels of a `switch` that are alike. */
const isTyped: ReadonlySet<Language> = new Set(['go', 'rust', 'java', 'kotlin', 'csharp', 'c', 'cpp']);

/** The first two neighbours that look alike, so that the work still runs. */
function swaps(look: Look, index: number): Site[] {
  const { source, language } = look;
  const { from: start } = source.at(index);
  if (inAnyOrder.test(source.text.slice(Math.max(0, start - 16), start))) return [];
  const all = source.namedOf(index);
  const isPlain = (argument: number): boolean => /^[\w$.@?!>-]+$/.test(source.textOf(argument));
  const at = all.findIndex((one, place) => {
    const other = all[place + 1];
    if (other === undefined) return false;
    const [a, b] = [source.textOf(one), source.textOf(other)];
    if (a === b || a.length > longestArgument || b.length > longestArgument || /\n|=>/.test(a + b)) return false;
    const [kind, otherKind] = [kindOf(source, one), kindOf(source, other)];
    if (/keyword|named|spread|splat|block|lambda|function|pair/.test(`${kind} ${otherKind}`)) return false;
    return kind === otherKind || (!isTyped.has(language) && isPlain(one) && isPlain(other));
  });
  const [one, other] = [all[at], all[at + 1]];
  if (at < 0 || one === undefined || other === undefined || language === 'css') return [];
  const [first, second] = [source.at(one), source.at(other)];
  const between = source.text.slice(first.to, second.from);
  const now = `${source.textOf(other)}${between}${source.textOf(one)}`;
  const site = look.site(index, 'arguments swapped', { from: first.from, to: second.to }, now);
  const wording = wordingOf(filledText(look, index));
  return [{ ...site, ...(wording.length > 0 ? { wording } : {}) }];
}

/** In some grammars an argument is more than its value: it may have a name, by which it is found in any order. */
function kindOf(source: Source, argument: number): string {
  if (!/^(value_)?argument$/.test(source.typeOf(argument))) return source.typeOf(argument);
  const [value = -1, ...others] = source.childrenOf(argument);
  return others.length > 0 ? 'named' : source.typeOf(value);
}

/** Of `'line {}: {}'.format(number, reason)` the text into which it fills its arguments. */
function filledText({ source }: Look, list: number): string {
  const { from, parent } = source.at(list);
  return /^(["']).*\1(?=\.format$)/s.exec(source.text.slice(source.at(parent).from, from))?.[0] ?? '';
}

const shown: Record<string, string> = { none: 'block', block: 'none', flex: 'none', grid: 'none', hidden: 'visible', visible: 'hidden' };

/** Of the words of a style sheet only those that show and hide. */
function visibility(look: Look, index: number): Site[] {
  const { source } = look;
  const { type, parent } = source.at(index);
  if (type !== 'plain_value' || !/^(display|visibility)\b/.test(source.textOf(parent))) return [];
  const now = shown[source.textOf(index)];
  return now === undefined ? [] : [look.whole(index, 'visibility changed', now)];
}

/** What a style sheet says about how much room something takes; without it a page is laid out in another way. */
function withoutLayout(look: Look, index: number): Site[] {
  const isLayout = look.source.typeOf(index) === 'declaration' && layout.test(look.source.textOf(index));
  return isLayout ? [look.whole(index, 'part left out', '')] : [];
}

const layout =
  /^(?:overflow|word-break|word-wrap|white-space|hyphens|text-overflow|table-layout|position|flex-wrap|(?:max-|min-)?width|grid-template)\b/;
