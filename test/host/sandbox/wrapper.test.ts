/** A project of the JVM brings its build tool as a wrapper, and the machine may have none. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import { installCommand } from '../../../src/engine/parse/install-command.ts';
import { World } from './world.ts';

describe('an install of a project with a wrapper', () => {
  let world: World;
  before(() => void (world = new World()));
  after(() => world.dispose());
  beforeEach(() => {
    for (const name of ['api', '.venv']) rmSync(join(world.tree, name), { recursive: true, force: true });
    mkdirSync(join(world.tree, 'api'));
    mkdirSync(join(world.tree, '.venv', 'bin'), { recursive: true });
  });

  const program = (path: string, mode = 0o755): void => {
    writeFileSync(join(world.tree, path), `#!/bin/sh\necho "${path} $*"\n`);
    chmodSync(join(world.tree, path), mode);
  };
  const install = (): Promise<string> => world.prints(installCommand({ folder: 'api', manager: 'gradle', flags: [] }));

  it('is made by the wrapper, also where the machine has no such tool', async () => {
    program('api/gradlew');
    assert.equal(await install(), 'api/gradlew dependencies --quiet');
  });

  it('is made by the tool of the machine where the wrapper is not there, or cannot be run', async () => {
    // What lies last in PATH.
    program('.venv/bin/gradle');
    assert.equal(await install(), '.venv/bin/gradle dependencies --quiet');
    program('api/gradlew', 0o644);
    assert.equal(await install(), '.venv/bin/gradle dependencies --quiet');
  });
});
