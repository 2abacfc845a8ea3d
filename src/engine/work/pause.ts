/** A pause: the person lets the running step end, and nothing after it begins until they resume. */
import * as z from 'zod';

export const pauseFacts = [z.object({ fact: z.literal('pause.asked') })] as const;
