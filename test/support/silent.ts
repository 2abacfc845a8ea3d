import { Interruption } from '../../src/engine/ground/errors.ts';
import type { Person } from '../../src/engine/ports.ts';

/** Somebody is there who never answers. */
export const silent: Person = {
  available: true,
  waitFor: (_action, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Interruption('cancelled', 'nobody asks any more')));
    }),
  notYet: () => undefined,
};
