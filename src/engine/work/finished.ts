/** What the person did with the sprint's branch at the end. */
import { z } from 'zod';

export const finished = z.object({ how: z.enum(['merge', 'squash', 'keep', 'drop']), commit: z.string() });

/** Recorded once; a finished sprint cannot be resumed. */
export const finishFacts = [z.object({ fact: z.literal('sprint.finished'), finished })] as const;
export type Finished = z.infer<typeof finished>;
