/** Closes the run: always due, and last in the table. How it ended is worked out by `pipelineEnding`, not decided here (I7). */
import type { Action } from '../action.ts';

export const close: Action = {
  id: 'close',
  asksModel: false,
  afterQualifying: false,
  due: () => [{ target: '', burns: [], why: 'nothing else is due' }],
  run: () => Promise.resolve([]),
};
