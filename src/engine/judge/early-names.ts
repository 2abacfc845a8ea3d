/**
 * Names that a later task brings, in a script that does not say so: it stays red when its own task is done, and somebody is called to
 * mend what nobody has built. A plain rule of what looks like code in the requirements. Pure.
 */
import type { Work } from '../state/state.ts';
import { isFinding, isOpen, type Task } from '../work/task.ts';
import type { Script } from '../work/verification.ts';

export interface EarlyName {
  name: string;
  /** The only requirement that names it. */
  requirement: string;
}

/** Each requirement once, with the first of its names. */
export function earlyNames(text: string, { prd, after = [] }: Pick<Script, 'prd' | 'after'>, work: Work): EarlyName[] {
  const tasks = Object.values(work.tasks);
  const lastOf = (ids: readonly string[]): number => tasks.findLastIndex((task) => isFor(task, ids));
  const own = lastOf(prd);
  const asked = work.requirements.filter(({ line }) => line > 0);
  const words = new Set(namesIn(codeLines(text)));
  return asked.flatMap(({ id, text: said }) => {
    const isLater = own >= 0 && tasks.some((task, i) => i > own && isOpen(task) && !isFinding(task) && isFor(task, [id]));
    if (!isLater || [...prd, ...after].includes(id)) return [];
    const others = asked.filter((one) => one.id !== id).map((one) => one.text);
    const name = quotedNames(said).find((one) => words.has(one) && !others.some((other) => namesIn(other).includes(one)));
    return name === undefined ? [] : [{ name, requirement: id }];
  });
}

function isFor({ prdSection }: Task, ids: readonly string[]): boolean {
  return prdSection.some((id) => ids.includes(id));
}

/** What looks like code within quotes for code: an option, a name of several words, or something that is called. */
function quotedNames(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return quoted.flatMap((code) => namesIn(code).filter((name) => isOfCode(name, code)));
}

function isOfCode(name: string, code: string): boolean {
  return /^--|[a-z][A-Z]|_/.test(name) || code.includes(`${name}(`);
}

function namesIn(text: string): string[] {
  return text.match(/(?<![\w-])--[a-z][\w-]{2,}|[A-Za-z_][A-Za-z0-9_]{3,}/g) ?? [];
}

/** A comment may name what the script leaves alone. */
function codeLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*(#|\/\/|\*|\/\*)/.test(line))
    .join('\n');
}
