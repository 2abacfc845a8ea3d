/** Packages that managers keep in the home stay for later commands of their checkout, and no run or other checkout can change them. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Job } from '../../../src/engine/work/job.ts';
import { keptFolder } from '../../../src/host/sandbox/kept-packages.ts';
import type { ViewWay } from '../../../src/host/sandbox/view-ways.ts';
import { World } from './world.ts';

const ways: ViewWay[] = ['overlay', 'reflink', 'copy'];
/** Where go and cargo look. */
const module = '~/go/pkg/mod/example.com/word';
const crate = '~/.cargo/registry/cache/word';

for (const viewBy of ways)
  describe(`packages in the home, with views made by ${viewBy}`, () => {
    let world: World;
    before(async () => {
      world = new World();
      await prints(`mkdir -p ${module} ${crate} && echo first > ${module}/word.go`, { packages: 'use' });
    });
    after(() => world.dispose());

    const options = () => ({ viewBy, packages: join(world.home, '.state', 'loop', 'packages') });
    const prints = (command: string, more: Partial<Job> = {}): Promise<string> => world.prints(command, more, options());
    const verify = (script: string): Promise<string> =>
      world.prints({ script: `#!/bin/sh\n${script}`, ext: 'sh', name: 'area-one' }, {}, options());

    it('stay for a later command, and for a run in a view', async () => {
      assert.equal(await prints(`cat ${module}/word.go`), 'first');
      assert.equal(await verify(`cat ${module}/word.go`), 'first');
      assert.equal(await prints(`cat ${module}/word.go`, { readonly: true }), 'first');
    });

    it('are changed by a command that writes the tree, and by no run in a view', async () => {
      assert.equal(await verify(`echo evil > ${module}/word.go; rm -r ~/.cargo/registry/*; cat ${module}/word.go`), 'evil');
      assert.equal(await verify(`cat ${module}/word.go; ls ~/.cargo/registry`), 'first\ncache');
      assert.notEqual((await world.run(`echo evil > ${module}/word.go`, { readonly: true }, options())).exit, 0);
      await prints(`echo second > ${module}/word.go`);
      assert.equal(await verify(`cat ${module}/word.go`), 'second');
      await prints(`echo first > ${module}/word.go`);
    });

    it('are those of one checkout: another one sees none of them, and cannot change them', async () => {
      const scratch = join(world.home, 'scratches', viewBy, 'project');
      mkdirSync(scratch, { recursive: true });
      const at = { scratch: realpathSync(scratch) };
      assert.equal(
        await prints(
          `ls ~/go/pkg; mkdir -p ${module} && echo other > ${module}/word.go && ls ${keptFolder(world.tree)} 2>/dev/null; true`,
          { at },
        ),
        '',
      );
      assert.equal(await prints(`cat ${module}/word.go`, { at }), 'other');
      assert.equal(await prints(`cat ${module}/word.go`), 'first');
    });

    it('hold no configuration: what a command writes to the rest of the home is gone with it', async () => {
      await prints('mkdir -p ~/.cargo ~/.m2 && touch ~/.cargo/config.toml ~/.m2/settings.xml ~/.npmrc ~/.bashrc ~/.gradle/init.gradle');
      assert.equal(
        await prints('cd && find . -name "config*" -o -name "settings*" -o -name ".npmrc" -o -name ".bashrc" -o -name "init*"'),
        '',
      );
    });

    it('cannot be led out of their folder by a link', async () => {
      await prints(
        'rm -rf ~/go/pkg/mod; ln -s /etc ~/go/pkg/mod; mv ~/go ~/gone; rm -rf ~/.cargo/registry; ln -s / ~/.cargo/registry; true',
      );
      assert.ok(readdirSync(keptFolder(world.tree)).includes('go'));
      assert.equal(await verify('[ -L ~/.cargo/registry ] && echo link; [ -e ~/gone ] && echo gone; true'), '');
      await prints(`rm ~/go/pkg/mod; mkdir -p ${module} ${crate} && echo first > ${module}/word.go`);
    });
  });

describe('packages in the home', () => {
  let world: World;
  before(() => (world = new World()));
  after(() => world.dispose());

  it('are not kept where no sprint has a folder for packages', async () => {
    await world.prints(`mkdir -p ${module}`);
    assert.equal(await world.prints('ls ~/go 2>/dev/null; true'), '');
    assert.ok(!readdirSync(join(world.tree, '..')).some((name) => name.endsWith('.packages')));
  });
});
