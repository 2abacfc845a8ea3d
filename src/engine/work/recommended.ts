/** Apart from its schema, because the editor's own process loads no schemas. */
import type { Point } from './document-review.ts';

/** What Loop takes where nobody decides. */
export function recommendedFor({ options, recommended }: Point): string {
  return options[recommended]?.answer ?? '';
}
