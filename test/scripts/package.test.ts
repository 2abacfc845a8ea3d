/** The packed extension: what its page shows is in it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'mocha';
import manifest from '../../package.json';

interface Package {
  packageExtension(file: string, remote: string): string;
  addressOf(remote: string): string | undefined;
  forPage(markdown: string): string;
}

describe('the packed extension', function () {
  const folder = mkdtempSync(join(tmpdir(), 'loop-vsix-'));
  after(() => rmSync(folder, { recursive: true }));
  let script: Package;
  let file: string;
  const read = (name: string): string => execFileSync('unzip', ['-p', file, `extension/${name}`], { encoding: 'utf8', maxBuffer: 1e8 });
  before(async () => {
    script = (await import(pathToFileURL(resolve('scripts/package.mjs')).href)) as Package;
    file = script.packageExtension(join(folder, 'loop.vsix'), '');
  });

  for (const name of ['readme.md', 'changelog.md'])
    it(`shows and opens only what is there: ${name}`, () => {
      const page = read(name);
      const targets = [...page.matchAll(/!?\[[^\]]*\]\(([^)]*)\)/g)].map(([, target = '']) => target);
      const titles = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => `#${slug(title)}`);
      for (const target of targets) if (!titles.includes(target)) assert.match(target, /^https:\/\/[\w.-]+\//);
      assert.ok(page.length > 1000);
    });

  it('tells where its code is, with its pictures, by the remote of who packs it', () => {
    const public_ = script.packageExtension(join(folder, 'public.vsix'), 'git@github.com:somebody/loop.git\n');
    const of = (name: string): string => execFileSync('unzip', ['-p', public_, `extension/${name}`], { encoding: 'utf8', maxBuffer: 1e8 });
    const { repository, bugs, homepage } = JSON.parse(of('package.json')) as Record<string, unknown>;
    assert.deepEqual(
      [repository, bugs, homepage],
      [
        { type: 'git', url: 'https://github.com/somebody/loop.git' },
        { url: 'https://github.com/somebody/loop/issues' },
        'https://github.com/somebody/loop#readme',
      ],
    );
    const pictures = [...of('readme.md').matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)].map(([, target = '']) => target);
    assert.ok(pictures.length > 0);
    for (const target of pictures) assert.match(target, /^https:\/\/github\.com\/somebody\/loop\/raw\/HEAD\/docs\/images\/[\w-]+\.png$/);
  });

  it('tells no address where none is public', () => {
    const { repository } = JSON.parse(read('package.json')) as { repository?: unknown };
    assert.equal(repository, undefined);
    const remotes = [
      '',
      '/srv/git/loop',
      'https://git.corp.example/loop.git',
      'file:///loop',
      'https://github.com/',
      'git@github.com:loop.git',
    ];
    assert.deepEqual(
      remotes.map(script.addressOf),
      remotes.map(() => undefined),
    );
    for (const remote of [
      'https://github.com/a/b',
      'https://token@github.com/a/b.git',
      'ssh://git@github.com/a/b.git',
      'git@github.com:a/b.git',
    ])
      assert.equal(script.addressOf(remote), 'https://github.com/a/b');
    assert.equal(script.addressOf('https://gitlab.com/a/b/c.git'), 'https://gitlab.com/a/b/c');
  });

  it('is at most 6 MB, and holds what its manifest names', () => {
    const names = execFileSync('unzip', ['-Z1', file], { encoding: 'utf8' }).split('\n');
    for (const name of [manifest.main, manifest.icon, manifest.bin.loop])
      assert.ok(names.includes(`extension/${name.replace('./', '')}`), name);
    assert.ok(readFileSync(file).length <= 6_000_000);
  });

  it('has an entry for its version in the changelog', () =>
    assert.match(read('changelog.md'), new RegExp(`^## \\[${manifest.version}\\]`, 'm')));

  it('is not packed with a link that leads nowhere', () => {
    assert.throws(() => script.forPage('![gone](docs/images/gone.png)'), /a link leads nowhere: docs\/images\/gone\.png/);
    assert.equal(
      script.forPage('[the loop](docs/algorithm.md#the-table), [web](https://example.com/)'),
      'the loop, [web](https://example.com/)',
    );
  });
});

function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-');
}
