/** Tables and lists that say more of requirements which stand above: who accepts `R4`, and how. */
import type { Placed } from './outline.ts';

/**
 * Rows and items whose code stands above, and which say something else of it: all codes of their table or list are known, and its columns are
 * others, or its heading speaks of acceptance, tests or examples. Anything else that stands there twice is a slip.
 */
export function tellingMore(blocks: readonly Placed[], ids: ReadonlyMap<Placed, string>): Set<Placed> {
  const columns = new Map<string, string>();
  const more = new Set<Placed>();
  for (const { heading, run } of runsOf(blocks)) {
    const labelled = run.filter((block) => ids.has(block));
    const isKnown = labelled.length > 0 && labelled.every((block) => block.label?.kind === 'code' && columns.has(ids.get(block) ?? ''));
    const isOther = (block: Placed) => block.kind === 'row' && columns.get(ids.get(block) ?? '') !== columnsOf(block);
    if (isKnown && (proving.test(heading) || labelled.every(isOther))) for (const block of labelled) more.add(block);
    for (const block of labelled) columns.set(ids.get(block) ?? '', columnsOf(block));
  }
  return more;
}

const proving =
  /\b(?:accept|verif|test|example|trac(?:e|ing)|priorit)|\b(?:akzeptanz|abnahme|prüf|beispiel|priorit)|受け入れ|受入|検証|テスト|例/iu;

/** Rows or items that follow each other, and other blocks one by one, each with the words of the heading above. */
function runsOf(blocks: readonly Placed[]): { heading: string; run: Placed[] }[] {
  const runs: { heading: string; run: Placed[] }[] = [];
  let heading = '';
  for (const block of blocks) {
    if (block.kind === 'heading') heading = block.words;
    const last = runs.at(-1);
    const before = last?.run[0];
    const goesOn =
      before &&
      (block.kind === 'row' ? before.kind === 'row' && block.from === block.line : before.kind === 'item' && block.kind === 'item');
    if (goesOn) last?.run.push(block);
    else runs.push({ heading, run: [block] });
  }
  return runs;
}

function columnsOf({ cells }: Placed): string {
  return cells.map(([column]) => column.toLowerCase()).join('\n');
}
