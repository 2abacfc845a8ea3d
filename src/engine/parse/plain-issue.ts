/** What a schema finds, in words that say what to give: for all that the schema itself has no words for. Pass it to `safeParse`. */
import type * as z from 'zod';

export function plainIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return kinds.get(issue.expected) ?? 'give another value';
    case 'invalid_value':
      return `give ${issue.values.map(String).join(' or ')}`;
    case 'too_big':
      return `give at most ${Number(issue.maximum)}${unit(issue.origin)}`;
    case 'too_small':
      return `give at least ${Number(issue.minimum)}${unit(issue.origin)}`;
    default:
      return 'give another value';
  }
}

const kinds = new Map<string, string>([
  ['string', 'give a text'],
  ['number', 'give a number'],
  ['int', 'give a whole number'],
  ['array', 'give a list, as in `[one, two]`'],
  ['object', 'give fields, as in `{ field: value }`'],
  ['record', 'give names with values, as in `{ name: value }`'],
]);

function unit(origin: string): string {
  return origin === 'string' ? ' characters' : '';
}
