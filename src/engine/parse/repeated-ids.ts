/** Tables and lists that say more of requirements which stand above: who accepts `R4`, and how. */
import type { Placed } from './outline.ts';

/**
 * Rows and items whose code stands above, and which say something else of it: all codes of their table or list are known, and its
 * columns are others, or its heading is another one that speaks of acceptance, tests or examples. Anything else that stands there twice
 * is a slip.
 */
export function tellingMore(blocks: readonly Placed[], ids: ReadonlyMap<Placed, string>): Set<Placed> {
  const columns = new Map<string, string>();
  const firstBelow = new Map<string, string>();
  const more = new Set<Placed>();
  for (const { heading, run } of runsOf(blocks, ids)) {
    const labelled = run.filter((block) => ids.has(block));
    const idOf = (block: Placed) => ids.get(block) ?? '';
    const isKnown = labelled.length > 0 && labelled.every((block) => block.label?.kind === 'code' && columns.has(idOf(block)));
    const isOther = (block: Placed) => block.kind === 'row' && columns.get(idOf(block)) !== columnsOf(block);
    const isProof = (block: Placed) => proving.test(heading) && firstBelow.get(idOf(block)) !== heading;
    if (isKnown && (labelled.every(isProof) || labelled.every(isOther))) for (const block of labelled) more.add(block);
    for (const block of labelled) {
      columns.set(idOf(block), columnsOf(block));
      if (!firstBelow.has(idOf(block))) firstBelow.set(idOf(block), heading);
    }
  }
  return more;
}

const proving =
  /\b(?:accept|verif|test|example|trac(?:e|ing)|priorit)|\b(?:akzeptanz|abnahme|prüf|beispiel|priorit)|受け入れ|受入|検証|テスト|例/iu;

/** Rows or items that follow each other, and other blocks one by one, each with the words of the heading above if that is no requirement. */
function runsOf(blocks: readonly Placed[], ids: ReadonlyMap<Placed, string>): { heading: string; run: Placed[] }[] {
  const runs: { heading: string; run: Placed[] }[] = [];
  let heading = '';
  for (const block of blocks) {
    if (block.kind === 'heading') heading = ids.has(block) ? '' : block.words;
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
