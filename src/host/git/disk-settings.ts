/**
 * What git must know of the disk that holds a sprint's worktree. The repository's settings tell of the disk where it was cloned,
 * which may be another one: a clone of macOS or Windows, mounted into a container.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Settings for each call of git on that disk, as `git init` would find them. @param folder one on that disk. */
export function diskSettings(folder: string): string[] {
  const probe = join(folder, `probe-${randomUUID().slice(0, 8)}`);
  mkdirSync(probe, { mode: 0o700 });
  try {
    const file = join(probe, 'file');
    writeFileSync(file, '', { mode: 0o600 });
    const found = { fileMode: keepsModes(file), ignoreCase: existsSync(join(probe, 'FILE')), symlinks: makesLinks(join(probe, 'link')) };
    return Object.entries(found).map(([key, value]) => `core.${key}=${value}`);
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}

function keepsModes(file: string): boolean {
  const before = lstatSync(file).mode;
  return (before & 0o100) === 0 && succeeds(() => chmodSync(file, 0o700)) && (lstatSync(file).mode & 0o100) !== 0;
}

function makesLinks(path: string): boolean {
  return succeeds(() => symlinkSync('file', path)) && lstatSync(path).isSymbolicLink();
}

function succeeds(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
