/**
 * The repository's configuration as commands in a sandbox see it: what `git status` and `git log` need, and neither
 * remotes nor headers, whose addresses and values often carry a token.
 */
const KEPT = new Set(['core', 'extensions', 'user', 'init', 'branch', 'diff', 'merge']);

/** The sections that are safe to show; everything else is left out. */
export function shownGitConfig(text: string): string {
  let keep = false;
  const lines = text.split('\n').filter((line) => {
    const section = /^\s*\[\s*([A-Za-z0-9-]+)/.exec(line)?.[1];
    if (section !== undefined) keep = KEPT.has(section.toLowerCase());
    return keep;
  });
  return lines.join('\n');
}
