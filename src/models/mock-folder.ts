/** A mock with the fixtures of a folder. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../engine/ground/errors.ts';
import type { Model } from '../engine/ports.ts';
import { createMock } from './mock.ts';

/** @param folder null where all is made up. @throws InputError where there is no such folder. */
export function mockFrom(folder: string | null, nodes: Parameters<typeof createMock>[0]['nodes']): Model {
  if (folder === null) return createMock({ nodes }, () => undefined);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new InputError(`There is no folder ${folder}.`, 'Name a folder of fixtures; it may be empty.');
  return createMock({ nodes }, (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined));
}
