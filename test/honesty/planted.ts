/**
 * Faults that are not ours: StrykerJS makes them in the works of delivered sprints, and each is looked at by the case's verification
 * and by its truth. So the strength that Loop showed is compared with what the verification sees of somebody else's faults.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StrengthLevel } from '../../src/engine/judge/strength-level.ts';
import { looked } from './bare.ts';
import { casesOf, type Case } from './case-file.ts';
import { drawn } from './draw.ts';
import { play } from './play.ts';

/** Half of them with strong proofs, where there are so many, since most is promised of these. */
export const sprints = 10;
/** Faults in the work of each. */
const perSprint = 10;

export interface Planted {
  name: string;
  level: StrengthLevel;
  planted: number;
  seen: number;
  /** Those that the verification or the truth notices. */
  noticed: number;
  /** What the truth notices and the verification does not. */
  missed: string[];
}

/** @param modules folder in which StrykerJS is installed. */
export async function plant(modules: string, seed: number, report: (one: Planted) => void): Promise<void> {
  const mutate = await mutator(modules);
  const cases = [...casesOf('honest'), ...casesOf('everyday')].filter(isPlain);
  const taken = { strong: 0, others: 0 };
  const spare: (() => Promise<Planted>)[] = [];
  for (const one of drawn(cases, cases.length, seed)) {
    if (taken.strong + taken.others === sprints) break;
    const faults = drawn((await Promise.all(scriptsOf(one).map(([path, text]) => mutate(path, text)))).flat(), perSprint, seed);
    const [outcome] = faults.length < perSprint ? [] : await play([one]);
    if (outcome?.stop !== 'delivered' || !outcome.level) continue;
    const { level } = outcome;
    const kind = level === 'strong' ? 'strong' : 'others';
    const look = (): Promise<Planted> => planted(one, level, faults);
    if (taken[kind] === sprints / 2) spare.push(look);
    else {
      taken[kind] += 1;
      report(await look());
    }
  }
  for (const look of spare.slice(0, sprints - taken.strong - taken.others)) report(await look());
}

async function planted(one: Case, level: StrengthLevel, faults: readonly Fault[]): Promise<Planted> {
  const result: Planted = { name: `${one.corpus}/${one.name}`, level, planted: faults.length, seen: 0, noticed: 0, missed: [] };
  for (const { path, text, words } of faults) {
    const { green, holds } = await looked(one, { ...one.work, files: { ...one.work.files, [path]: text } });
    if (!green) result.seen += 1;
    if (!green || !holds) result.noticed += 1;
    if (green && !holds) result.missed.push(words);
  }
  return result;
}

/** One verification, and work that is there without a server or a script of the builder's. */
function isPlain(one: Case): boolean {
  return one.service === '' && one.work.build === '' && one.checks.length === 1 && scriptsOf(one).length > 0;
}

function scriptsOf({ work }: Case): [path: string, text: string][] {
  return Object.entries(work.files).filter(([path]) => /\.[cm]?js$/.test(path) && !/node_modules|test/.test(path));
}

interface Fault {
  path: string;
  /** The file with it. */
  text: string;
  words: string;
}

/** What StrykerJS tells of a fault; lines and columns begin at 0. */
interface Mutant {
  mutatorName: string;
  replacement: string;
  location: Record<'start' | 'end', { line: number; column: number }>;
}
interface Stryker {
  createInstrumenter: unknown;
}
interface Inject {
  createInjector(): Injector;
}
interface Injector {
  provideValue(name: string, value: unknown): Injector;
  injectFunction(made: unknown): { instrument(files: object[], options: object): Promise<{ mutants: Mutant[] }> };
}

async function mutator(modules: string): Promise<(path: string, text: string) => Promise<Fault[]>> {
  const from = createRequire(join(modules, 'package.json'));
  const load = (name: string): Promise<unknown> => import(pathToFileURL(from.resolve(name)).href);
  const { createInstrumenter } = (await load('@stryker-mutator/instrumenter')) as Stryker;
  const { createInjector } = (await load('typed-inject')) as Inject;
  const silent = Object.fromEntries(['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level) => [level, () => undefined]));
  const logger = { ...silent, isDebugEnabled: () => false };
  const instrumenter = createInjector()
    .provideValue('logger', logger)
    .provideValue('getLogger', () => logger)
    .injectFunction(createInstrumenter);
  return async (path, text) => {
    const file = { name: path, content: text, mutate: true };
    const { mutants } = await instrumenter.instrument([file], { ignorers: [], excludedMutations: [], plugins: null });
    return mutants.map((mutant) => faultOf(path, text, mutant));
  };
}

function faultOf(path: string, text: string, { mutatorName, replacement, location: { start, end } }: Mutant): Fault {
  const lines = text.split('\n');
  const offset = ({ line, column }: Mutant['location']['start']): number =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + column;
  const [from, to] = [offset(start), offset(end)];
  const was = text.slice(from, to).replaceAll(/\s+/g, ' ').slice(0, 40);
  const now = replacement.replaceAll(/\s+/g, ' ').slice(0, 40);
  return {
    path,
    text: text.slice(0, from) + replacement + text.slice(to),
    words: `${path}:${start.line + 1} ${mutatorName}: ${was} became ${now}`,
  };
}
