/** Causes that a classifier sees behind failures in which machines see nothing in common (spec/1 §7.3). */
import { z } from 'zod';

const causes = z.object({
  /** Code number on which they fail; on another one it says nothing. */
  code: z.number(),
  groups: z.array(z.object({ cause: z.string(), verifications: z.array(z.string()) })),
});
export type Causes = z.infer<typeof causes>;

export const causeFacts = [causes.extend({ fact: z.literal('causes.judged') })] as const;
