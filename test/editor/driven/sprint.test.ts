/** The packaged extension in a real editor, used with a person's own clicks from Start to Finish. */
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';

import { inOrder } from '../in-order.ts';
import * as detours from './detours.ts';
import { pictureFolder, type Ground } from './ground.ts';
import { suiteGround } from './shared-editor.ts';
import * as stations from './stations.ts';

let ground: Ground;
let pictures: string;

describe('a sprint in the editor', function () {
  // Each station needs the one before.
  inOrder(this);
  let tour: stations.Tour;
  before(async () => {
    pictures = await pictureFolder();
    // As a person has it who changed no setting.
    ground = await suiteGround({ 'loop.evidence': 'fair' });
    tour = await stations.arrive(ground, pictures);
  });
  after(() => ground?.close());

  it('starts from the palette, after showing the worst case', () => stations.start(tour));
  it('shows why a verification is red while it is red', () => stations.seeRed(tour));
  it('marks tasks as done', () => stations.seeTasksTick(tour));
  it('opens a session, with its calls folded', () => stations.followSession(tour));
  it('asks for what only the person can do, and verifies it', () => stations.supply(tour));
  it('says that it is delivered', () => stations.seeDelivered(tour));
  it('opens the report', () => stations.readReport(tour));
  it('shows what fixed a verification, and why', () => stations.readHistory(tour));
  it('opens what a fix changed, before and after', () => stations.seeChange(tour));
  it('runs a verification by hand in the Test Explorer', () => stations.runByHand(tour));
  it('merges on Finish, and what it built works by hand', () => stations.finish(tour));
  it('marks what is wrong in PRD.md, and shows how each requirement stands', () => stations.readPrd(tour));
});

describe('what comes between', () => {
  before(async () => {
    pictures = await pictureFolder();
    ground = await suiteGround();
  });
  after(() => ground?.close());

  describe('a sprint with interruptions', function () {
    inOrder(this);
    let detour: detours.Detour;
    before(async () => void (detour = await detours.arriveAtGreeter(ground)));

    it('stops on request', () => detours.stop(detour));
    it('adopts the person’s edit of a verification after showing the difference', () =>
      detours.adoptEdit(detour, (workbench) => workbench.screenshot(path.join(pictures, 'own-edit.png'))));
    it('resumes without asking again', () => detours.resume(detour));
    it('reports that its launcher process was killed, and resumes from there', () => detours.loseLauncher(detour));
    it('resumes after the editor was reloaded', () => detours.reload(detour));
    it('says honestly what a skipped human action costs', () => detours.skip(detour));
  });

  describe('a folder that is not ready for a sprint', () => {
    it('gets a first commit of the chosen files', () =>
      detours.initialise(ground, (workbench) => workbench.screenshot(path.join(pictures, 'first-commit.png'))));
    it('is refused with the document that is missing', () => detours.withoutPrd(ground));
  });

  describe('the API key', () => {
    it('is kept in the secret store until it is removed', () => detours.keepKey(ground));
  });
});
