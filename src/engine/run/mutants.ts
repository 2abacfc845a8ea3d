/** Finds mutants of the work: reads its files by the syntax of their languages, and keeps only faults that still parse. */
import type { Payloads, Syntax } from '../ports.ts';
import { declarationSites, isDeclaration, mayDeclare } from '../prove/declarations.ts';
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
import { addedLines, type AddedLines } from '../prove/added-lines.ts';
import { nearSitesOf, type NearSite } from '../prove/near.ts';
import { settingSites } from '../prove/settings.ts';
import { isNamedTest, testsIn } from '../prove/own-tests.ts';
import type { Site } from '../prove/look.ts';
import type { Settled } from '../work/tree.ts';
import type { Files } from './files.ts';

/** Added lines of each file. */
export type Added = ReturnType<typeof addedLines>;

/** Which places may be changed, and of which one each is chosen before all others. */
export interface Choice {
  isWanted?: (place: Candidate) => boolean;
  first?: readonly ((place: Candidate) => boolean)[];
}

/** Reads files of the work, each once: many verifications ask for places in the same ones. */
export class Reading {
  private readonly known = new Map<string, { text: string; parts: Promise<Part[]> }>();

  constructor(private readonly syntax: Syntax) {}

  /** Those of all places that `added` names; in declarations of types only where these files are asked for, and then nowhere else. */
  async covered(files: Readonly<Files>, added: Added, declarations: readonly string[] = []): Promise<Covered[]> {
    const isOfTypes = declarations.length > 0;
    const isAsked = (path: string): boolean => (isOfTypes ? declarations.includes(path) : !isDeclaration(path));
    const entries = Object.entries(files).map(async ([path, text]): Promise<Covered[]> => {
      const lines = added.get(path);
      if (!lines || !isAsked(path)) return [];
      const file = { path, text, lines };
      const parts = await this.partsOf(path, text);
      const placesOf = (sites: readonly Site[]): Candidate[] => candidatesOf(path, text, sites, lines);
      if (isOfTypes) return parts.map((part) => ({ file, part: { ...part, near: [] }, places: placesOf(part.declared) }));
      return parts.map((part) => ({ file, part, places: placesOf(part.sites) }));
    });
    return (await Promise.all(entries)).flat();
  }

  private partsOf(path: string, text: string): Promise<Part[]> {
    const known = this.known.get(path);
    if (known?.text === text) return known.parts;
    const parts = partsIn(this.syntax, path, text);
    this.known.set(path, { text, parts });
    return parts;
  }
}

/** What patches added to a file, or to a script or style sheet in a page, and all places of it in which a fault may be put. */
export interface Covered {
  file: { path: string; text: string; lines: AddedLines };
  part: Part;
  places: Candidate[];
}

/** Mutants of what is covered, at most `limit`, spread over lines, functions, files and kinds of faults. */
export async function mutantsOf(
  covered: readonly Covered[],
  limit = mutantsPerVerification,
  { isWanted = () => true, first = [] }: Choice = {},
): Promise<Mutant[]> {
  const whereIs = new Map(covered.flatMap((one) => one.places.map((place) => [place, one])));
  const wanted = [...whereIs.keys()].filter(isWanted);
  const fresh = wanted.filter(({ isOld }) => isOld !== true);
  const candidates = fresh.length >= fewestNew ? fresh : wanted;
  const chosen: Candidate[] = [];
  const refused = new Set<Candidate>();
  const chooseOf = async (some: readonly Candidate[], most: number): Promise<void> => {
    while (chosen.length < most && refused.size < limit * triesPerMutant) {
      const candidate = nextOf(some, chosen, refused);
      const where = candidate && whereIs.get(candidate);
      if (!candidate || !where) break;
      if (await where.part.stillParses(candidate)) chosen.push(candidate);
      else refused.add(candidate);
    }
  };
  for (const isFirst of first) await chooseOf(candidates.filter(isFirst), Math.min(limit, chosen.length + 1));
  await chooseOf(candidates, limit);
  return chosen.map((candidate) => mutantAt(candidate, whereIs.get(candidate)?.file.text ?? ''));
}

/** So many places that are new say enough, without those that stood in a changed line before. */
const fewestNew = 6;

/**
 * Near faults of the one place that tells the most, on lines that are wanted: that with the most kinds and, of several, the last in the
 * text, because what is asked for is mostly given or printed there. `ofSeveral`: of as many places as there is room for, first of those
 * that print.
 */
