/** `loop run`: starts or resumes a sprint, and prints the next step when it stops. */
import { join } from 'node:path';
import type { Config, Overrides } from '../engine/ground/config.ts';
import { InputError, Interruption } from '../engine/ground/errors.ts';
import { costBound, programsChoice, programTitles, providerOf, type NamedModel, type ProgramName } from '../engine/ground/model-names.ts';
import { shellQuoted } from '../engine/ground/shell-quoted.ts';
import type { Event } from '../engine/state/events.ts';
import { withoutFullStop } from '../engine/ground/text.ts';
import { withoutIn } from '../engine/render/descoped-words.ts';
import { typicalWords } from '../engine/render/typical.ts';
import { tooWeakWords } from '../engine/render/too-weak.ts';
import { readingWarnings, readingWords, uncommittedWords } from '../engine/render/words.ts';
import type { Desk } from '../engine/person/desk.ts';
import type { Model } from '../engine/ports.ts';
import { whyNotBegun } from '../engine/judge/ending.ts';
import { hoursWords } from '../engine/state/hours.ts';
import type { State, Stop } from '../engine/state/state.ts';
import { askWords, isUnresolved } from '../engine/work/human-action.ts';
import { isBeforePerson } from '../engine/judge/approval.ts';
import { systemClock } from '../host/clock.ts';
import { encodeLine } from '../host/journal-lines.ts';
import { nobody } from '../host/nobody.ts';
import { programPort, toolsUrl } from '../host/programs/start-program.ts';
import { inspectSprint, runSprint } from '../host/sprint.ts';
import { createByProvider, type Providers } from '../models/by-provider.ts';
import { createModel, recordedRequests } from '../models/create.ts';
import { credentialsFromEnv, type Credentials } from '../models/credentials.ts';
import { probe } from '../models/load.ts';
import { programProviders } from '../models/programs/providers.ts';
import { requireModels } from '../models/ready.ts';
import { requestsFileOf, type Requests } from '../models/requests.ts';
import type { Command } from './arguments.ts';
import { codeOfState } from './exit-codes.ts';
import { plain } from './plain.ts';
import { planLines } from './plan-lines.ts';
import { progressLines } from './progress.ts';
import { requireRecordable, withRecords } from './record.ts';
import { terminalPerson } from './terminal-person.ts';

type RunCommand = Extract<Command, { name: 'run' }>;

export interface Streams {
  out: (text: string) => void;
  /** Texts for people, when `--json` reserves standard output for the journal. */
  err: (text: string) => void;
}

/** @returns the exit code. @throws InputError, Interruption */
export async function run(command: RunCommand, { out, err }: Streams, signal: AbortSignal): Promise<number> {
  const { sprintDir, overrides, json, interactive, record } = command;
  const print = (line: string): void => (json ? err : out)(`${plain(line)}\n`);
  if (record !== undefined) await requireRecordable(record);
  const start = await chooseModel(command.model, print, signal);
  const { bound, typical, config, repository, reading, uncommitted, resumes } = await inspectSprint(sprintDir, overrides);
  const lines = progressLines(print);
  if (!json) {
    print(
      `${readingWords(reading)}. At most ${bound.decisions} decisions, ${costBound(Object.values(config.models), `$${bound.usd}`, bound.tokens.toLocaleString('en-US'))}, and ${hoursWords(bound.hours)} at work: time in which it waits for you does not count.`,
    );
    if (typical) print(typicalWords(typical));
    for (const warning of readingWarnings(reading)) print(warning);
    if (config.environment.length > 0) print(`Its commands get these variables of yours: ${config.environment.join(', ')}.`);
    for (const line of resumes ? notTaken(overrides, config) : []) print(line);
    const lacks = uncommittedWords(uncommitted);
    if (lacks !== '') print(lacks);
    print(`Your checkout ${repository.root} is not touched until you finish the sprint.`);
  }
  let desk: Desk | undefined;
  let latest: State | undefined;
  const running = runSprint({
    ...start,
    sprintDir,
    overrides,
    signal,
    person: interactive && process.stdin.isTTY ? terminalPerson({ print, desk: () => desk }) : nobody,
    onOpen: (open) => (desk = open),
    onEvent: (event: Event, current: State) => {
      latest = current;
      if (json) out(encodeLine(event).toString());
      else lines.event(event, current);
    },
    onProgress: (item) => (json ? undefined : lines.progress(item)),
  });
  const { state } = await withRecords(running, { sprintDir, record, asked: start.asked, print }).catch((error: unknown) => {
    if (error instanceof Interruption && latest) for (const line of soFar(latest, sprintDir)) print(line);
    throw error;
  });
  for (const line of farewell(state, sprintDir)) print(line);
  return codeOfState(state);
}

