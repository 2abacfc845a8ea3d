/** Benchmark: the size of the packaged extension, which a person downloads, and of what is Loop's own in it. */
import { execFileSync } from 'node:child_process';
import { stat } from 'node:fs/promises';

import { temporaryFolder } from '../editor/temporary.ts';
import { bench, report } from './support/figures.ts';
import { packLoop } from './support/packages.ts';

/** In megabytes: all of it, and without grammars, translations and pictures. */
const goals = { all: 6, own: 1.5 };
const notOwn = /^extension\/(dist\/syntax|l10n|docs\/images)\/|^extension\/package\.nls\.[^/]+$|\.(png|svg)$/;

bench(async () => {
  const folder = await temporaryFolder('bench-vsix');
  try {
    const file = await packLoop(folder.path);
    const { size } = await stat(file);
    report({ name: 'vsix-size', value: size / 1e6, unit: 'MB', goal: goals.all }, { bytes: size });
    const own = filesIn(file).reduce((sum, { path, packed }) => sum + (notOwn.test(path) ? 0 : packed), 0);
    report({ name: 'vsix-size-own', value: own / 1e6, unit: 'MB', goal: goals.own }, { bytes: own });
  } finally {
    await folder.remove();
  }
});

/** With the bytes that each takes in the archive. */
function filesIn(file: string): { path: string; packed: number }[] {
  const lines = execFileSync('unzip', ['-lv', file], { encoding: 'utf8' }).split('\n');
  const files = lines.flatMap((line) => {
    const [, packed, path] = /^ *\d+ +\S+ +(\d+) +\S+ +\S+ +\S+ +[0-9a-f]{8} +(.+)$/.exec(line) ?? [];
    return path === undefined ? [] : [{ path, packed: Number(packed) }];
  });
  if (files.length === 0) throw new Error('unzip lists no file as this benchmark reads it');
  return files;
}
