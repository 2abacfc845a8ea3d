// Covers: the packaged extension in a real editor, used by a person's own clicks from Start to Finish.

import { after, before, describe, it } from 'mocha';

import { pictureFolder, startGround, type Ground } from './ground.ts';
import * as stations from './stations.ts';

describe('a sprint in the editor', function () {
  this.timeout(240_000);
  // One station after the other: without the one before there is nothing to see.
  this.bail(true);
  let ground: Ground;
  let tour: stations.Tour;
  before(async () => {
    ground = await startGround();
    tour = await stations.arrive(ground, await pictureFolder());
  });
  after(() => ground?.close());

  it('starts from the palette, after showing the worst case', () => stations.start(tour));
  it('shows why a verification is red while it is red', () => stations.seeRed(tour));
  it('ticks tasks', () => stations.seeTasksTick(tour));
  it('asks for what only a person can do, and looks for itself', () => stations.supply(tour));
  it('says that it is delivered', () => stations.seeDelivered(tour));
  it('opens the report', () => stations.readReport(tour));
  it('tells what mended a verification, and why', () => stations.readHistory(tour));
  it('merges on Finish, and what it built works by hand', () => stations.finish(tour));
});