/** Options by which nothing of a sprint changes that goes on. @param config in force, with what they raised. */
function notTaken(overrides: Overrides, config: Config): string[] {
  const other = <Key extends keyof Config>(all: readonly (readonly [Key, string])[], why: (now: Config[Key]) => string) =>
    all
      .filter(([key]) => overrides[key] !== undefined && overrides[key] !== config[key])
      .map(([key, flag]) => `${flag} is not taken: ${why(config[key])}.`);
  return [
    ...other(raised, (now) => `it can only be raised, from ${now.toLocaleString('en-US')}`),
    ...other(kept, (now) => `a sprint keeps what it opened with, ${String(now)}`),
  ];
}

const raised = [
  ['budgetUsd', '--budget-usd'],
  ['budgetTokens', '--budget-tokens'],
  ['maxHours', '--max-hours'],
] as const;
const kept = [
  ['maxLoopIterations', '--max-iterations'],
  ['network', '--network'],
  ['evidence', '--evidence'],
  ['qualify', '--qualify'],
  ['approvePlan', '--approve-plan'],
] as const;

/** A model, and a test of its key and endpoint before the sprint begins. */
export interface Start {
  model: Model;
  /** @param named models that the files of a pipeline name. */
  ready?: (config: Config, named?: readonly NamedModel[]) => Promise<void>;
  /** Of a strict replay: what was asked when it was recorded. */
  asked?: Requests;
}

/** @param text `anthropic`, `recorded:FILE` or `strict:FILE`. @throws InputError */
export async function chooseModel(text: string, print: (line: string) => void, signal: AbortSignal): Promise<Start> {
  if (text.startsWith('strict:')) return strict(text.slice('strict:'.length));
  if (text.startsWith('recorded:')) return { model: await createModel({ kind: 'recorded', file: text.slice('recorded:'.length) }) };
  if (text !== 'anthropic') throw unknownModel(text);
  const programs = programProviders((name) => programPort(name, process.env, print), toolsUrl);
  const credentials = credentialsOr(programs);
  const onRetry = (why: string, attempt: number, waitMs: number): void =>
    print(`Retry ${attempt} in ${Math.round(waitMs / 1000)} s: ${why}`);
  const claude = credentials instanceof InputError ? {} : { anthropic: await createModel({ kind: 'anthropic', ...credentials }) };
  const providers = { ...claude, ...programs };
  const test = async (models: string[]): Promise<void> => {
    if (models.length === 0) return;
    if (credentials instanceof InputError) throw credentials;
    await probe({ ...credentials, models, onRetry, signal }, systemClock);
  };
  const ready = async ({ models: { reasoning, execution, triage } }: Config, named: readonly NamedModel[] = []): Promise<void> => {
    const models = [reasoning, execution, triage];
    if (credentials instanceof InputError && models.some((name) => providerOf(name) === 'anthropic')) throw credentials;
    return requireModels({ providers, test }, models, named);
  };
  return { model: createByProvider(providers), ready };
}

/** Where a program of the person's could be asked, a missing key is no reason yet not to begin. @throws InputError else */
function credentialsOr(programs: Providers): Credentials | InputError {
  const [first] = Object.keys(programs) as ProgramName[];
  try {
    return credentialsFromEnv(process.env);
  } catch (error) {
    if (first === undefined || !(error instanceof InputError)) throw error;
    const next = `Set ANTHROPIC_API_KEY, or let ${programTitles[first]} ask with your own login: --models ${first}:${programsChoice}.`;
    return new InputError(error.message, next);
  }
}

