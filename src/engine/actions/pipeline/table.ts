/** The table of a pipeline: its rows of `state/rows.ts` in their order, each with its action. */
import { pipelineRowIds, type PipelineRow } from '../../state/rows.ts';
import type { Action } from '../action.ts';
import { close } from './close.ts';
import { iterate } from './iterate.ts';
import { open } from './open.ts';
import { queue } from './queue.ts';
import { settle } from './settle.ts';
import { verify } from './verify.ts';

const actions: Record<PipelineRow, Action> = { close, inputs: open, iterate, queue, settle, verify };

export const pipelineTable: readonly Action[] = pipelineRowIds.map((id) => actions[id]);
