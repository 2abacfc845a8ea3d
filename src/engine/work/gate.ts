/** Gates of qualification, in the order in which they are passed (design §5). Passed once, never unpassed. */
import { z } from 'zod';

export const gates = ['inputs', 'discovery', 'plan', 'prepare'] as const;
export const gate = z.enum(gates);
export type Gate = z.infer<typeof gate>;

export const gateFacts = [z.object({ fact: z.literal('gate.passed'), gate })] as const;
