/**
 * The repository's git configuration as a sandbox shows it: only what `git status` and `git log` need. Remotes and HTTP
 * headers are left out, because they often hold a token.
 */
const keptSections = new Set(['core', 'extensions', 'user', 'init', 'branch', 'diff', 'merge']);

/** Returns the text with only the sections that are safe to show. */
export function shownGitConfig(text: string): string {
  let keep = false;
  const lines = text.split('\n').filter((line) => {
    const section = /^\s*\[\s*([A-Za-z0-9-]+)/.exec(line)?.[1];
    if (section !== undefined) keep = keptSections.has(section.toLowerCase());
    return keep;
  });
  return lines.join('\n');
}
