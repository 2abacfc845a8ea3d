// Owns the command behind `npm run screenshots`: a tour of the stations whose pictures go into docs/images. They replace the
// old ones only when the whole tour was gone.

import { cp, mkdir } from 'node:fs/promises';
import * as path from 'node:path';

import { checkoutRoot } from '../provisioned.ts';
import { temporaryFolder } from '../temporary.ts';
import { startGround } from './ground.ts';
import * as stations from './stations.ts';

/** What the documentation shows; the other pictures of the tour are for who looks into a failed test. */
const SHOWN = ['start', 'red-verification', 'tasks', 'needs-you', 'delivered', 'failure-history', 'fix-changes', 'finish'];

async function main(): Promise<void> {
  const taken = await temporaryFolder('pictures');
  const ground = await startGround();
  try {
    const tour = await stations.arrive(ground, taken.path);
    await stations.start(tour);
    await stations.seeRed(tour);
    await stations.seeTasksTick(tour);
    await stations.supply(tour);
    await stations.seeDelivered(tour);
    await stations.readReport(tour);
    await stations.readHistory(tour);
    await stations.seeChange(tour);
    await stations.finish(tour);
  } finally {
    await ground.close();
  }
  const images = path.join(checkoutRoot(), 'docs', 'images');
  await mkdir(images, { recursive: true });
  for (const name of SHOWN) await cp(path.join(taken.path, `${name}.png`), path.join(images, `${name}.png`));
  await taken.remove();
  process.stdout.write(`pictures in ${images}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
