/**
 * The language of simulated verifications and commands. Each line is one instruction, and the first failure ends the script. A
 * failure prints the `RED` text of the script's header, as a verification of Loop must.
 *
 *     expect NAME VALUE     fails unless the feature has that value         grep PATH TEXT    fails unless the file has it
 *     defined NAME          fails unless it has any value                   exists PATH       fails unless the file exists
 *     show NAME…            prints values                                   scratch           fails in a scratch checkout
 *     say TEXT              prints                                          flip P            fails with that probability
 *     sleep SECONDS         takes time                                      write PATH TEXT   writes into the tree
 *     exit STATUS           ends                                            lacks TEXT        fails as if a module were missing
 *     works                 fails where the work has a syntax error         sh PATH           runs a script of the tree
 *     each PREFIX           runs all scripts of the tree with that prefix   ask NAME          fails unless that service answers
 *     keep PATH TEXT        writes into the tree, and fails where somebody else wrote there
 *     source PATH           loads a file of the work into the script's own process, which the work may end there
 */
import type { Files, Reading } from './work.ts';

export interface Stage {
  files: Files;
  reading: Reading;
  isScratch: boolean;
  /** Draws whether something with this probability happens now. */
  happens(probability: number): boolean;
  /** Draws whether the feature shows another value now. */
  isUnsteady(name: string): boolean;
  write(path: string, text: string): void;
  /** Whether a service on the person's machine answers. */
  answers(name: string): boolean;
}

export interface Ran {
  exit: number;
  output: string;
  /** In seconds. */
  took: number;
  /** The work ended it before it had reached its own end. */
  isEarly?: true;
}

export function interpret(script: string, stage: Stage): Ran {
  const red = /^# RED: (.*)$/m.exec(script)?.[1] ?? 'it fails';
  const ran: Ran = { exit: 0, output: '', took: 0 };
  const say = (text: string): void => void (ran.output += `${text}\n`);
  for (const line of script.split(/[\n;]/)) {
    const [name = '', ...words] = line.trim().split(' ');
    if (name === '' || name.startsWith('#')) continue;
    const instruction = instructions[name];
    if (!instruction) return { ...ran, exit: 127, output: `${ran.output}sh: ${name}: command not found\n` };
    const done = instruction(words, { stage, say, ran });
    if (done === undefined) continue;
    if (done === endedByWork) return { ...ran, isEarly: true };
    if (typeof done === 'number') return { ...ran, exit: done };
    say(done.startsWith('Cannot') ? done : `${red}: ${done}`);
    return { ...ran, exit: 1 };
  }
  return ran;
}

interface Scope {
  stage: Stage;
  say(text: string): void;
  ran: Ran;
}
const endedByWork = Symbol('ended by the work');
/** Returns why it fails, or what ends the script: an exit status, or the work; undefined to go on. */
type Instruction = (words: string[], at: Scope) => string | number | typeof endedByWork | undefined;

const instructions: Readonly<Record<string, Instruction>> = {
  expect: ([name = '', value], at) => {
    const is = valueOf(name, at);
    return is === value ? undefined : `expected ${name} to be ${value}, got ${is}`;
  },
  defined: ([name = ''], at) => (valueOf(name, at) === 'nothing' ? `expected ${name} to be there` : undefined),
  show: (names, at) => {
    for (const name of names) at.say(`${name} is ${valueOf(name, at)}`);
    return undefined;
  },
  say: (words, { say }) => {
    say(words.join(' '));
    return undefined;
  },
  exit: ([status = '0']) => Number(status),
  grep: ([path = '', ...text], { stage }) =>
    stage.files[path]?.includes(text.join(' ')) ? undefined : `expected "${text.join(' ')}" in ${path}`,
  exists: ([path = ''], { stage }) => (stage.files[path] === undefined ? `expected a file ${path}` : undefined),
  scratch: (_, { stage }) => (stage.isScratch ? 'expected another place' : undefined),
  flip: ([p = '0'], { stage }) => (stage.happens(Number(p)) ? 'expected heads' : undefined),
  sleep: ([seconds = '1'], { ran }) => void (ran.took += Number(seconds)),
  write: ([path = '', ...text], { stage }) => {
    stage.write(path, `${text.join(' ')}\n`);
    return undefined;
  },
  keep: ([path = '', ...words], { stage }) => {
    const text = `${words.join(' ')}\n`;
    if ((stage.files[path] ?? text) !== text) return `expected ${path} to be as it was`;
    stage.write(path, text);
    return undefined;
  },
  works: (_, at) => (at.stage.reading.broken === undefined ? undefined : `SyntaxError at ${at.stage.reading.broken}`),
  sh: ([path = ''], { stage, say }) => runScript(stage.files[path], path, { stage, say }),
  each: ([prefix = ''], { stage, say }) => {
    const paths = Object.keys(stage.files)
      .filter((path) => path.startsWith(prefix))
      .sort();
    return paths.map((path) => runScript(stage.files[path], path, { stage, say })).find((why) => why !== undefined);
  },
  source: ([path = ''], { stage: { files, reading } }) => {
    if (files[path] === undefined) return `expected a file ${path}`;
    return reading.ending.has(path) ? endedByWork : undefined;
  },
  ':': () => undefined,
  ask: ([name = ''], { stage }) => (stage.answers(name) ? undefined : `expected ${name} to answer`),
  lacks: (words) => `Cannot find module '${words.join(' ')}'`,
};

/** Runs a script of the tree. @returns why it fails; undefined where it passes */
function runScript(text: string | undefined, path: string, { stage, say }: Pick<Scope, 'stage' | 'say'>): string | undefined {
  if (text === undefined) return `expected a script ${path}`;
  const { exit, output } = interpret(text, stage);
  if (output !== '') say(output.trimEnd());
  return exit === 0 ? undefined : `expected ${path} to pass, it ended with ${exit}`;
}

function valueOf(name: string, { stage, say }: Scope): string {
  if (stage.reading.broken !== undefined) {
    say(`SyntaxError at ${stage.reading.broken}`);
    return 'nothing';
  }
  const value = stage.reading.values.get(name);
  return value === undefined ? 'nothing' : String(stage.isUnsteady(name) ? value + 100 : value);
}
