/** The program of `npm run honesty` (scripts/honesty.mjs): draws cases, plays them in two processes, and tells what was missed. */
import { fork, type ChildProcess } from 'node:child_process';
import { parseArgs } from 'node:util';
import { allCorpora, allOf, judge, told, type AnyCase, type AnyCorpus, type Told } from './told.ts';
import { drawn } from './draw.ts';
import { goals, mayMiss, whyPlantedFails } from './goals.ts';
import { plant, type Planted } from './planted.ts';
import { strengthLevels } from '../../src/engine/judge/strength-level.ts';
import { counted, percent } from '../../src/engine/ground/text.ts';

const width = 2;

interface Options {
  corpus: AnyCorpus | undefined;
  only: string | undefined;
  seed: number;
  sample: number | undefined;
  /** Only what is true of the cases themselves, without a sprint. */
  bare: boolean;
  /** Only cheats, with honest work in their places: each must be delivered. */
  control: boolean;
  /** Only faults of StrykerJS in works of delivered sprints. */
  planted: boolean;
}

if (process.argv.includes('--worker')) work();
else process.exitCode = await main(optionsOf(process.argv.slice(2)));

function optionsOf(args: string[]): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { corpus: text, only: text, seed: text, sample: text, bare: flag, control: flag, planted: flag } as const;
  const { values } = parseArgs({ args, options });
  const numberOf = (name: 'seed' | 'sample'): number | undefined => {
    const value = values[name];
    if (value !== undefined && !/^\d{1,9}$/.test(value)) throw new Error(`--${name} takes a whole number, not "${value}".`);
    return value === undefined ? undefined : Number(value);
  };
  const corpus = allCorpora.find((one) => one === values.corpus);
  if (values.corpus !== undefined && !corpus) throw new Error(`There is no corpus "${values.corpus}"; there are ${allCorpora.join(', ')}.`);
  return {
    corpus,
    only: values.only,
    seed: numberOf('seed') ?? 1,
    sample: numberOf('sample'),
    bare: values.bare ?? false,
    control: values.control ?? false,
    planted: values.planted ?? false,
  };
}

async function main({ corpus, only, seed, sample, bare, control, planted }: Options): Promise<number> {
  if (planted) return plantAll(seed);
  if (control && corpus !== undefined && corpus !== 'cheats') throw new Error('--control is of the corpus cheats alone.');
  const played = control ? ['cheats' as const] : corpus ? [corpus] : allCorpora;
  const cases = played.flatMap((one) => {
    const some = allOf(one).filter(({ name }) => only === undefined || name.includes(only));
    return sample === undefined ? some : drawn(some, sample, seed);
  });
  if (cases.length === 0) throw new Error('No case has that name.');
  const all: Told[] = [];
  await inTurns(cases, { bare, control }, (one) => {
    all.push(one);
    process.stdout.write(`${lineOf(one)}\n`);
  });
  return summary(all, { bare, control });
}

/** The share of noticeable faults that strong proofs must see. */
const strongSees = 0.9;

async function plantAll(seed: number): Promise<number> {
  const all: Planted[] = [];
  await plant(process.env['LOOP_MUTATORS'] ?? '', seed, (one) => {
    all.push(one);
    const { name, level, planted, seen, noticed, missed } = one;
    process.stdout.write(`${level.padEnd(6)}  ${name.padEnd(40)}  ${seen} of ${planted} seen; ${noticed} noticed  ${missed.join(' | ')}\n`);
  });
  process.stdout.write('\n');
  const shares = strengthLevels.map((level) => {
    const some = all.filter((one) => one.level === level);
    const sum = (of: (one: Planted) => number): number => some.reduce((total, one) => total + of(one), 0);
    const [planted, seen, noticed] = [sum((one) => one.planted), sum((one) => one.seen), sum((one) => one.noticed)];
    if (planted > 0)
      process.stdout.write(
        `${level}: ${counted(some.length, 'sprint')}, ${seen} of ${planted} planted faults seen; of ${noticed} that anybody notices ${percent(seen / noticed)}\n`,
      );
    return { level, isEnough: level !== 'strong' || noticed === 0 || seen / noticed >= strongSees };
  });
  const why = whyPlantedFails(all.map(({ level }) => level));
  if (why !== undefined) process.stdout.write(`${why}\n`);
  return why === undefined && shares.every(({ isEnough }) => isEnough) ? 0 : 1;
}

