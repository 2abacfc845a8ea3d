/** Finds keys that must not get into a commit: lines of a patch with a key. */
import { keysIn } from '../../engine/ground/keys.ts';

/** Keys in the lines that a patch adds, as `file:line holds …`. The patch must have no colour. */
export function secretsInPatch(patch: string): string[] {
  const found: string[] = [];
  let file = '';
  for (const part of patch.split(/^(?=diff --git |@@ )/m)) {
    const name = /^\+\+\+ (?:"?b\/(.*?)"?\t?)$/m.exec(part)?.[1];
    if (part.startsWith('diff --git ')) file = name ?? '';
    for (const { start, lines } of blocksAdded(part))
      found.push(...keysIn(lines).map(({ line, what }) => `${file}:${start + line - 1} holds ${what}`));
  }
  return found;
}

/** The blocks of lines that a hunk adds, without the lines that it shows around them. `start`: line in the new file, from 1. */
function blocksAdded(hunk: string): { start: number; lines: string[] }[] {
  const [header = '', ...lines] = hunk.split('\n');
  let at = Number(/^@@ -\S+ \+(\d+)/.exec(header)?.[1] ?? Number.NaN);
  if (Number.isNaN(at)) return [];
  const blocks: { start: number; lines: string[] }[] = [];
  let open = false;
  for (const line of lines) {
    if (line.startsWith('+')) {
      if (!open) blocks.push({ start: at, lines: [] });
      blocks.at(-1)?.lines.push(line.slice(1));
    }
    open = line.startsWith('+') || (open && !line.startsWith(' '));
    if (line.startsWith('+') || line.startsWith(' ')) at += 1;
  }
  return blocks;
}
