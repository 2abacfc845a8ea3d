import type { Person } from '../engine/ports.ts';

/** Nobody can be asked: a sprint that needs a person stops as `waiting`. */
export const nobody: Person = {
  available: false,
  ask: () => Promise.reject(new Error('nobody can be asked')),
};
