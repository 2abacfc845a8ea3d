/** Causes that a classifier found for failures that the engine cannot group by itself (docs/decisions/0018). */
import * as z from 'zod';

const causes = z.object({
  /** Code number at which they fail; the causes do not hold for another one. */
  code: z.number(),
  groups: z.array(z.object({ cause: z.string(), verifications: z.array(z.string()) })),
});
export type Causes = z.infer<typeof causes>;

export const causeFacts = [causes.extend({ fact: z.literal('causes.judged') })] as const;