function lineOf({ corpus, name, expected, ended, why, late, open, seconds, missed, problems }: Told): string {
  const mark = problems.length > 0 ? 'VACUOUS' : missed ? 'MISSED' : 'ok';
  const parts = [
    mark.padEnd(7),
    `${corpus}/${name}`.padEnd(44),
    (open ? 'open' : late ? 'late' : '').padEnd(4),
    expected.padEnd(11),
    ended.padEnd(10),
  ];
  return [...parts, `${seconds.toFixed(1).padStart(5)} s`, [...why, ...problems].join(' | ').replaceAll(/\s+/g, ' ').slice(0, 900)].join(
    '  ',
  );
}

function summary(all: readonly Told[], { bare, control }: Way): number {
  process.stdout.write('\n');
  let failed = false;
  for (const goal of goals.filter(({ isControl = false }) => isControl === control)) {
    const { corpus, expected, words } = goal;
    const some = all.filter((one) => one.corpus === corpus && (expected === undefined || one.expected === expected));
    if (some.length === 0 || bare) continue;
    const most = mayMiss(goal, some.length);
    const missed = some.filter((one) => one.missed).length;
    const late = some.filter((one) => one.late);
    const lateMissed = late.filter((one) => one.missed).length;
    failed ||= missed > most;
    process.stdout.write(
      `${words}: ${missed} of ${some.length} (goal: at most ${most}); of those written last: ${lateMissed} of ${late.length}\n`,
    );
    if (goal.most === undefined) continue;
    const strong = some.filter((one) => one.missedAtStrong).length;
    failed ||= strong > 0;
    process.stdout.write(`${words} at evidence strong: ${strong} of ${some.length} (goal: none)\n`);
  }
  const open = all.filter((one) => one.open);
  if (open.length > 0 && !bare) {
    const closed = open.filter(({ missed }) => !missed).map(({ corpus, name }) => `${corpus}/${name}`);
    process.stdout.write(`of all these ${open.length} were known to get through\n`);
    if (closed.length > 0) process.stdout.write(`no longer, so take \`open\` out of them: ${closed.join(', ')}\n`);
  }
  const vacuous = all.filter(({ problems }) => problems.length > 0);
  process.stdout.write(`cases that are not what they say: ${vacuous.length} of ${all.length}\n`);
  return failed || vacuous.length > 0 ? 1 : 0;
}

/** Each process plays one sprint at a time, because a sprint's state folder is named by a variable of its process. */
async function inTurns(cases: readonly AnyCase[], way: Way, report: (one: Told) => void): Promise<void> {
  const queue = [...cases];
  const player = async (): Promise<void> => {
    let child: ChildProcess | undefined;
    for (let one = queue.shift(); one; one = queue.shift()) {
      child ??= fork(process.argv[1] ?? '', ['--worker']);
      const answer = await ask(child, { corpus: one.corpus, name: one.name, ...way });
      if (!answer) child = undefined;
      report(answer ?? judge(one, undefined, { problems: ['its process ended'], seconds: 0 }));
    }
    child?.disconnect();
  };
  await Promise.all(Array.from({ length: width }, player));
}

type Way = Pick<Options, 'bare' | 'control'>;

interface Question extends Way {
  corpus: AnyCorpus;
  name: string;
}

/** Undefined if the process ended without an answer. */
function ask(child: ChildProcess, question: Question): Promise<Told | undefined> {
  return new Promise((done) => {
    const ended = (): void => done(undefined);
    child.once('exit', ended);
    child.once('message', (answer: Told) => {
      child.off('exit', ended);
      done(answer);
    });
    child.send(question);
  });
}

function work(): void {
  // Else it would play on where its parent was stopped.
  process.on('disconnect', () => process.exit());
  process.on('message', ({ corpus, name, ...way }: Question) => {
    const one = allOf(corpus).find((each) => each.name === name);
    if (!one) throw new Error(`There is no case ${corpus}/${name}.`);
    const failed = (error: unknown): Told => judge(one, undefined, { problems: [String(error)], seconds: 0 });
    void told(one, way)
      .catch(failed)
      .then((answer) => process.send?.(answer));
  });
}
