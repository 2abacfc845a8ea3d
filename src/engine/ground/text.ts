/** A part of an output that tells the story (I9): its head, its tail, and the lines that look like errors. */

const errorLine = /\b(error|fail(ed|ure)?|exception|panic|traceback|assert\w*|expected|cannot|not found|denied|refused)\b/i;
const errorLines = 12;

/** @param limit characters, roughly. */
export function excerpt(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = Math.floor(limit / 3);
  const head = text.slice(0, end);
  const tail = text.slice(-end);
  const between = text.slice(end, -end);
  const telling = between
    .split('\n')
    .filter((line) => errorLine.test(line))
    .slice(0, errorLines)
    .map((line) => line.slice(0, 200));
  return [head, `[… ${between.length} characters left out; lines among them that look like errors:]`, ...telling, '[…]', tail].join('\n');
}

/** `1 file`, `2 files`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `never green` becomes `Never green.` */
export function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
