/**
 * A function that gives back what it was given. It is right for whoever asks only with what needs no work: a text that is trimmed
 * already, a word that is a slug.
 */
import type { Look, Site } from './look.ts';
import { isOther } from './near.ts';
import { printedBy } from './outputs.ts';

/** Of a function with a name, in JavaScript, TypeScript, Python. @param value what it returns */
export function givenBack(look: Look, value: number): Site[] {
  const owner = look.ownerOf(value);
  const given = owner > 0 && !isHandedOver(look, owner) ? firstParameter(look, owner) : undefined;
  // A name by itself mostly is the argument, in another form that nobody tells from it.
  if (given === undefined || look.source.typeOf(value) === 'identifier' || isOther(look, value)) return [];
  return [look.whole(value, 'argument given back', given)];
}

/**
 * It empties the list that it was given, and gives it back: whoever works out what is right from a list after the call finds the two
 * the same. Only where the function goes through the list; of anything else it would end with an error, which tells nothing.
 */
export function givenEmptied(look: Look, value: number): Site[] {
  const owner = look.ownerOf(value);
  const given = owner > 0 && !isHandedOver(look, owner) ? firstParameter(look, owner) : undefined;
  if (given === undefined || !goesThrough(look.source.textOf(owner), given)) return [];
  const now = look.language === 'python' ? `[${given}.clear(), ${given}][1]` : `(${given}.length = 0, ${given})`;
  return [look.whole(value, 'argument emptied', now)];
}

function goesThrough(text: string, list: string): boolean {
  return [...text.matchAll(throughLists)].some(([, ...names]) => names.includes(list));
}

/** What goes through a list, whose name is the group that took part. Looked for ahead, since one may stand in another: `in sorted(a)`. */
const throughLists = new RegExp(
  `(?=${[
    String.raw`\.\.\.(\w+)`,
    String.raw`\b(?:of|in) (\w+)`,
    String.raw`\b(\w+)\.(?:map|filter|reduce|forEach|some|every|flatMap|sort|toSorted|splice|push|pop|shift|append|insert|remove)\(`,
    String.raw`\b(?:sorted|sum|min|max|list|set|tuple|enumerate|Array\.from)\((\w+)`,
  ].join('|')})`,
  'g',
);

/** Of a function in a shell, which gives what it prints. */
export function printedBack(look: Look, index: number): Site[] {
  const given = String.raw`printf '%s\n' "$1"`;
  const isOne = look.language === 'shell' && look.ownerOf(index) > 0 && printedBy(look, index) !== undefined;
  return isOne && look.source.textOf(index) !== given ? [look.whole(index, 'argument given back', given)] : [];
}

/** To another function, which makes something else of what it gives. */
function isHandedOver({ source }: Look, owner: number): boolean {
  return /^(arguments|argument_list|keyword_argument|pair)$/.test(source.parentOf(owner).type);
}

/** Its name; undefined where there is none, or only a pattern. */
function firstParameter({ source, language }: Look, owner: number): string | undefined {
  if (!/^(javascript|typescript|tsx|python)$/.test(language)) return undefined;
  const single = source.fieldOf(owner, 'parameter');
  const list = source.fieldOf(owner, 'parameters');
  const all = single === undefined ? (list === undefined ? [] : source.namedOf(list)) : [single];
  const names = all.map((one) => /^\w+/.exec(source.textOf(one))?.[0]);
  return names[0] === 'self' || names[0] === 'cls' ? names[1] : names[0];
}
