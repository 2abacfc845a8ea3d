/** `loop pipeline`: runs, resumes, lists and shows pipelines, and tells what one would send. */
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { goesOn } from '../engine/core/fold.ts';
import { InputError, messageOf } from '../engine/ground/errors.ts';
import { costBound, modelWords } from '../engine/ground/model-names.ts';
import { shellQuoted } from '../engine/ground/shell-quoted.ts';
import { counted, oneLine } from '../engine/ground/text.ts';
import { current, nodeStanding } from '../engine/judge/pipeline.ts';
import { ruleWords, verdictWords } from '../engine/render/pipeline-words.ts';
import { stagePrompt } from '../engine/render/stage-prompt.ts';
import { mockWords } from '../engine/render/words.ts';
import { hoursWords, isOutOfTime } from '../engine/state/hours.ts';
import type { State, Stop } from '../engine/state/state.ts';
import { iterationsOf, modelOf, modelsOf, pathsOf, type PlanNode } from '../engine/work/pipeline.ts';
import { nobody } from '../host/nobody.ts';
import { inspectRepository } from '../host/git/inspect.ts';
import { encodeLine } from '../host/journal-lines.ts';
import { inspectLock } from '../host/lock.ts';
import { givenInputs } from '../host/pipelines/given-inputs.ts';
import { boundOf, namedInPlan, preparePipeline, problemWords, type PipelineBound, type Prepared } from '../host/pipelines/prepare.ts';
import {
  canName,
  readSession,
  requireSameKind,
  runPipeline,
  sessionFolder,
  sessionsIn,
  whatChanged,
} from '../host/pipelines/run-pipeline.ts';
import { listPipelines, originWords, shelvesOf } from '../host/pipelines/shelves.ts';
import { configAfter } from '../host/sprint.ts';
import { mockFrom } from '../models/mock-folder.ts';
import type { Command } from './arguments.ts';
import { codeOfState, exitCodes } from './exit-codes.ts';
import { plain } from './plain.ts';
import { requireRecordable, withRecords } from './record.ts';
import { progressLines } from './progress.ts';
import { chooseModel, nextLines, type NextStep, type Start, type Streams } from './run.ts';
import { answerTo } from './terminal-person.ts';

type PipelineCommand = Extract<Command, { name: 'pipeline' }>;

/** @returns the exit code. @throws InputError, Interruption */
export async function pipeline(given: PipelineCommand, streams: Streams, signal: AbortSignal): Promise<number> {
  const folder = resolve(given.folder);
  const { root } = await inspectRepository(folder);
  const command = { ...given, inputs: await givenInputs(root, folder, given.inputs) };
  const print = (line: string): void => (command.json ? streams.err : streams.out)(`${plain(line)}\n`);
  switch (command.verb) {
    case 'list':
      return list(root, command, print, streams.out);
    case 'status':
      return status(root, command, print, streams.out);
    case 'dry-run':
      return dryRun(root, command, print);
    case 'run':
    case 'resume':
      return start(root, command, { ...streams, print }, signal);
  }
}

async function start(
  root: string,
  command: PipelineCommand,
  { out, print }: Streams & { print: (line: string) => void },
  signal: AbortSignal,
) {
  const { overrides, json, verb, record } = command;
  if (record !== undefined) await requireRecordable(record);
  const isMock = command.mock !== undefined;
  const session = command.session ?? (isMock && verb === 'run' ? `${command.target}-mock` : command.target);
  const known = await readSession(root, session);
  if (verb === 'resume' && !known?.opened.pipeline) throw new InputError(`There is no session "${session}".`, await sessionsNext(root));
  const goingOn = known && goesOn(known) ? known : undefined;
  const prepared = verb === 'run' ? await prepare(root, command, session, goingOn) : undefined;
  const nodes = known?.opened.pipeline?.nodes ?? prepared?.nodes ?? [];
  if (goingOn) requireSameKind(goingOn, isMock);
  const model = await startOf(command, nodes, print, signal);
  const lines = progressLines(print);
  const changed = goingOn && (await whatChanged(root, goingOn, command.shelf));
  if (changed !== undefined) {
    print(`${changed} It goes on as it began. For the new ones: loop pipeline run ${goingOn?.opened.pipeline?.name ?? ''} --session NAME`);
    if (!(await goesOnAsBegun())) return exitCodes.input;
  }
  const bounds = goingOn ? boundsOf(goingOn, command) : prepared ? [boundWords(boundOf(prepared))] : [];
  for (const line of [...(prepared?.notes ?? []), ...bounds]) print(line);
  const config = known ? configAfter(known, overrides) : prepared?.config;
  const named = goingOn?.opened.pipeline ? namedInPlan(goingOn.opened.pipeline) : prepared?.named;
  if (config) await model.ready?.(config, named);
  const running = runPipeline({
    model: model.model,
    mock: isMock,
    root,
    session,
    prepared,
    overrides,
    signal,
    person: nobody,
    onEvent: (event, latest) => (json ? out(encodeLine(event).toString()) : lines.event(event, latest)),
    onProgress: (item) => (json ? undefined : lines.progress(item)),
  });
  const { state } = await withRecords(running, { sprintDir: sessionFolder(root, session), record, asked: model.asked, print });
  for (const line of farewell(state, root)) print(line);
  return codeOfState(state);
}

