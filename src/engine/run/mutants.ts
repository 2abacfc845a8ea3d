/** Finds mutants of the work: reads its files by the syntax of their languages, and keeps only faults that still parse. */
import type { Payloads, Syntax } from '../ports.ts';
import { embeddedIn } from '../prove/embedded.ts';
import { sitesOf } from '../prove/faults.ts';
import { languageOf, type Language } from '../prove/language.ts';
import {
  candidatesOf,
  mutantAt,
  mutantsPerVerification,
  nearPerVerification,
  nearPlaces,
  nextOf,
  type Candidate,
  type Mutant,
} from '../prove/mutants.ts';
import { addedLines, type AddedLines, type Patch } from '../prove/added-lines.ts';
import { nearSitesOf } from '../prove/near.ts';
import { settingSites } from '../prove/settings.ts';
import { isNamedTest, testsIn } from '../prove/own-tests.ts';
import type { Site } from '../prove/look.ts';
import type { Range, SourceTree } from '../prove/source-tree.ts';
import type { Settled } from '../work/tree.ts';
import type { Files } from './files.ts';

/** Which places may be changed, and of which one each is chosen before all others. */
export interface Choice {
  isWanted?: (place: Candidate) => boolean;
  first?: readonly ((place: Candidate) => boolean)[];
}

/** Mutants of what `patches` added to `files`, at most `limit`, spread over lines, functions, files and kinds of faults. */
export async function mutantsOf(
  syntax: Syntax,
  files: Readonly<Files>,
  patches: readonly Patch[],
  limit = mutantsPerVerification,
  { isWanted = () => true, first = [] }: Choice = {},
): Promise<Mutant[]> {
  const parts = await partsIn(syntax, files, patches, sitesOf);
  const partOf = new Map(parts.flatMap((part) => part.candidates.map((candidate) => [candidate, part])));
  const wanted = [...partOf.keys()].filter(isWanted);
  const fresh = wanted.filter(({ isOld }) => isOld !== true);
  const candidates = fresh.length >= fewestNew ? fresh : wanted;
  const chosen: Candidate[] = [];
  const refused = new Set<Candidate>();
  const chooseOf = async (some: readonly Candidate[], most: number): Promise<void> => {
    while (chosen.length < most && refused.size < limit * triesPerMutant) {
      const candidate = nextOf(some, chosen, refused);
      const part = candidate && partOf.get(candidate);
      if (!candidate || !part) break;
      if (await stillParses(syntax, part, candidate)) chosen.push(candidate);
      else refused.add(candidate);
    }
  };
  for (const isFirst of first) await chooseOf(candidates.filter(isFirst), Math.min(limit, chosen.length + 1));
  await chooseOf(candidates, limit);
  return chosen.map((candidate) => mutantAt(candidate, files[candidate.path] ?? ''));
}

/** So many places that are new say enough, without those that stood in a changed line before. */
const fewestNew = 6;

/** All places in which a fault may be put. */
export async function placesOf(syntax: Syntax, files: Readonly<Files>, patches: readonly Patch[]): Promise<Candidate[]> {
  return (await partsIn(syntax, files, patches, sitesOf)).flatMap(({ candidates }) => candidates);
}

/**
 * Near faults of the one place that tells the most, on lines that are wanted: that with the most kinds and, of several, the last in the
 * text, because what is asked for is mostly given or printed there. `ofSeveral`: of as many places as there is room for, first of those
 * that print.
 */
export async function nearMutantsOf(
  syntax: Syntax,
  files: Readonly<Files>,
  patches: readonly Patch[],
  isWanted: (place: Candidate) => boolean,
  ofSeveral = false,
): Promise<Mutant[]> {
  const found = (await partsIn(syntax, files, patches, nearSitesOf)).flatMap((part) =>
    nearPlaces(part.candidates.filter(isWanted)).map((near) => ({ part, near })),
  );
  const prints = ({ near }: (typeof found)[number]): number => (near.some(({ operator }) => operator.startsWith('output ')) ? 1 : 0);
  const inOrder = found.toReversed().toSorted((a, b) => (ofSeveral ? prints(b) - prints(a) : 0) || b.near.length - a.near.length);
  const chosen: Mutant[] = [];
  for (const { part, near } of ofSeveral ? inOrder : inOrder.slice(0, 1)) {
    if (chosen.length + near.length > nearPerVerification) continue;
    const parses = await Promise.all(near.map((one) => stillParses(syntax, part, one)));
    chosen.push(...near.filter((_, i) => parses[i]).map((one) => ({ ...mutantAt(one, files[one.path] ?? ''), place: one.place })));
  }
  return chosen;
}