export async function nearMutantsOf(
  covered: readonly Covered[],
  isWanted: (place: Candidate) => boolean,
  ofSeveral = false,
): Promise<Mutant[]> {
  const found = covered.flatMap(({ file, part }) =>
    nearPlaces(candidatesOf(file.path, file.text, part.near, file.lines).filter(isWanted)).map((near) => ({ file, part, near })),
  );
  const prints = ({ near }: (typeof found)[number]): number => (near.some(({ operator }) => operator.startsWith('output ')) ? 1 : 0);
  const inOrder = found.toReversed().toSorted((a, b) => (ofSeveral ? prints(b) - prints(a) : 0) || b.near.length - a.near.length);
  const chosen: Mutant[] = [];
  for (const { file, part, near } of ofSeveral ? inOrder : inOrder.slice(0, 1)) {
    if (chosen.length + near.length > nearPerVerification) continue;
    const parses = await Promise.all(near.map((one) => part.stillParses(one)));
    chosen.push(...near.filter((_, i) => parses[i]).map((one) => ({ ...mutantAt(one, file.text), place: one.place })));
  }
  return chosen;
}

/** Faults in files of settings and data: each proves that such a file is looked at, where there is nothing else to make wrong. */
export function settingMutantsOf(files: Readonly<Files>, added: Added): Mutant[] {
  const candidates = Object.entries(files).flatMap(([path, text]) =>
    candidatesOf(path, text, settingSites(path, text), added.get(path) ?? new Map()),
  );
  const chosen: Candidate[] = [];
  const nobody = new Set<Candidate>();
  for (
    let next = nextOf(candidates, chosen, nobody);
    next && chosen.length < mutantsPerVerification;
    next = nextOf(candidates, chosen, nobody)
  )
    chosen.push(next);
  return chosen.map((candidate) => mutantAt(candidate, files[candidate.path] ?? ''));
}

/** Faults that do not parse may be this many for each that does. */
const triesPerMutant = 4;

/** A file, or a script or style sheet in a page. */
interface Part {
  sites: Site[];
  /** In declarations of types. */
  declared: Site[];
  /** Those that are near to right. */
  near: NearSite[];
  /** Whether it parses with this change as well as before; each is tried once. */
  stillParses: (change: Change) => Promise<boolean>;
}

type Change = Pick<Site, 'from' | 'to' | 'now'>;

async function partsIn(syntax: Syntax, path: string, text: string): Promise<Part[]> {
  const language = languageOf(path, text);
  if (!language || isNamedTest(path)) return [];
  const parts: Part[] = [];
  const read = async (part: Read): Promise<void> => {
    const tree = await syntax.parse(part.language, part.text);
    if (!tree) return;
    const tests = testsIn(part.language, part.text, tree);
    const isProgram = !isDeclaration(path);
    parts.push({
      sites: isProgram ? placedIn(part, sitesOf(part.language, part.text, tree, tests)) : [],
      declared: mayDeclare(path) ? placedIn(part, declarationSites(part.text, tree, isProgram)) : [],
      near: isProgram ? placedIn(part, nearSitesOf(part.language, part.text, tree, tests)) : [],
      stillParses: parsing(syntax, part, tree.errors),
    });
    for (const inner of embeddedIn(part.language, part.text, tree))
      await read({ language: inner.language, text: part.text.slice(inner.from, inner.to), from: part.from + inner.from });
  };
  await read({ language, text, from: 0 });
  return parts;
}

interface Read {
  language: Language;
  text: string;
  /** Where it begins in the file. */
  from: number;
}

/** By their places in the whole file. */
function placedIn<T extends Site>({ from }: Read, sites: readonly T[]): T[] {
  const hasFunctions = sites.some(({ owner }) => owner > 0);
  return sites.map((site) => ({
    ...site,
    from: site.from + from,
    to: site.to + from,
    node: { from: site.node.from + from, to: site.node.to + from },
    owner: site.owner + from,
    ...(hasFunctions && site.owner === 0 ? { atLoad: true as const } : {}),
  }));
}

function parsing(syntax: Syntax, { language, text, from: begin }: Read, errors: number): Part['stillParses'] {
  const known = new Map<string, Promise<boolean>>();
  const parses = async ({ from, to, now }: Change): Promise<boolean> => {
    const found = await syntax.errors(language, text.slice(0, from - begin) + now + text.slice(to - begin));
    return found !== undefined && found <= errors;
  };
  return (change) => {
    const key = `${change.from}:${change.to}:${change.now}`;
    const found = known.get(key) ?? parses(change);
    known.set(key, found);
    return found;
  };
}

/** What the covering commits of a verification added, and what later commits of the sprint made of it. */
export async function addedBy(payloads: Payloads, commits: readonly Settled[], covering: readonly Settled[]): Promise<Added> {
  const first = Math.min(...covering.map(({ code }) => code));
  const since = commits.filter(({ code }) => code >= first);
  const patches = since.map(async (commit) => {
    const text = await payloads.get(commit.patch);
    return covering.includes(commit) ? text : { replacing: text };
  });
  return addedLines(await Promise.all(patches));
}
