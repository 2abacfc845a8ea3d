/** Address of a payload: the SHA-256 of its UTF-8 text, in hex. */
import * as z from 'zod';

export const ref = z.string().regex(/^[0-9a-f]{64}$/);
export type Ref = z.infer<typeof ref>;
