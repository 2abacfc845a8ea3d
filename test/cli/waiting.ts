/** The honest sprint, played by the command line until it waits for the person's file. */
import assert from 'node:assert/strict';
import { honest } from '../support/greeter.ts';
import { playedOnce } from '../support/played-once.ts';
import { ground } from '../support/sprint.ts';
import { loop, runOf } from './loop.ts';

export const waiting = playedOnce(async () => {
  const at = await ground(honest);
  assert.equal((await loop(runOf(at))).code, 3);
  return { at };
});
