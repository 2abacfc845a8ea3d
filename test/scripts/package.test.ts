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
  packageExtension(file: string): string;
  forPage(markdown: string): string;
}

describe('the packed extension', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'loop-vsix-'));
  after(() => rmSync(folder, { recursive: true }));
  let script: Package;
  let file: string;
  const read = (name: string): string => execFileSync('unzip', ['-p', file, `extension/${name}`], { encoding: 'utf8', maxBuffer: 1e8 });
  before(async () => {
    script = (await import(pathToFileURL(resolve('scripts/package.mjs')).href)) as Package;
    file = script.packageExtension(join(folder, 'loop.vsix'));
  });

  for (const name of ['readme.md', 'changelog.md'])
    it(`opens every link and picture of ${name}`, () => {
      const page = read(name);
      const links = [...page.matchAll(/(!?)\[([^\]]*)\]\(([^)]*)\)/g)].map(([, picture, words, target = '']) => ({
        picture,
        words,
        target,
      }));
      const titles = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => slug(title));
      for (const { picture, words, target } of links) {
        if (picture === '!') assert.ok(isPicture(target), words);
        else if (target.startsWith('#')) assert.ok(titles.includes(target.slice(1)), words);
        else assert.match(target, /^https:\/\/[\w.-]+\//, words);
      }
      const shown = links.filter(({ picture }) => picture === '!').length;
      const own = [...readFileSync(name.toUpperCase().replace('.MD', '.md'), 'utf8').matchAll(/^!\[/gm)].length;
      assert.equal(shown, own);
    });

  it('shows the pictures of the README as they are in docs', () => {
    const [, first = ''] = /^!\[[^\]]*\]\(data:image\/png;base64,([^)]*)\)/m.exec(read('readme.md')) ?? [];
    assert.ok(Buffer.from(first, 'base64').equals(readFileSync('docs/images/needs-you.png')));
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

function isPicture(target: string): boolean {
  const [, data = ''] = /^data:image\/png;base64,([\w+/=]+)$/.exec(target) ?? [];
  return Buffer.from(data, 'base64').subarray(1, 4).toString() === 'PNG';
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-');
}
