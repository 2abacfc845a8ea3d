/** The sections of a document that can be folded: each heading with what stands below it. Lines in fences are no headings. */
export interface Fold {
  /** Lines from 0. */
  from: number;
  to: number;
}

export function foldsOf(text: string): Fold[] {
  const lines = text.trimEnd().split('\n');
  const folds: Fold[] = [];
  const open: { level: number; from: number }[] = [];
  const close = (level: number, to: number): void => {
    while ((open.at(-1)?.level ?? 0) >= level) {
      const from = open.pop()?.from ?? to;
      if (to > from) folds.push({ from, to });
    }
  };
  let fence = '';
  for (const [index, line] of lines.entries()) {
    const [marks] = /^`{3,}/.exec(line) ?? [];
    if (fence === '' && marks !== undefined) fence = marks;
    else if (fence !== '' && line === fence) fence = '';
    const level = fence === '' ? (/^(#{1,6}) /.exec(line)?.[1]?.length ?? 0) : 0;
    if (level === 0) continue;
    close(level, lines[index - 1] === '' ? index - 2 : index - 1);
    open.push({ level, from: index });
  }
  close(1, lines.length - 1);
  return folds.sort((a, b) => a.from - b.from);
}
