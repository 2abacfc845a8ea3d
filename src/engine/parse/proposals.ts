/** Wording that a review proposes for words of VISION.md or PRD.md, as changes of the document's text. */

/** A point with wording: the words that it quotes, and those that should stand there. */
export interface Proposal {
  /** Id of the point. */
  id: string;
  document: string;
  quote: string;
  proposed: string;
}

/** Characters from `start` up to `end` become `text`. */
export interface Edit {
  id: string;
  start: number;
  end: number;
  text: string;
}

/** @returns the changes in their order, and the proposals whose words do not stand in the text once, or overlap others. */
export function editsOf(text: string, proposals: readonly Proposal[]): { edits: Edit[]; left: Proposal[] } {
  const edits: Edit[] = [];
  const left: Proposal[] = [];
  for (const proposal of proposals) {
    const place = placeOf(text, proposal.quote);
    if (!place || edits.some(({ start, end }) => place.start < end && start < place.end)) left.push(proposal);
    else edits.push({ id: proposal.id, ...place, text: proposal.proposed });
  }
  return { edits: edits.sort((a, b) => a.start - b.start), left };
}

export function withEdits(text: string, edits: readonly Edit[]): string {
  const ends = edits.map(({ end }) => end);
  const parts = edits.map(({ start, text: proposed }, index) => text.slice(ends[index - 1] ?? 0, start) + proposed);
  return parts.join('') + text.slice(ends.at(-1) ?? 0);
}

/** What a quote leaves out: marks of markdown, and where a line breaks. */
const between = '[`*_>\\s]+';

export function standsIn(text: string, quote: string): boolean {
  return placesOf(text, quote).length > 0;
}

function placesOf(text: string, quote: string): RegExpExecArray[] {
  const words = quote.split(new RegExp(between)).filter((word) => word !== '');
  return words.length === 0 ? [] : [...text.matchAll(new RegExp(words.map(escaped).join(between), 'g'))];
}

function placeOf(text: string, quote: string): { start: number; end: number } | undefined {
  const found = placesOf(text, quote);
  const [only] = found;
  return only && found.length === 1 ? withMarks(text, only.index, only.index + only[0].length) : undefined;
}

/** A mark of which only one end is within the words goes with them. */
function withMarks(text: string, start: number, end: number): { start: number; end: number } {
  const marks = text.slice(start, end).match(/`+|\*+|_+/g) ?? [];
  const open = marks.find((mark) => marks.filter((one) => one === mark).length % 2 === 1);
  if (open === undefined) return { start, end };
  if (text.startsWith(open, end)) return { start, end: end + open.length };
  return text.slice(0, start).endsWith(open) ? { start: start - open.length, end } : { start, end };
}

function escaped(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
