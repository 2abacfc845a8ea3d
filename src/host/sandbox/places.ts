/** Questions about paths of the host that the sandbox's layout asks. A path that cannot be resolved counts as absent. */
import { accessSync, constants, lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** The canonical path, or undefined where there is none. */
export function realPath(path: string): string | undefined {
  try {
    return isAbsolute(path) ? realpathSync.native(path) : undefined;
  } catch {
    return undefined;
  }
}

/** What lies at a path itself, links not followed. */
export function kindOf(path: string): 'folder' | 'file' | 'link' | 'socket' | 'other' | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (stat.isDirectory()) return 'folder';
  if (stat.isFile()) return 'file';
  if (stat.isSymbolicLink()) return 'link';
  return stat.isSocket() ? 'socket' : 'other';
}

/** Whether `path` is `folder` or lies in it. Both canonical. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Where a program of the host lies: the system's folders first, then PATH, never a folder that a sandbox may write. */
export function findProgram(name: string, writable: string[], path: string = process.env['PATH'] ?? ''): string | undefined {
  return findIn(['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin', ...path.split(':')], name, writable);
}

/** The first of these folders that has the program, never one that a sandbox may write. */
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