/** Faults in files of settings and data: each proves that such a file is looked at, where there is nothing else to make wrong. */
export function settingMutantsOf(files: Readonly<Files>, patches: readonly Patch[], limit = mutantsPerVerification): Mutant[] {
  const added = addedLines(patches);
  const candidates = Object.entries(files).flatMap(([path, text]) =>
    candidatesOf(path, text, settingSites(path, text), added.get(path) ?? new Map()),
  );
  const chosen: Candidate[] = [];
  const nobody = new Set<Candidate>();
  for (let next = nextOf(candidates, chosen, nobody); next && chosen.length < limit; next = nextOf(candidates, chosen, nobody))
    chosen.push(next);
  return chosen.map((candidate) => mutantAt(candidate, files[candidate.path] ?? ''));
}

/** Faults that do not parse may be this many for each that does. */
const triesPerMutant = 4;

/** A file, or a script or style sheet in a page. */
interface Part<T = Candidate> {
  language: Language;
  text: string;
  /** Where it begins in the file. */
  from: number;
  errors: number;
  candidates: T[];
}

type SitesIn<T extends Site> = (language: Language, text: string, tree: SourceTree, tests: readonly Range[]) => T[];

async function partsIn<T extends Site>(
  syntax: Syntax,
  files: Readonly<Files>,
  patches: readonly Patch[],
  sitesIn: SitesIn<T>,
): Promise<Part<T & Candidate>[]> {
  const added = addedLines(patches);
  const parts = Object.entries(files).map(([path, text]) => partsOf(syntax, { path, text }, added.get(path), sitesIn));
  return (await Promise.all(parts)).flat();
}

async function partsOf<T extends Site>(
  syntax: Syntax,
  { path, text }: { path: string; text: string },
  lines: AddedLines | undefined,
  sitesIn: SitesIn<T>,
): Promise<Part<T & Candidate>[]> {
  const language = languageOf(path, text);
  if (!language || !lines || isNamedTest(path)) return [];
  const parts: Part<T & Candidate>[] = [];
  const read = async (part: Pick<Part, 'language' | 'text' | 'from'>): Promise<void> => {
    const tree = await syntax.parse(part.language, part.text);
    if (!tree) return;
    const sites = sitesIn(part.language, part.text, tree, testsIn(part.language, part.text, tree));
    const hasFunctions = sites.some(({ owner }) => owner > 0);
    const placed = sites.map((site) => ({
      ...site,
      from: site.from + part.from,
      to: site.to + part.from,
      node: { from: site.node.from + part.from, to: site.node.to + part.from },
      owner: site.owner + part.from,
      ...(hasFunctions && site.owner === 0 ? { atLoad: true as const } : {}),
    }));
    parts.push({ ...part, errors: tree.errors, candidates: candidatesOf(path, text, placed, lines) });
    for (const inner of embeddedIn(part.language, part.text, tree))
      await read({ language: inner.language, text: part.text.slice(inner.from, inner.to), from: part.from + inner.from });
  };
  await read({ language, text, from: 0 });
  return parts;
}

async function stillParses(syntax: Syntax, { language, text, from, errors }: Part<unknown>, candidate: Candidate): Promise<boolean> {
  const changed = text.slice(0, candidate.from - from) + candidate.now + text.slice(candidate.to - from);
  const now = await syntax.errors(language, changed);
  return now !== undefined && now <= errors;
}

/** What the covering commits of a verification added, and what later commits of the sprint made of it. */
export async function patchesOf(payloads: Payloads, commits: readonly Settled[], covering: readonly Settled[]): Promise<Patch[]> {
  const first = Math.min(...covering.map(({ code }) => code));
  const since = commits.filter(({ code }) => code >= first);
  return Promise.all(
    since.map(async (commit) => {
      const text = await payloads.get(commit.patch);
      return covering.includes(commit) ? text : { replacing: text };
    }),
  );
}
