/**
 * The table of a pipeline. Its change is settled first, a queue is looked at before an iteration and a stop is verified after
 * it, and closing comes last.
 */
import type { Action } from '../action.ts';
import { close } from './close.ts';
import { iterate } from './iterate.ts';
import { open } from './open.ts';
import { queue } from './queue.ts';
import { settle } from './settle.ts';
import { verify } from './verify.ts';

export const pipelineTable: readonly Action[] = [settle, open, queue, verify, iterate, close];