async function strict(file: string): Promise<Start> {
  const model = await createModel({ kind: 'recorded', file });
  const asked = await recordedRequests(file);
  if (asked) return { model, asked };
  throw new InputError(
    `There is no ${requestsFileOf(file)}: nobody wrote down what was asked when ${file} was recorded.`,
    'Play it with --model recorded:FILE, or record the run again.',
  );
}

function unknownModel(text: string): InputError {
  return new InputError(`There is no model "${text}".`, 'Use --model anthropic, recorded:FILE or strict:FILE.');
}

/** Lines about how the sprint stopped, why, and what to do next. @param loop the command as the person calls it. */
export function farewell(state: State, sprintDir: string, loop = 'loop'): string[] {
  const { stopped, opened } = state;
  if (!stopped) return [];
  const dir = shellQuoted(sprintDir);
  const needsApproval = stopped.stop === 'waiting' && isBeforePerson(state);
  const reasons = whyNotBegun(state) ?? stopped.reasons;
  const tooWeak = stopped.stop === 'partial' ? withoutFullStop(tooWeakWords(state, (flag) => `${loop} run ${dir} ${flag}`)) : '';
  const asked = Object.values(state.ledger.humanActions)
    .filter(isUnresolved)
    .flatMap((one) => askWords(one, opened.worktree));
  return [
    '',
    `${[stopped.stop.toUpperCase(), withoutIn(state.work.descoped)].filter(Boolean).join(', ')}${reasons.length > 0 ? ':' : ''}`,
    ...reasons.map((reason) => `  - ${reason}`),
    ...(needsApproval ? ['', 'The plan:', ...planLines(state).map((line) => `  ${line}`)] : []),
    ...(stopped.stop === 'waiting' && asked.length > 0 ? ['', 'What only you can do:', ...asked.map((line) => `  ${line}`), ''] : []),
    `Report: ${join(sprintDir, '.loop', 'DELIVERY_REPORT.md')}`,
    `Branch: ${opened.branch}`,
    ...nextLines(needsApproval ? [`approve ${dir}`, `then: ${loop} run ${dir}`] : nextSteps[stopped.stop](dir), loop, 'Branch: '.length),
    ...(tooWeak === '' ? [] : [tooWeak]),
  ];
}

/** The command ends its line, so that it can be copied. @param column at which it begins. */
export function nextLines([command, more]: NextStep, loop: string, column: number): string[] {
  return [`${'Next:'.padEnd(column)}${loop} ${command}`, ...(more === undefined ? [] : [`${' '.repeat(column)}${more}`])];
}

/** A command, without `loop`, and when or how else. */
export type NextStep = readonly [command: string, more?: string];

/** Where somebody looks who interrupts a sprint: it has no report yet. */
function soFar({ opened }: State, sprintDir: string): string[] {
  return [
    '',
    `Branch:    ${opened.branch}`,
    `Checklist: ${join(sprintDir, '.loop', 'VALUE_CHECKLIST.md')}`,
    `Status:    loop status ${shellQuoted(sprintDir)}`,
    `To go on:  loop run ${shellQuoted(sprintDir)}`,
  ];
}

const nextSteps: Record<Stop, (dir: string) => NextStep> = {
  delivered: (dir) => [`finish ${dir} merge`],
  complete: (dir) => [`finish ${dir} merge`],
  partial: (dir) => [`finish ${dir} merge`, 'or with squash, keep or drop, once you have read the report'],
  failed: (dir) => [`finish ${dir} keep`, 'or with drop, once you have read the report'],
  waiting: (dir) => [`run ${dir}`, 'once what it waits for is there'],
  'out-of-budget': (dir) => [`run ${dir} --budget-usd N`, 'or with --budget-tokens N or --max-hours N, to raise what is spent'],
};
