/** Finds keys that must not get into a commit: lines of a patch with a key. */
import { keysIn } from '../../engine/ground/keys.ts';

/** Keys in the lines that a patch adds, as `file:line holds …`. The patch must have no context lines and no colour. */
export function secretsInPatch(patch: string): string[] {
  const found: string[] = [];
  let file = '';
  for (const part of patch.split(/^(?=diff --git |@@ )/m)) {
    const name = /^\+\+\+ (?:"?b\/(.*?)"?\t?)$/m.exec(part)?.[1];
    if (part.startsWith('diff --git ')) file = name ?? '';
    const start = /^@@ -\S+ \+(\d+)/.exec(part)?.[1];
    if (start === undefined) continue;
    const added = part
      .split('\n')
      .filter((line) => line.startsWith('+'))
      .map((line) => line.slice(1));
    found.push(...keysIn(added).map(({ line, what }) => `${file}:${Number(start) + line - 1} holds ${what}`));
  }
  return found;
}
