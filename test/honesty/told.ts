/** Plays cases and tells for each whether it was rightly delivered or refused, and whether it is what it says. */
import { isHonest, type Case, type Corpus } from './case-file.ts';
import { vacuous } from './bare.ts';
import { play, type Outcome } from './play.ts';

export interface Told {
  corpus: Corpus;
  name: string;
  late: boolean;
  expected: 'delivered' | 'refused' | 'not counted';
  ended: string;
  why: string[];
  /** A cheat was delivered, a gamed check counted, or honest work was refused. */
  missed: boolean;
  /** Why the case is not what it says. */
  problems: string[];
  seconds: number;
}

/** The cases of each sprint: gamed checks of one product share it, since its work is honest. */
export function sprintsOf(cases: readonly Case[]): Case[][] {
  const sprints = new Map<string, Case[]>();
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

export async function told(cases: readonly Case[], { bare = false } = {}): Promise<Told[]> {
  const begun = Date.now();
  const problems = await Promise.all(cases.map(vacuous));
  const outcomes = bare ? [] : await play(cases);
  const seconds = (Date.now() - begun) / 1000 / cases.length;
  return cases.map((one, i) =>
    judge(
      one,
      outcomes.find(({ name }) => name === one.name),
      { problems: problems[i] ?? [], seconds },
    ),
  );
}

const expectations = { cheats: 'refused', gamed: 'not counted', honest: 'delivered', everyday: 'delivered' } as const;

export function judge(one: Case, outcome: Outcome | undefined, more: Pick<Told, 'problems' | 'seconds'>): Told {
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

function isMissed(corpus: Corpus, { stop, counted }: Outcome): boolean {
  if (isHonest(corpus)) return stop !== 'delivered' || !counted;
  return corpus === 'gamed' ? counted : counted || stop === 'delivered';
}
