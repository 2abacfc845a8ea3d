/**
 * Policy: a pure function of role, tool and input. It refuses early and in words; the real boundary is the sandbox. It denies
 * a path that it cannot understand.
 */
import type { RoleName } from '../ground/roles.ts';
import { movingGit } from './moving-git.ts';

/** Characters. */
export const longestCommand = 20_000;

/** Roles that may only read the worktree. */
export const readers: readonly RoleName[] = ['evaluator', 'classifier', 'reasoner', 'researcher', 'qc', 'examiner'];
const protectedParts = new Set(['.git', '.loop', '.vscode', '.idea', '.gitmodules']);
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
  const verb = movingGit(command);
  return verb && `Loop keeps the history of this branch itself, so "git ${verb}" is refused: ${insteadOfGit}`;
}

const insteadOfGit =
  'look with git status, log, diff or show. A repository of your own in /tmp may be changed by the command that makes it, with git init or git clone.';
