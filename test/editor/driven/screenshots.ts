/**
 * The command behind `npm run screenshots`: a tour through the stations whose pictures go into docs/images. The pictures replace
 * the old ones only after the whole tour.
 */
import { cp, mkdir } from 'node:fs/promises';
import * as path from 'node:path';

import { checkoutRoot } from '../provisioned.ts';
import { temporaryFolder } from '../temporary.ts';
import { startEditor } from './ground.ts';
import * as stations from './stations.ts';

/** The pictures in the documentation; the others of the tour help to understand a failed test. */
const documentedPictures = ['start', 'red-verification', 'needs-you', 'failure-history', 'fix-changes', 'finish'];

async function main(): Promise<void> {
  const pictures = await temporaryFolder('pictures');
  const editor = await startEditor();
  try {
    const ground = await editor.ground();
    const tour = await stations.arrive(ground, pictures.path);
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
    await editor.close();
  }
  const images = path.join(checkoutRoot(), 'docs', 'images');
  await mkdir(images, { recursive: true });
  for (const name of documentedPictures) await cp(path.join(pictures.path, `${name}.png`), path.join(images, `${name}.png`));
  await pictures.remove();
  process.stdout.write(`pictures in ${images}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
