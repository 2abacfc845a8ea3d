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
