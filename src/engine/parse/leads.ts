/** What a section of PRD.md says before its first requirement, such as _All amounts are in euros._: it holds for each of them. */
import { isElsewhere } from './outline.ts';
import { tooLong } from './reading-problems.ts';
import { outlined } from './requirements.ts';

/** Below the document's title stands what it is about. */
export function leadsIn(text: string): string[] {
  if (tooLong(text)) return [];
  const { blocks, claims } = outlined(text);
  const claimed = new Set(claims.map(({ block }) => block));
  const leads: string[] = [];
  /** Undefined where it holds for no requirement. */
  let said: string[] | undefined;
  let above = 0;
  for (const block of blocks) {
    const { kind, level, label, of, words } = block;
    if (claimed.has(block)) {
      leads.push(...(said ?? []));
      said = undefined;
    } else if (kind === 'heading') {
      // Also for those below a heading in it.
      const before = level > above ? said : undefined;
      said = (level > 1 || label !== undefined) && !isElsewhere(of) ? (before ?? []) : undefined;
      above = level;
    } else said?.push(words);
  }
  return leads;
}
