/**
 * Policy: a pure function of role, tool and input. It refuses early and in words; the real boundary is the sandbox. It denies
 * what it cannot understand.
 */
import type { RoleName } from '../ground/roles.ts';

/** Characters. */
export const longestCommand = 20_000;

/** Roles that may only read the worktree. */
export const readers: readonly RoleName[] = ['evaluator', 'classifier', 'reasoner', 'researcher', 'qc', 'examiner'];
const protectedParts = new Set(['.git', '.loop', '.vscode', '.idea', '.gitmodules']);
/** Git verbs that would change what only the engine changes: history, branches, the tree. */
const gitVerbs = new Set(
  'push pull fetch add rm mv restore am cherry-pick revert commit reset rebase merge checkout switch branch stash tag worktree clean config remote bisect update-ref gc'.split(
    ' ',
  ),
);
/** Git's own options that take the word after them. */
const gitOptions = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace']);
/** Characters that a file system drops from a name (zero width, on a Mac) or from its end (dot and space, on Windows). */
const dropped = /\p{Default_Ignorable_Code_Point}|[. ]+$/gu;

/** Why the call is denied, or undefined. */
export function denied(role: RoleName, tool: string, input: Readonly<Record<string, unknown>>): string | undefined {
  if (tool === 'write_file' || tool === 'edit_file') return deniedWrite(role, input['path']);
  if (tool === 'bash') return deniedCommand(input['command']);
  if (tool === 'browser') return deniedUse(input);
  // Whatever tool it is, what it calls a path is one. An empty one is left out: schemas say who needs one.
  return tool === 'read_file' || (typeof input['path'] === 'string' && input['path'] !== '') ? deniedPath(input['path']) : undefined;
}

function deniedUse({ serve, file }: Readonly<Record<string, unknown>>): string | undefined {
  const command = serve === undefined ? undefined : deniedCommand(serve);
  // What lies below /tmp is the browser's own, such as what it downloaded.
  const path = typeof file === 'string' ? file.replace(/^\/tmp\//, '') : file;
  return command ?? (path === undefined ? undefined : deniedPath(path));
}

function deniedWrite(role: RoleName, path: unknown): string | undefined {
  if (readers.includes(role)) return `A ${role} reads and reports; it does not change files.`;
  return deniedPath(path);
}

function deniedPath(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '' || path.includes('\0')) return 'The path is not usable.';
  const parts = path
    .normalize('NFC')
    .toLowerCase()
    .split(/[/\\]+/);
  if (/^([/\\]|[a-z]:)/i.test(path) || parts.includes('..'))
    return `"${path}" leaves the worktree. Give a path relative to the repository's root.`;
  const guarded = parts.map((part) => part.replaceAll(dropped, '')).find((part) => protectedParts.has(part));
  return guarded ? `"${path}" is protected: agents do not touch ${guarded}.` : undefined;
}

function deniedCommand(command: unknown): string | undefined {
  if (typeof command !== 'string' || command.trim() === '') return 'The command is empty.';
  if (command.includes('\0') || command.length > longestCommand) return 'The command is too long or has a NUL byte.';
  if (movesGit(command))
    return 'Loop keeps the history of this branch itself: look with git status, log, diff or show, but change nothing with git.';
  return undefined;
}

function movesGit(command: string): boolean {
  const words = command.replaceAll('\\\n', ' ').split(/\s+/);
  return words.some((word, index) => /(^|[^\w.-])git$/.test(word) && gitVerbs.has(verbAfter(words, index + 1)));
}

function verbAfter(words: readonly string[], start: number): string {
  let at = start;
  while (words[at]?.startsWith('-')) at += gitOptions.has(words[at] ?? '') ? 2 : 1;
  return /[a-z-]+/.exec(words[at] ?? '')?.[0] ?? '';
}
