/**
 * A sprint's documents out of what somebody wrote elsewhere: a sentence, an issue, the folder of a specification. The PRD keeps the
 * source's words as they are, so nothing of it is lost; the Vision quotes what the source says about people and outcomes.
 */
import { InputError } from '../ground/errors.ts';
import { counted } from '../ground/text.ts';
import { outlined, readRequirements } from './requirements.ts';

export interface SpecificationFile {
  /** Below the folder. */
  path: string;
  text: string;
}

/** Where a sprint comes from: a file or folder, words, or the template. */
export type Source = { kind: 'path'; path: string } | { kind: 'words'; words: string } | { kind: 'template' };

/** What becomes of the source. */
export interface Draft {
  vision: string;
  prd: string;
  /** Empty where the source has none. */
  architecture: string;
  /** One line for each part of the source: what it became, or why it was left where it is. */
  notes: string[];
}

/** @throws InputError where there are no words. */
export function draftOfWords(words: string): Draft {
  const text = words.replaceAll(/\r\n?/g, '\n').trim();
  if (text === '') throw new InputError('There are no words to begin with.', 'Write in a sentence what someone should be able to do.');
  const isRead = text.includes('\n') && readRequirements(text).requirements.length > 0;
  const sentences = isRead ? [] : sentencesOf(text);
  const prd = isRead
    ? text
    : `# Requirements\n\n<!-- Each line is proven by a verification. Say of each what goes in, and what comes out. -->\n\n${sentences.map((one, n) => `${n + 1}. ${one}`).join('\n')}`;
  const became = isRead
    ? 'PRD.md has its words as they are'
    : `PRD.md has ${counted(sentences.length, 'sentence')} of it, each with a number`;
  const { vision, note } = visionOf(text, isRead ? '' : text);
  return { vision, prd: `${prd}\n`, architecture: '', notes: [`The text: ${became}.`, note] };
}

/** @param others paths that are no markdown. @throws InputError where none of the files tells what must be true. */
export function draftOfFiles(files: readonly SpecificationFile[], others: readonly string[] = []): Draft {
  const named = nearest(files, ['prd.md', 'spec.md', 'requirements.md']);
  const asking = files.filter((file) => !isAbout(file) && !isPlan(file.path));
  const prd = named.find((file) => richest([file])) ?? richest(asking) ?? richest(files) ?? named[0];
  if (!prd)
    throw new InputError(
      files.length === 0 ? 'There is no markdown to read.' : 'None of the files says what must be true.',
      'Choose the folder that holds spec.md (spec-kit), requirements.md (Kiro) or a PRD.',
    );
  const [given] = nearest(files, ['vision.md']);
  const { vision, note } = given
    ? { vision: given.text, note: `${given.path}: VISION.md has its words as they are.` }
    : visionOf(prd.text, '');
  const rest = files.filter((file) => file !== prd && file !== given);
  const plans = rest.filter(({ path }) => isPlan(path));
  const designs = rest.filter((file) => !plans.includes(file));
  const architecture = designs.map(({ path, text }) => `<!-- ${path} -->\n\n${text.trim()}\n`).join('\n');
  return {
    vision,
    prd: prd.text,
    architecture,
    notes: [
      `${prd.path}: PRD.md has its words as they are.`,
      note,
      ...designs.map(({ path }) => `${path}: stands in ARCHITECTURE.md, which agents read.`),
      ...plans.map(({ path }) => `${path}: left where it is. It is a plan, and Loop makes its own from PRD.md.`),
      ...others.map((path) => `${path}: left where it is. It is no markdown; name it in PRD.md where it matters.`),
    ],
  };
}

/** The files with these names: those in the fewest folders first, and there by the order of the names. */
function nearest(files: readonly SpecificationFile[], names: readonly string[]): SpecificationFile[] {
  const depth = ({ path }: SpecificationFile): number => path.split(separator).length;
  const order = (file: SpecificationFile): number => names.indexOf(nameOf(file));
  return files.filter((file) => order(file) >= 0).sort((a, b) => depth(a) - depth(b) || order(a) - order(b));
}

function nameOf({ path }: SpecificationFile): string {
  return (path.split(separator).at(-1) ?? '').toLowerCase();
}

/** Windows has another one. */
const separator = /[/\\]/;

