/** Apart from its schema, because the editor's own process loads no schemas. */
import type { Point, PointOption } from './document-review.ts';

/** What Loop takes where nobody decides. */
export function recommendedFor({ options, recommended }: Point): string {
  return options[recommended]?.answer ?? '';
}

/** What follows from an option, with the requirements that it descopes. */
export function followsWords({ follows, descopes = [] }: PointOption): string {
  return descopes.length === 0 ? follows : `${follows.replace(/\.$/, '')}. Descopes ${descopes.join(', ')}.`;
}
