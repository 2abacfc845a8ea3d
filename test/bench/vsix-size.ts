/** Benchmark: the size of the packaged extension, which a person downloads. */
import { stat } from 'node:fs/promises';

import { temporaryFolder } from '../editor/temporary.ts';
import { bench, report } from './support/figures.ts';
import { packLoop } from './support/packages.ts';

/** 2.3 of them are the grammars (docs/decisions/0028). */
const goalMegabytes = 3.5;

bench(async () => {
  const folder = await temporaryFolder('bench-vsix');
  try {
    const { size } = await stat(await packLoop(folder.path));
    report({ name: 'vsix-size', value: size / 1e6, unit: 'MB', goal: goalMegabytes }, { bytes: size });
  } finally {
    await folder.remove();
  }
});
