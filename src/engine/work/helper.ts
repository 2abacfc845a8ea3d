/** Code that several verifications share. Its text stands in each script that names it, so a script runs as one text, in no file. */
import * as z from 'zod';
import { ref } from './ref.ts';

export const helper = z.object({
  /** File name, such as `pages.mjs`. Scripts name it in `USES`. */
  name: z.string(),
  /** Payload of its text. */
  text: ref,
});
export type Helper = z.infer<typeof helper>;
/** By name. */
export type Helpers = Readonly<Record<string, Helper>>;

export const helperFacts = [z.object({ fact: z.literal('helper.written'), helper })] as const;
