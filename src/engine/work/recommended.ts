/** Apart from its schema, because the editor's own process loads no schemas. */
import type { Point, PointOption } from './document-review.ts';

/** What Loop takes where nobody decides. */
export function recommendedFor({ options, recommended }: Point): string {
  return options[recommended]?.answer ?? '';
}

/** What follows from an option, with the requirements that it descopes. */
export function followsWords({ follows, descopes }: PointOption): string {
  return withDescoped(follows, descopes);
}

/** What Loop takes where nobody decides, with the requirements that it descopes. */
export function recommendedWords({ options, recommended }: Point): string {
  const { answer = '', descopes } = options[recommended] ?? {};
  return withDescoped(answer, descopes);
}

function withDescoped(words: string, descopes: readonly string[] = []): string {
  return descopes.length === 0 ? words : `${words.replace(/\.$/, '')}. Descopes ${descopes.join(', ')}.`;
}
