/**
 * Calls of git that would move the sprint's own history. No sandbox lets them: there git's files can only be read. This tells it
 * early and in words, so it looks at what stands there plainly, and not into quoted texts.
 */
import { withoutHeredocs } from '../parse/script-commands.ts';

/** Verbs that never only look. */
const verbs = new Set(
  'push pull fetch add rm mv restore am cherry-pick revert commit reset rebase merge checkout switch stash clean'.split(' '),
);
/** Words that make one of them only look. */
const onlyLooks = /^(?:stash (?:list|show)\b|clean (?:.* )?-[a-z]*n|.* --dry-run\b)/;
/** Git's own options that take the word after them. */
const gitOptions = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace']);

/** @returns the first such call, by its verb. None where the command makes a repository of its own, which `/tmp` has none of before. */
export function movingGit(command: string): string | undefined {
  const calls = simpleCommands(command).flatMap(callOfGit);
  if (calls.some(([verb]) => verb === 'init' || verb === 'clone')) return undefined;
  return calls.find(([verb = '', ...rest]) => verbs.has(verb) && !onlyLooks.test([verb, ...rest].join(' ')))?.[0];
}

/** Verb and words of the call of git in a command, also one behind `xargs` or `env`. */
function callOfGit(words: readonly string[]): string[][] {
  let at = words.findIndex((word) => /(?:^|\/)git$/.test(word)) + 1;
  if (at === 0) return [];
  while (words[at]?.startsWith('-')) at += gitOptions.has(words[at] ?? '') ? 2 : 1;
  return [words.slice(at)];
}

/** The words of each simple command, as a shell divides them. */
function simpleCommands(script: string): string[][] {
  const commands: string[][] = [[]];
  for (const [token] of withoutHeredocs(script.replaceAll('\\\n', ' '), 'kept').matchAll(tokens)) {
    if (/^[;&|()\n]/.test(token)) commands.push([]);
    else if (!token.startsWith('#')) commands.at(-1)?.push(token.replaceAll(/\\([^])|["']/g, '$1'));
  }
  return commands;
}

/** What divides commands, comments, and words with what is quoted in them. */
const tokens = /[;&|()\n]+|(?<![^\s;&|()])#[^\n]*|(?:\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"|[^\s;&|()'"\\])+/g;
