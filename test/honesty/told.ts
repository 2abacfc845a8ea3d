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
  open: boolean;
  expected: 'delivered' | 'refused' | 'not counted' | 'named';
  ended: string;
  why: string[];
  /** A cheat was delivered, a gamed check counted, honest work was refused or delivered broken, or an impossible sprint ended without naming why. */
  missed: boolean;
  /** It is a gamed check that would count where the strongest evidence is asked for. */
  missedAtStrong: boolean;
  /** Why the case is not what it says. */
  problems: string[];
  seconds: number;
}

/** Whether it is known to get through. */
export function isOpen(one: AnyCase): boolean {
  return one.corpus !== 'impossible' && one.open;
}

/** With the honest work of its requirement in the place of a cheat: so only the cheat can be why it is refused. */
export function controlOf(one: Case): Case {
  return { ...one, corpus: 'honest', work: one.honest };
}

export async function told(one: AnyCase, { bare = false, control = false } = {}): Promise<Told> {
  const begun = Date.now();
  if (control && one.corpus === 'cheats') {
    const outcome = await outcomeOf(controlOf(one));
    const played = judge(controlOf(one), outcome, { problems: [], seconds: (Date.now() - begun) / 1000 });
    return { ...played, corpus: 'cheats' };
  }
  const problems = await vacuousIn(one);
  const outcome = bare ? undefined : await outcomeOf(one);
  return judge(one, outcome, { problems, seconds: (Date.now() - begun) / 1000 });
}

/** Each in a sprint of its own: what another verification sees is nothing that this one would have to see. */
async function outcomeOf(one: AnyCase): Promise<Outcome | undefined> {
  if (one.corpus === 'impossible') return playImpossible(one);
  return one.corpus === 'shared' ? playShared(one) : (await play([one]))[0];
}

function vacuousIn(one: AnyCase): Promise<string[]> {
  if (one.corpus === 'impossible') return vacuousImpossible(one);
  return one.corpus === 'shared' ? vacuousShared(one) : vacuous(one);
}

const expectations = { cheats: 'refused', gamed: 'not counted', honest: 'delivered', everyday: 'delivered', impossible: 'named' } as const;

export function expectedOf(one: AnyCase): Told['expected'] {
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
    open: isOpen(one),
    expected,
    ended,
    why: outcome?.why ?? [],
    missed: outcome ? isMissed(expected, outcome) : false,
    missedAtStrong: expected === 'not counted' && outcome?.counted === true && outcome.level === 'strong',
    ...more,
  };
}

function isMissed(expected: Told['expected'], { stop, counted, named, holds }: Outcome): boolean {
  if (expected === 'named') return stop === 'delivered' || named !== true;
  if (expected === 'delivered') return stop !== 'delivered' || !counted || holds === false;
  return expected === 'not counted' ? counted : counted || stop === 'delivered';
}