/** Tells of a repository, and not what is asked for. */
function isAbout(file: SpecificationFile): boolean {
  return ['readme', 'changelog', 'contributing', 'license', 'security', 'agents', 'claude'].includes(nameOf(file).split('.')[0] ?? '');
}

function isPlan(path: string): boolean {
  return /(^|\/)(tasks|todo|checklist)[^/]*\.md$/i.test(path) || /^checklists\//i.test(path);
}

/** The file with the most requirements; undefined where none has any. */
function richest(files: readonly SpecificationFile[]): SpecificationFile | undefined {
  const counts = files.map((file) => ({ file, count: readRequirements(file.text).requirements.length }));
  return counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)[0]?.file;
}

/** @param whole what is promised where nothing else tells. */
function visionOf(text: string, whole: string): { vision: string; note: string } {
  const stories = [...text.matchAll(/\bas an? ([^,\n]{2,80}),\s*I want (?:to )?[^\n]*?(?:so that ([^\n]+))?$/gim)];
  const parts: { title: string; lines: string[]; missing: string }[] = [
    { title: 'Who it is for', lines: unique(stories.map(([, who = '']) => `- ${bare(who)}`)), missing: 'who it is for' },
    {
      title: 'What will be true for them',
      lines: [
        ...introOf(text),
        ...unique(stories.flatMap(([, , why]) => (why ? [`- ${bare(why)}`] : []))),
        ...(whole === '' ? [] : [whole]),
      ],
      missing: 'what they will have',
    },
    {
      title: 'How we will know',
      lines: sectionOf(text, /^(success|measurable|acceptance metrics|metrics|kpis?|goals?)\b/i),
      missing: 'how you will know',
    },
  ];
  const said = parts.filter(({ lines }) => lines.length > 0);
  const missing = parts.filter(({ lines }) => lines.length === 0).map((part) => part.missing);
  const asks =
    missing.length === 0 ? '' : `\n<!-- The source does not say ${listed(missing)}. Say it here: Loop judges its result by it. -->\n`;
  const sections = said.map(({ title, lines }) => `\n## ${title}\n\n${lines.join('\n')}\n`).join('');
  const note = `VISION.md quotes ${said.length === 0 ? 'nothing' : listed(said.map((part) => part.missing))}${missing.length === 0 ? '' : `; the source does not say ${listed(missing)}`}.`;
  return { vision: `# Vision\n${sections}${asks}`, note };
}

/** What a document says of itself before it demands anything. */
function introOf(text: string): string[] {
  const input = /^\*\*Input\*\*:\s*(?:User description:\s*)?"?([^"\n]+)"?/im.exec(text)?.[1];
  const section = sectionOf(text, /^(introduction|overview|summary|purpose|problem|motivation|background|description)\b/i);
  return section.length > 0 ? section : input === undefined ? [] : [input.trim()];
}

/** The lines below the first such heading, without blank ones at the ends; empty where they hold only the template's brackets. */
function sectionOf(text: string, title: RegExp): string[] {
  const { blocks, lines } = outlined(text);
  const heading = blocks.find(({ kind, words }) => kind === 'heading' && title.test(words.replace(/^[\d.§\s]+/, '')));
  if (!heading) return [];
  const next = blocks.find(({ kind, index, level }) => kind === 'heading' && index > heading.index && level <= heading.level);
  const below = lines.slice(heading.lastLine, (next?.from ?? lines.length + 1) - 1).map(({ shown }) => shown.trimEnd());
  const told = below.join('\n').trim();
  // A heading of a lower level in a Vision would be read as a section of its own.
  return told === '' ? [] : told.split('\n').map((line) => line.replace(/^#+\s+(.*)$/, '**$1**'));
}

/** Sentences and list items, without what only marks them. */
function sentencesOf(text: string): string[] {
  return text
    .split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)/)
    .flatMap((part) =>
      part
        .replaceAll(/\s+/g, ' ')
        .replace(/^\s*(?:[-*+]|\d+[.)]|#+)\s+/, '')
        .split(/(?<=[.!?])\s+(?=[\p{Lu}`"“])/u),
    )
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function bare(words: string): string {
  return words
    .replaceAll(/\*\*/g, '')
    .trim()
    .replace(/[.,;]$/, '');
}

function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)];
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}
