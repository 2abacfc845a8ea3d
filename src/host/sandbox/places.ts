/** Looks up paths and programs of the host for the sandbox's layout. A path that cannot be resolved counts as absent. */
import { accessSync, constants, lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** Returns the canonical path; undefined where there is none. */
export function realPath(path: string): string | undefined {
  try {
    return isAbsolute(path) ? realpathSync.native(path) : undefined;
  } catch {
    return undefined;
  }
}

/** The kind of file at a path. Does not follow links. Undefined also where it lies in a folder of another user's, or below a file. */
export function kindOf(path: string): 'folder' | 'file' | 'link' | 'socket' | 'other' | undefined {
  try {
    const stat = lstatSync(path);
    if (stat.isDirectory()) return 'folder';
    if (stat.isFile()) return 'file';
    if (stat.isSymbolicLink()) return 'link';
    return stat.isSocket() ? 'socket' : 'other';
  } catch {
    return undefined;
  }
}

/** Whether `path` is `folder` or lies in it. Both must be canonical. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Finds a program of the host: in the system's folders first, then in PATH, never in a folder that a sandbox may write. */
export function findProgram(name: string, writable: string[], path: string = process.env['PATH'] ?? ''): string | undefined {
  return findIn(['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin', ...path.split(':')], name, writable);
}

/** Finds a program in the first of these folders that has it, never in one that a sandbox may write. */
export function findIn(folders: readonly string[], name: string, writable: string[]): string | undefined {
  return folders
    .filter((folder) => isAbsolute(folder))
    .map((folder) => realPath(join(folder, name)))
    .find((file) => file !== undefined && isExecutable(file) && !writable.some((w) => isWithin(file, w)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
