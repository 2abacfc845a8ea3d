/**
 * What package managers keep in the home: go, cargo, maven and others install nothing into the tree, and a home is gone with its
 * command. So these places of the home lie beside each checkout, as `node_modules` lies in it. Commands that write the tree write
 * them, runs in a view see a view of them, and no checkout sees those of another one (I8).
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Mount } from './bubblewrap.ts';
import { homeDir } from './layout.ts';
import { namesIn } from '../peek.ts';

/** Below the home. None holds configuration: a command would begin with what the work wrote there. */
const places = [
  '.cache/pypoetry',
  '.cache/uv',
  '.cargo/git',
  '.cargo/registry',
  '.gem',
  '.gradle/caches',
  '.gradle/wrapper',
  '.local/share/gem',
  '.local/share/pnpm',
  '.m2/repository',
  '.m2/wrapper',
  '.nuget/packages',
  '.yarn/berry',
  'go/pkg',
];

/** The folder of a checkout's packages. It is beside the checkout, so it goes with a scratch checkout. */
export function keptFolder(root: string): string {
  return `${root}.packages`;
}

/** Whether anything is kept for a checkout. */
export function keepsPackages(root: string): boolean {
  return filledPlaces(keptFolder(root)).length > 0;
}

/** For a command that writes the tree. */
export function writtenPackages(root: string): Mount[] {
  const folder = keptFolder(root);
  for (const place of places) mkdirSync(join(folder, place), { recursive: true, mode: 0o700 });
  return places.map((place) => ({ kind: 'write', path: join(homeDir, place), from: join(folder, place) }));
}

/** For a run that leaves the tree as it is. @param from its view of the folder; left out where it may only read. */
export function seenPackages(root: string, from?: string): Mount[] {
  const folder = keptFolder(root);
  return filledPlaces(folder).map((place) => ({
    kind: from === undefined ? 'read' : 'write',
    path: join(homeDir, place),
    from: join(from ?? folder, place),
  }));
}

function filledPlaces(folder: string): string[] {
  if (namesIn(folder).length === 0) return [];
  return places.filter((place) => namesIn(join(folder, place)).length > 0);
}
