/** What the person did with the sprint's branch in the end. */
import { z } from 'zod';

export const finished = z.object({ how: z.enum(['merge', 'squash', 'keep', 'drop']), commit: z.string() });

/** Said by the person, once; the sprint is over then and is not gone on with. */
export const finishFacts = [z.object({ fact: z.literal('sprint.finished'), finished })] as const;
export type Finished = z.infer<typeof finished>;
