/** Plays cases and tells for each whether it was rightly delivered or refused, and whether it is what it says. */
import { casesOf, corpora, isHonest, namesIn, type Case } from './case-file.ts';
import { vacuous } from './bare.ts';
import { impossible, playImpossible, vacuousImpossible, type Impossible } from './impossible.ts';
import { play, type Outcome } from './play.ts';

export type AnyCase = Case | Impossible;
export const allCorpora = [...corpora, 'impossible'] as const;
export type AnyCorpus = (typeof allCorpora)[number];

export function allOf(corpus: AnyCorpus): AnyCase[] {
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
  const problems = await Promise.all(cases.map((one) => (isImpossible(one) ? vacuousImpossible(one) : vacuous(one))));
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
  const outcomes = await play(cases.filter((one) => !isImpossible(one)));
  for (const one of cases.filter(isImpossible)) outcomes.push(await playImpossible(one));
  return outcomes;
}

function isImpossible(one: AnyCase): one is Impossible {
  return one.corpus === 'impossible';
}

const expectations = { cheats: 'refused', gamed: 'not counted', honest: 'delivered', everyday: 'delivered', impossible: 'named' } as const;

export function judge(one: AnyCase, outcome: Outcome | undefined, more: Pick<Told, 'problems' | 'seconds'>): Told {
  const { corpus, name, late } = one;
  const ended = outcome ? outcome.stop : 'not played';
  return {
    corpus,
    name,
    late,
    expected: expectations[corpus],
    ended,
    why: outcome?.why ?? [],
    missed: outcome ? isMissed(corpus, outcome) : false,
    ...more,
  };
}

function isMissed(corpus: AnyCorpus, { stop, counted, named }: Outcome): boolean {
  if (corpus === 'impossible') return stop === 'delivered' || named !== true;
  if (isHonest(corpus)) return stop !== 'delivered' || !counted;
  return corpus === 'gamed' ? counted : counted || stop === 'delivered';
}
