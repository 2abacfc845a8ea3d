/** Plays cases and tells for each whether it was rightly delivered or refused, and whether it is what it says. */
import { casesOf, corpora, namesIn, type Case } from './case-file.ts';
import { vacuous } from './bare.ts';
import { impossible, playImpossible, vacuousImpossible, type Impossible } from './impossible.ts';
import { play, type Outcome } from './play.ts';
import { playShared, sharedCases, vacuousShared, type Shared } from './shared.ts';

export type AnyCase = Case | Impossible | Shared;
export const allCorpora = [...corpora, 'shared', 'impossible'] as const;
export type AnyCorpus = (typeof allCorpora)[number];

export function allOf(corpus: AnyCorpus): AnyCase[] {
  if (corpus === 'shared') return sharedCases();
  return corpus === 'impossible' ? namesIn(corpus).map(impossible) : casesOf(corpus);
}

export interface Told {
  corpus: AnyCorpus;
  name: string;
  late: boolean;
  expected: 'delivered' | 'refused' | 'not counted' | 'named';
  ended: string;
  why: string[];
  /** A cheat was delivered, a gamed check counted, honest work was refused, or an impossible sprint ended without naming why. */
  missed: boolean;
  /** Why the case is not what it says. */
  problems: string[];
  seconds: number;
}

/** The cases of each sprint: gamed checks of one product share it, since its work is honest. */
export function sprintsOf(cases: readonly AnyCase[]): AnyCase[][] {
  const sprints = new Map<string, AnyCase[]>();
  for (const one of cases) {
    const shared = one.corpus === 'gamed' && Object.keys(one.wrong).length > 0 ? `gamed ${one.product}` : `${one.corpus} ${one.name}`;
    const open = sprints.get(shared) ?? [];
    if (open.length === most) sprints.set(`${shared} ${sprints.size}`, open);
    sprints.set(shared, open.length === most ? [one] : [...open, one]);
  }
  return [...sprints.values()];
}

/** Cases in one sprint. */
const most = 8;

export async function told(cases: readonly AnyCase[], { bare = false } = {}): Promise<Told[]> {
  const begun = Date.now();
  const problems = await Promise.all(cases.map(vacuousIn));
  const outcomes = bare ? [] : await outcomesOf(cases);
  const seconds = (Date.now() - begun) / 1000 / cases.length;
  return cases.map((one, i) =>
    judge(
      one,
      outcomes.find(({ name }) => name === one.name),
      { problems: problems[i] ?? [], seconds },
    ),
  );
}

async function outcomesOf(cases: readonly AnyCase[]): Promise<Outcome[]> {
  const outcomes = await play(cases.filter((one) => one.corpus !== 'impossible' && one.corpus !== 'shared'));
  for (const one of cases) {
    if (one.corpus === 'impossible') outcomes.push(await playImpossible(one));
    if (one.corpus === 'shared') outcomes.push(await playShared(one));
  }
  return outcomes;
}

function vacuousIn(one: AnyCase): Promise<string[]> {
  if (one.corpus === 'impossible') return vacuousImpossible(one);
  return one.corpus === 'shared' ? vacuousShared(one) : vacuous(one);
}

const expectations = { cheats: 'refused', gamed: 'not counted', honest: 'delivered', everyday: 'delivered', impossible: 'named' } as const;

function expectedOf(one: AnyCase): Told['expected'] {
  if (one.corpus !== 'shared') return expectations[one.corpus];
  return one.gamed === undefined ? 'delivered' : 'not counted';
}

export function judge(one: AnyCase, outcome: Outcome | undefined, more: Pick<Told, 'problems' | 'seconds'>): Told {
  const { corpus, name, late } = one;
  const expected = expectedOf(one);
  const ended = outcome ? outcome.stop : 'not played';
  return {
    corpus,
    name,
    late,
    expected,
    ended,
    why: outcome?.why ?? [],
    missed: outcome ? isMissed(expected, outcome) : false,
    ...more,
  };
}

function isMissed(expected: Told['expected'], { stop, counted, named }: Outcome): boolean {
  if (expected === 'named') return stop === 'delivered' || named !== true;
  if (expected === 'delivered') return stop !== 'delivered' || !counted;
  return expected === 'not counted' ? counted : counted || stop === 'delivered';
}
