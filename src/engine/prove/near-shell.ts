/** Faults that are near to right in what a shell script prints, by a command or a pipeline of its own. */
import type { Look, Site } from './look.ts';
import { changedByShell, isBlankLine } from './outputs.ts';

/** Its last character wrong, a digit too many, without the last line and, where it is put in order, from its end. */
export function printedByShell(look: Look, index: number): Site[] {
  const text = look.source.textOf(index);
  if (!prints(look, index) || !isShown(look, index) || isBlankLine(look, index) || text.includes('<<')) return [];
  const { changed, lengthened } = changedByShell(text);
  const sites = [look.whole(index, 'output changed', changed), look.whole(index, 'output lengthened', lengthened)];
  if (look.source.typeOf(index) !== 'pipeline') return sites;
  sites.push(look.whole(index, 'output cut short', `${text} | sed '$d'`));
  return isInOrder(text) ? [...sites, look.whole(index, 'output reversed', `${text} | sed '1!G;h;$!d'`)] : sites;
}

/** A command of which the output is what one runs it for, or a pipeline that ends with one. */
function prints(look: Look, index: number): boolean {
  const { source } = look;
  if (source.typeOf(index) === 'command') return printers.test(source.textOf(index));
  const last = source.typeOf(index) === 'pipeline' ? source.namedOf(index).at(-1) : undefined;
  return last !== undefined && prints(look, last);
}

const printers =
  /^((LC_ALL|LANG)=\S+ )?(awk|basename|bc|cat|column|comm|cut|date|dirname|echo|find|fmt|fold|grep(?! -\w*q)|head|jq|join|ls|nl|paste|printf|rev|sed(?! -i)|seq|sort(?! -o)|tac|tail|tr|uniq|wc)(?=\s|$)/;

/** It stands for itself: nothing takes what it prints. */
function isShown({ source }: Look, index: number): boolean {
  if (source.at(index).field === 'condition') return false;
  let at = source.at(index).parent;
  while (around.test(source.typeOf(at))) at = source.at(at).parent;
  return source.typeOf(at) === 'program';
}

const around = /^(do_group|if_statement|else_clause|case_statement|case_item|for_statement|c_style_for_statement|while_statement)$/;

/** Sorting that only takes out what is there twice says nothing of an order. */
function isInOrder(text: string): boolean {
  return /\bsort\b/.test(text) && !/\bsort\s+-\w*u|\bsort\b[^|]*\|\s*uniq\b/.test(text);
}