/** Where nobody is there to ask, it does. */
async function goesOnAsBegun(): Promise<boolean> {
  if (!process.stdin.isTTY) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await answerTo(terminal, 'Go on as it began? [Y/n] ');
    return !answer.trim().toLowerCase().startsWith('n');
  } finally {
    terminal.close();
  }
}

/** @throws InputError that names the other way, where the files are broken and a session could go on without them. */
async function prepare(
  root: string,
  { target, overrides, inputs, shelf }: PipelineCommand,
  session: string,
  goingOn: State | undefined,
): Promise<Prepared> {
  try {
    return await preparePipeline(root, target, overrides, session, { given: inputs, shelf, opens: !goingOn });
  } catch (error) {
    if (!goingOn || !(error instanceof InputError)) throw error;
    const way = `loop pipeline resume ${session}${mockFlag(goingOn)}`;
    throw new InputError(error.message, `${error.next} Or go on with session ${session} as it began: ${way}`);
  }
}

async function startOf(
  command: PipelineCommand,
  nodes: readonly Pick<PlanNode, 'id' | 'output'>[],
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<Start> {
  const { mock, model } = command;
  if (mock === undefined) return chooseModel(model, print, signal);
  return { model: mockFrom(resolve(mock), nodes) };
}

/** Bounds of a session that goes on: as it opened, with what the person raised. */
function boundsOf(state: State, { overrides, inputs }: PipelineCommand): string[] {
  const { budgetUsd, budgetTokens, maxHours, maxLoopIterations, network } = overrides;
  const { iteration = 0 } = state.ledger.sizes;
  const config = configAfter(state, overrides);
  const { budgetUsd: usd, budgetTokens: tokens, maxHours: hours } = config;
  const isLower = (budgetUsd ?? usd) < usd || (budgetTokens ?? tokens) < tokens || (maxHours ?? hours) < hours;
  const { nodes } = state.opened.pipeline ?? { nodes: [] };
  const models = modelsOf({ nodes }, config.models);
  return [
    boundWords({ stages: nodes.length, iterations: iteration, usd, tokens, hours, models }),
    ...(isLower ? ['A budget can only be raised; the lower one is not taken. For a lower one start another session.'] : []),
    ...(maxLoopIterations === undefined || maxLoopIterations === iteration
      ? []
      : ['--max-iterations is not taken: a session keeps the number that it opened with.']),
    ...(network === undefined || network === config.network
      ? []
      : [`--network is not taken: a session keeps what it opened with, ${config.network}.`]),
    ...(inputs.length === 0 ? [] : ['--input is not taken: a session keeps the files that it opened with.']),
  ];
}

function boundWords({ stages, iterations, usd, tokens, hours, models }: PipelineBound): string {
  const cost = costBound(models, `$${usd}`, tokens.toLocaleString('en-US'));
  return `${counted(stages, 'stage')}. At most ${counted(iterations, 'iteration')}, ${cost}, and ${hoursWords(hours)} at work.`;
}

/** How it stopped, why, and what to do next. */
export function farewell(state: State, root: string): string[] {
  const { stopped, opened, ledger } = state;
  const { finished } = ledger;
  if (!stopped) return [];
  const folder = sessionFolder(root, opened.sprint);
  return [
    '',
    `${stopped.stop.toUpperCase()}${mockWords(opened)}${stopped.reasons.length > 0 ? ':' : ''}`,
    ...stopped.reasons.map((reason) => `  - ${reason}`),
    `Outputs: ${join(folder, '.loop')}`,
    `Branch:  ${opened.branch}`,
    ...(finished
      ? [`Finished: ${finished.how}. Start another one with --session NAME.`]
      : nextLines(nextSteps[stopped.stop](opened.sprint, shellQuoted(folder), state), 'loop', 'Outputs: '.length)),
  ];
}

const finishStep = (_session: string, folder: string): NextStep => [`finish ${folder} merge`, 'or with squash, keep or drop'];
const mockFlag = ({ opened }: State): string => (opened.mock ? ' --mock DIR' : '');

const nextSteps: Record<Stop, (session: string, folder: string, state: State) => NextStep> = {
  delivered: finishStep,
  complete: finishStep,
  partial: finishStep,
  failed: finishStep,
  waiting: (session, folder, state) =>
    hasMore(state) ? [`pipeline resume ${session}${mockFlag(state)}`, 'once the cause is mended'] : finishStep(session, folder),
  'out-of-budget': (session, _folder, state) => [
    `pipeline resume ${session}${mockFlag(state)} ${budgetFlag(state)} N`,
    'to raise the budget',
  ],
};

/** Whether a resume would run anything: the error may have been in the last iteration that its stage allows. */
function hasMore({ ledger }: State): boolean {
  return current({ ledger: { ...ledger, resumes: ledger.resumes + 1 } }) !== undefined;
}

function budgetFlag({ ledger }: State): string {
  if (isOutOfTime(ledger)) return '--max-hours';
  return ledger.pipeline?.cut === 'tokens' ? '--budget-tokens' : '--budget-usd';
}

async function list(
  root: string,
  { json, shelf }: PipelineCommand,
  print: (line: string) => void,
  out: (text: string) => void,
): Promise<number> {
  const all = await listPipelines(shelvesOf(root, shelf));
  if (json) {
    const known = all.map(({ name, origin, hides, description, problems }) => ({ name, origin, hides, description, problems }));
    out(`${JSON.stringify(known, null, 2)}\n`);
    return exitCodes.delivered;
  }
  for (const { name, origin, hides, description, problems } of all) {
    const hidden = hides.length === 0 ? '' : `, hides that of the ${hides.map((one) => originWords[one]).join(' and the ')}`;
    print(`${name.padEnd(16)} ${description} (${originWords[origin]}${hidden})`);
    for (const problem of problems) print(`  ${problemWords(problem)}`);
    if (!canName(name) && problems.length === 0) print('  Its name can be no name of a session: run it with --session NAME.');
  }
  return exitCodes.delivered;
}

async function status(
  root: string,
  { target, json }: PipelineCommand,
  print: (line: string) => void,
  out: (text: string) => void,
): Promise<number> {
  if (target === '') {
    const states = await standingIn(root);
    if (json) {
      const all = states.flatMap((one): Record<string, unknown>[] =>
        'unread' in one ? [{ ...one }] : one.state.ledger.pipeline ? [summaryOf(one)] : [],
      );
      out(`${JSON.stringify(all, null, 2)}\n`);
      return exitCodes.delivered;
    }
    if (states.length === 0) print('No session was started here.');
    for (const one of states) for (const line of 'unread' in one ? [unreadWords(one)] : describe(one).slice(0, 1)) print(line);
    return exitCodes.delivered;
  }
  const one = await standingOf(root, target);
  if (!one?.state.ledger.pipeline) throw new InputError(`There is no session "${target}".`, await sessionsNext(root));
  if (json) out(`${JSON.stringify(summaryOf(one), null, 2)}\n`);
  else for (const line of [...describe(one), ...farewell(one.state, root).slice(1), ...interruptedLines(one)]) print(line);
  return codeOfState(one.state);
}

interface SessionNow {
  state: State;
  isRunning: boolean;
}

async function standingOf(root: string, session: string): Promise<SessionNow | undefined> {
  const isRunning = (await inspectLock(sessionFolder(root, session))) !== undefined;
  const state = await readSession(root, session);
  return state && { state, isRunning };
}

/** Of a session that a kill or a wrong file broke off, what goes on. */
function interruptedLines({ state, isRunning }: SessionNow): string[] {
  if (state.stopped || isRunning) return [];
  const next: NextStep = [`pipeline resume ${state.opened.sprint}${mockFlag(state)}`, 'to go on where it was interrupted'];
  return nextLines(next, 'loop', 'Outputs: '.length);
}

interface UnreadSession {
  session: string;
  /** Why its journal does not say how it stands. */
  unread: string;
}

/** A damaged journal hides no other session. */
async function standingIn(root: string): Promise<(SessionNow | UnreadSession)[]> {
  const names = await sessionsIn(root);
  const read = (session: string): Promise<SessionNow | UnreadSession | undefined> =>
    standingOf(root, session).catch((error: unknown) => ({ session, unread: oneLine(messageOf(error)) }));
  return (await Promise.all(names.map(read))).filter((one) => one !== undefined);
}

function unreadWords({ session, unread }: UnreadSession): string {
  return `${session}: UNREADABLE: ${unread}`;
}

function summaryOf({ state: { opened, stopped, ledger }, isRunning: running }: SessionNow): Record<string, unknown> {
  return { session: opened.sprint, mock: opened.mock === true, running, stopped, ...ledger.pipeline, spend: ledger.spend };
}

function describe({ state, isRunning }: SessionNow): string[] {
  const run = state.ledger.pipeline;
  if (!run) return [];
  const { opened, stopped, open, ledger } = state;
  const place = open ? `in stage ${open.decision.target || '(none)'}` : 'between two iterations';
  const standing = stopped?.stop ?? (isRunning ? `runs, ${place}` : `interrupted ${place}`);
  return [
    `${opened.sprint}: ${run.plan.name}, ${standing}${mockWords(opened)}, ${counted(run.iterations.length, 'iteration')}, $${ledger.spend.usd.toFixed(2)}`,
    ...run.plan.nodes.flatMap((node) => [
      `  ${node.id}: ${standingWords(run, node, ledger.resumes)}${node.model === undefined ? '' : `; asks ${modelWords(node.model)}`}`,
      ...iterationsOf(run, node.id).map((one) => {
        const verdict = verdictWords(run, one);
        return `    ${one.n}. ${one.status.decision}: ${one.status.reason}${verdict === '' ? '' : ` (${verdict})`}`;
      }),
    ]),
  ];
}

function standingWords(run: Parameters<typeof nodeStanding>[0], node: PlanNode, resumes: number): string {
  const standing = nodeStanding(run, node, resumes);
  const done = counted(iterationsOf(run, node.id).length, 'iteration');
  return 'why' in standing ? `${done}; ${standing.why}` : `${done} of at most ${node.maxIterations}`;
}

async function dryRun(
  root: string,
  { target, overrides, inputs, shelf, session = target }: PipelineCommand,
  print: (line: string) => void,
): Promise<number> {
  // A name that was given; where a pipeline is called as no session can be, it is shown all the same.
  if (session !== target) sessionFolder(root, session);
  const prepared = await preparePipeline(root, target, overrides, session, { given: inputs, shelf });
  for (const line of [...prepared.notes, boundWords(boundOf(prepared)), 'Nothing is sent: this is a dry run.']) print(line);
  for (const { path, text } of prepared.inputs) print(`Input: ${path} (${counted(text.length, 'character')})`);
  for (const node of prepared.nodes) {
    print(`\n=== Stage ${node.id} (${node.stage}), iteration 1`);
    if (node.block !== undefined) print(`Side by side with: ${besideWords(prepared, node)}`);
    print(`Ends: ${ruleWords(node)}`);
    print(
      `Limits: ${counted(node.maxIterations, 'iteration')}, ${node.maxRuntimeSeconds} seconds; model: ${modelOf(node, prepared.config.models)}${node.model === undefined ? '' : ', which its file names'}`,
    );
    print(`Inputs: ${node.inputs ? `${node.inputs.select} of ${node.inputs.from.join(', ')}` : 'none from a stage'}`);
    for (const [name, command] of Object.entries(node.commands ?? {})) print(`Command ${name}: ${command}`);
    print(`Output: ${pathsOf(prepared, node.id, 1).output}`);
    print(`\n${stagePrompt(prepared, { session, node, n: 1 }, node.promptText).text}`);
  }
  return exitCodes.delivered;
}

function besideWords({ nodes }: Prepared, { id, block }: Pick<PlanNode, 'id' | 'block'>): string {
  return nodes.flatMap((one) => (one.block === block && one.id !== id ? [one.id] : [])).join(', ');
}

async function sessionsNext(root: string): Promise<string> {
  const names = await sessionsIn(root);
  return names.length === 0 ? 'Start one with: loop pipeline run NAME' : `There are: ${names.join(', ')}.`;
}
