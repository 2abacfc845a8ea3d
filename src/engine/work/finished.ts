/** What the person did with the sprint's branch at the end. */
import * as z from 'zod';

export const finishWays = ['merge', 'squash', 'keep', 'drop'] as const;
export type FinishWay = (typeof finishWays)[number];

export const finished = z.object({ how: z.enum(finishWays), commit: z.string() });
export type FinishedSprint = z.infer<typeof finished>;

/** Recorded once; a finished sprint cannot be resumed. */
export const finishFacts = [z.object({ fact: z.literal('sprint.finished'), finished })] as const;
