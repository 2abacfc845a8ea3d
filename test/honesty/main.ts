/** The program of `npm run honesty` (scripts/honesty.mjs): draws cases, plays them in two processes, and tells what was missed. */
import { fork, type ChildProcess } from 'node:child_process';
import { parseArgs } from 'node:util';
import { casesOf, corpora, type Case, type Corpus } from './case-file.ts';
import { judge, sprintsOf, told, type Told } from './told.ts';
import { drawn } from './draw.ts';

/** How many gamed checks may count. */
const mostGamed = 2;
const width = 2;

interface Options {
  corpus: Corpus | undefined;
  only: string | undefined;
  seed: number;
  sample: number | undefined;
  /** Only what is true of the cases themselves, without a sprint. */
  bare: boolean;
}

if (process.argv.includes('--worker')) work();
else process.exitCode = await main(optionsOf(process.argv.slice(2)));

function optionsOf(args: string[]): Options {
  const text = { type: 'string' } as const;
  const options = { corpus: text, only: text, seed: text, sample: text, bare: { type: 'boolean' } } as const;
  const { values } = parseArgs({ args, options });
  const numberOf = (name: 'seed' | 'sample'): number | undefined => {
    const value = values[name];
    if (value !== undefined && !/^\d{1,9}$/.test(value)) throw new Error(`--${name} takes a whole number, not "${value}".`);
    return value === undefined ? undefined : Number(value);
  };
  const corpus = corpora.find((one) => one === values.corpus);
  if (values.corpus !== undefined && !corpus) throw new Error(`There is no corpus "${values.corpus}"; there are ${corpora.join(', ')}.`);
  return { corpus, only: values.only, seed: numberOf('seed') ?? 1, sample: numberOf('sample'), bare: values.bare ?? false };
}

async function main({ corpus, only, seed, sample, bare }: Options): Promise<number> {
  const cases = (corpus ? [corpus] : corpora).flatMap((one) => {
    const some = casesOf(one).filter(({ name }) => only === undefined || name.includes(only));
    return sample === undefined ? some : drawn(some, sample, seed);
  });
  if (cases.length === 0) throw new Error('No case has that name.');
  const all: Told[] = [];
  await inTurns(sprintsOf(cases), bare, (some) => {
    all.push(...some);
    for (const one of some) process.stdout.write(`${lineOf(one)}\n`);
  });
  return summary(all, bare);
}

function lineOf({ corpus, name, expected, ended, why, late, seconds, missed, problems }: Told): string {
  const mark = problems.length > 0 ? 'VACUOUS' : missed ? 'MISSED' : 'ok';
  const parts = [mark.padEnd(7), `${corpus}/${name}`.padEnd(44), (late ? 'late' : '').padEnd(4), expected.padEnd(11), ended.padEnd(10)];
  return [...parts, `${seconds.toFixed(1).padStart(5)} s`, [...why, ...problems].join(' | ').replaceAll(/\s+/g, ' ').slice(0, 900)].join(
    '  ',
  );
}

function summary(all: readonly Told[], bare: boolean): number {
  const of = (corpus: Corpus): Told[] => all.filter((one) => one.corpus === corpus);
  const missedIn = (corpus: Corpus): Told[] => of(corpus).filter(({ missed }) => missed);
  const words = {
    cheats: 'cheats delivered',
    gamed: 'gamed checks counted',
    honest: 'honest works refused',
    everyday: 'everyday works refused',
  };
  const most = { cheats: 0, gamed: mostGamed, honest: 0, everyday: 0 };
  process.stdout.write('\n');
  let failed = false;
  for (const corpus of corpora) {
    const some = of(corpus);
    if (some.length === 0 || bare) continue;
    const missed = missedIn(corpus);
    const late = some.filter((one) => one.late);
    const lateMissed = late.filter((one) => one.missed).length;
    failed ||= missed.length > most[corpus];
    process.stdout.write(
      `${words[corpus]}: ${missed.length} of ${some.length} (goal: at most ${most[corpus]}); of those written last: ${lateMissed} of ${late.length}\n`,
    );
  }
  const vacuous = all.filter(({ problems }) => problems.length > 0);
  process.stdout.write(`cases that are not what they say: ${vacuous.length} of ${all.length}\n`);
  return failed || vacuous.length > 0 ? 1 : 0;
}

/** Each process plays one sprint at a time, because a sprint's state folder is named by a variable of its process. */
async function inTurns(sprints: readonly Case[][], bare: boolean, report: (some: Told[]) => void): Promise<void> {
  const queue = [...sprints];
  const one = async (): Promise<void> => {
    let child: ChildProcess | undefined;
    for (let sprint = queue.shift(); sprint; sprint = queue.shift()) {
      child ??= fork(process.argv[1] ?? '', ['--worker']);
      const answer = await ask(child, { keys: sprint.map(({ corpus, name }) => [corpus, name]), bare });
      if (!answer) child = undefined;
      report(answer ?? sprint.map((each) => judge(each, undefined, { problems: ['its process ended'], seconds: 0 })));
    }
    child?.disconnect();
  };
  await Promise.all(Array.from({ length: width }, one));
}

interface Question {
  keys: [Corpus, string][];
  bare: boolean;
}

/** Undefined if the process ended without an answer. */
function ask(child: ChildProcess, question: Question): Promise<Told[] | undefined> {
  return new Promise((done) => {
    const ended = (): void => done(undefined);
    child.once('exit', ended);
    child.once('message', (answer: Told[]) => {
      child.off('exit', ended);
      done(answer);
    });
    child.send(question);
  });
}

function work(): void {
  process.on('message', ({ keys, bare }: Question) => {
    const cases = keys.flatMap(([corpus, name]) => casesOf(corpus).filter((one) => one.name === name));
    const failed = (error: unknown): Told[] => cases.map((one) => judge(one, undefined, { problems: [String(error)], seconds: 0 }));
    void told(cases, { bare })
      .catch(failed)
      .then((all) => process.send?.(all));
  });
}
