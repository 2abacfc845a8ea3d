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
    const place = placeOf(text, proposal);
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

/** Also within other words, since a quote may end in the middle of one. */
export function standsIn(text: string, quote: string): boolean {
  const words = wordsOf(quote);
  return words !== '' && new RegExp(words, 'u').test(text);
}

function wordsOf(quote: string): string {
  const words = quote.split(new RegExp(between)).filter((word) => word !== '');
  return words.map(escaped).join(between);
}

/** Where words stand more than once, marks of the quote's own may tell which are meant. */
function placeOf(text: string, { quote, proposed }: Proposal): Place | undefined {
  const found = placesOf(text, quote);
  const exact = /[`*_]/.test(quote) ? found.filter(({ start, end }) => text.slice(start, end) === quote.trim()) : [];
  const [only, ...others] = found.length > 1 ? exact : found;
  return only && others.length === 0 ? withMarks(text, only, proposed) : undefined;
}

interface Place {
  start: number;
  end: number;
}

/** Whole words, with the marks that the quote begins and ends with where they stand there. */
function placesOf(text: string, quote: string): Place[] {
  const words = wordsOf(quote);
  if (words === '') return [];
  const [[before], [behind]] = [/^[`*_>\s]*/.exec(quote) ?? [''], /[`*_>\s]*$/.exec(quote) ?? ['']];
  const plain = quote.slice(before.length, quote.length - behind.length);
  const [begin, end] = [startsSpaced.test(plain) ? `(?<!${spaced}_*)` : '', endsSpaced.test(plain) ? `(?!_*${spaced})` : ''];
  const pattern = new RegExp(`${marksOf(before)}${begin}${words}${end}${marksOf(behind)}`, 'gu');
  return [...text.matchAll(pattern)].map(({ 0: all, index }) => ({ start: index, end: index + all.length }));
}

/** Letters of scripts that put blanks between words. */
const spaced = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]`;
const startsSpaced = new RegExp(`^${spaced}`, 'u');
const endsSpaced = new RegExp(`${spaced}$`, 'u');

function marksOf(around: string): string {
  const marks = around.match(/\S/g) ?? [];
  return marks.length === 0 ? '' : `(?:${marks.map(escaped).join(String.raw`\s*`)})?`;
}

/** A mark of which only one end is within the words goes with them, and so does one around them that the new words have too. */
function withMarks(text: string, { start, end }: Place, proposed: string): Place {
  const marks = marksIn(text.slice(start, end));
  const [outer] = /(?:`+|\*+|_+)$/.exec(text.slice(0, start)) ?? [];
  const [behind] = /^(?:`+|\*+|_+)/.exec(text.slice(end)) ?? [];
  if (outer !== undefined && outer === behind)
    return marks.includes(outer) || marksIn(proposed).includes(outer)
      ? { start: start - outer.length, end: end + outer.length }
      : { start, end };
  const open = marks.find((mark) => marks.filter((one) => one === mark).length % 2 === 1);
  if (open === undefined) return { start, end };
  if (text.startsWith(open, end)) return { start, end: end + open.length };
  return outer === open ? { start: start - open.length, end } : { start, end };
}

function marksIn(text: string): string[] {
  return text.match(/`+|\*+|_+/g) ?? [];
}

function escaped(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
