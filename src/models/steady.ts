/** Makes texts of two runs comparable: what time, place and machine make different is replaced by its name. Pure. */

/** Idempotent. */
export function steady(text: string): string {
  return variable.reduce((known, [pattern, name]) => known.replaceAll(pattern, name), text);
}

const variable: readonly [pattern: RegExp, name: string][] = [
  // To its end: how much of it stands in a cut text follows from its length.
  [/(?:\/[\w.-]+)+\/worktrees\/[^\s'"`]*/g, '<worktree>'],
  [/(?:\/[\w.-]+)*\/loop-[\w-]+/g, '<folder>'],
  [/\b(loop\/[\w-]+)-\d{8}-\d{6}\b/g, '$1-<time>'],
  [/\b(localhost|127\.0\.0\.1):\d{2,5}\b/g, '$1:<port>'],
  [/\([0-9a-f]{7}\)/g, '(<commit>)'],
  [/^[0-9a-f]{7,40}(?= )/gm, '<commit>'],
  [/^(On the PATH of commands: ).*$/gm, '$1<tools>'],
  [/\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?/g, '<date>'],
];
