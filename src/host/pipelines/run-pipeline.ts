/**
 * Runs a pipeline on this machine, as `sprint.ts` runs a sprint: the same lock, journal, ports and loop, another table. Each run
 * has a session's name and a folder `.loop/pipelines/<session>` in the person's checkout, laid out as a sprint's.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipelineTable } from '../../engine/actions/pipeline/table.ts';
import { fold, goesOn, opened } from '../../engine/core/fold.ts';
import { InputError } from '../../engine/ground/errors.ts';
import { createKernel, type Kernel } from '../../engine/kernel.ts';
import { loop } from '../../engine/loop.ts';
import type { Payloads } from '../../engine/ports.ts';
import { resume } from '../../engine/resume.ts';
import type { Event, EventOf } from '../../engine/state/events.ts';
import { pipelineSizes } from '../../engine/state/tanks.ts';
import type { Ending, State } from '../../engine/state/state.ts';
import { mostIterations, plan as planShape, type Plan } from '../../engine/work/pipeline.ts';
import { stageName } from '../../engine/work/stage.ts';
import { systemClock } from '../clock.ts';
import { makeFolders, unlessMissing } from '../disk.ts';
import { baseOf, inspectRepository, type Repository } from '../git/inspect.ts';
import { firstNumber, openJournal, type OpenJournal } from '../journal.ts';
import { acquireLock } from '../lock.ts';
import { openLoopFolder, removeTemporaries } from '../loop-folder.ts';
import { rememberOpening, requireOpenedHere } from '../opened-here.ts';
import { claimBranch } from '../own-branch.ts';
import { openPayloads, refOf } from '../payloads.ts';
import { openShelf } from '../shelf.ts';
import { journalPath, readSprint, recordGrants, requireSandbox, type SprintOptions } from '../sprint.ts';
import { createVerificationFiles } from '../verification-files.ts';
import { createPorts } from '../ports.ts';
import { followIterations, type IterationFiles } from './iteration-files.ts';
import { preparePipeline, storePlan, type Prepared } from './prepare.ts';

export interface PipelineOptions extends Omit<SprintOptions, 'sprintDir'> {
  /** Root of the person's checkout. */
  root: string;
  session: string;
  /** What a new session runs. A session that began goes on with what it began with. */
  prepared?: Prepared | undefined;
  /** The model makes up what it says: the session is a trial, and says so for ever. */
  mock?: boolean;
}

/** Whether a session can have this name. */
export function canName(session: string): boolean {
  return stageName.safeParse(session).success;
}

/** @throws InputError for a name that is no plain file name. */
export function sessionFolder(root: string, session: string): string {
  if (canName(session)) return join(root, '.loop', 'pipelines', session);
  throw new InputError(
    `"${session}" is no name for a session.`,
    'Name one with --session NAME: lower case letters, digits and "-", at most 40.',
  );
}

/** Sessions that have begun in this checkout, by name. */
export async function sessionsIn(root: string): Promise<string[]> {
  const names = (await unlessMissing(readdir(join(root, '.loop', 'pipelines')))) ?? [];
  return names.filter((name) => canName(name) && existsSync(journalPath(sessionFolder(root, name)))).sort();
}

/** The session's state, read without the lock; undefined where it never began. */
export async function readSession(root: string, session: string): Promise<State | undefined> {
  return readSprint(sessionFolder(root, session));
}

/**
 * Opens a new session or resumes it, and runs it until it stops.
 * @throws InputError before anything began; Interruption when it had to stop in the middle and can be resumed.
 */
export async function runPipeline(options: PipelineOptions): Promise<{ ending: Ending; state: State }> {
  await requireSandbox();
  const { root, session } = options;
  const folder = sessionFolder(root, session);
  await openLoopFolder(root);
  await makeFolders(root, ['.loop', 'pipelines', session], { durable: true });
  const lock = await acquireLock(folder, options.patience);
  try {
    const loopFolder = await openLoopFolder(folder);
    await removeTemporaries(loopFolder);
    const journal = await openJournal(journalPath(folder));
    try {
      return await run(options, {
        journal,
        folder,
        loopFolder,
        payloads: openPayloads(loopFolder),
        repository: await inspectRepository(folder),
      });
    } finally {
      await journal.close();
    }
  } finally {
    await lock.release();
  }
}

interface Opening {
  journal: OpenJournal;
  /** The session's folder, and `.loop` in it. */
  folder: string;
  loopFolder: string;
  payloads: Payloads;
  repository: Repository;
}

async function run(options: PipelineOptions, opening: Opening): Promise<{ ending: Ending; state: State }> {
  const shelf = openShelf(opening.loopFolder);
  const files = followIterations(shelf, opening.payloads);
  const onEvent = (event: Event, state: State): void => {
    files.follow(event, state);
    options.onEvent(event, state);
  };
  try {
    const kernel = await openKernel(options, opening, { files, onEvent });
    options.onOpen?.(kernel);
    return { ending: await loop(kernel, pipelineTable), state: kernel.state };
  } finally {
    options.model.close?.();
    await files.done();
  }
}

async function openKernel(
  options: PipelineOptions,
  opening: Opening,
  { files, onEvent }: { files: IterationFiles; onEvent: (event: Event, state: State) => void },
): Promise<Kernel> {
  const { journal, payloads, repository, loopFolder } = opening;
  const clock = options.clock ?? systemClock;
  const isNew = journal.events.length === 0;
  const first = isNew ? await openRun(options, opening) : undefined;
  const state = first ? opened(first) : fold(journal.events);
  if (!isNew) {
    await requireOpenedHere(repository.root, state.opened, journal.firstLine);
    files.catchUp(state);
    requireGoingOn(options, state);
  }
  const granted = first ?? (await recordGrants(state, options.overrides, journal, clock));
  const verifications = createVerificationFiles(openShelf(loopFolder), payloads);
  const caller = { ...options, sprintDir: options.root };
  const ports = await createPorts({ options: caller, clock, payloads, verifications, journal, repository, state });
  const kernel = createKernel({ state, ports, signal: options.signal, owner: journal.owner, onEvent });
  if (granted) onEvent(granted, state);
  if (!first) await resume(kernel);
  return kernel;
}

/** @throws InputError where made-up decisions would count beside a model's. */
export function requireSameKind({ opened: { sprint, mock } }: State, isMock: boolean): void {
  if (mock === true && !isMock)
    throw new InputError(
      `Session ${sprint} is a mock: its decisions are made up.`,
      'Go on with it with --mock DIR, or start another one with --session NAME.',
    );
  if (mock !== true && isMock)
    throw new InputError(
      `Session ${sprint} asks a model; no made-up decision may count in it.`,
      'Leave --mock out, or try it in another one with --session NAME.',
    );
}

/** @throws InputError for a session that is over, runs another pipeline, or is of the other kind. */
function requireGoingOn({ prepared, session, mock = false }: PipelineOptions, state: State): void {
  const plan = state.opened.pipeline;
  if (!goesOn(state))
    throw new InputError(`Session ${session} is over: ${state.stopped?.stop ?? 'finished'}.`, 'Start another one with --session NAME.');
  requireSameKind(state, mock);
  if (!prepared || !plan) return;
  if (prepared.name !== plan.name)
    throw new InputError(
      `Session ${session} runs the pipeline ${plan.name}, not ${prepared.name}.`,
      'Start another one with --session NAME.',
    );
}

/**
 * Whether the files that a session was opened with are other ones now. It goes on as it began in any case, so this is said before,
 * where the person still has the choice. Writes nothing.
 * @returns undefined where they are as they were.
 */
export async function whatChanged(root: string, { opened: { pipeline: plan, sprint } }: State, shelf: string): Promise<string | undefined> {
  if (!plan) return undefined;
  try {
    const prepared = await preparePipeline(root, plan.name, {}, sprint, { shelf, opens: false });
    return (await isChanged(prepared, plan)) ? `The files of ${plan.name} were changed since it began.` : undefined;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return `The files of ${plan.name} cannot be used any more: ${error.message}`;
  }
}

/** What the person added to the inputs is no file of the pipeline. */
async function isChanged(prepared: Prepared, plan: Plan): Promise<boolean> {
  const now = await storePlan(prepared, (text) => Promise.resolve(refOf(text)));
  // Both as the schema writes them, since a journal of another version of Loop has been through it.
  const [one, other] = [now, plan].map((of) => JSON.stringify(planShape.parse({ ...of, inputs: of.inputs.filter(({ given }) => !given) })));
  return one !== other;
}

async function openRun(
  { prepared, session, mock, clock = systemClock }: PipelineOptions,
  opening: Opening,
): Promise<EventOf<'run.opened'>> {
  const { journal, payloads, repository } = opening;
  if (!prepared) throw new InputError(`There is no session ${session}.`, 'Start one with: loop pipeline run NAME --session NAME');
  const plan = await storePlan(prepared, (text) => payloads.put(text));
  const at = clock.now();
  const own = await claimBranch(repository, session, at);
  const event: EventOf<'run.opened'> = {
    n: firstNumber,
    owner: journal.owner,
    at,
    type: 'run.opened',
    kind: 'pipeline',
    sprint: session,
    pipeline: plan,
    ...(mock ? { mock } : {}),
    config: prepared.config,
    sizes: pipelineSizes(mostIterations(plan), plan.nodes.length, prepared.config),
    inputs: [],
    base: await baseOf(repository),
    ...own,
  };
  await rememberOpening(repository.root, event);
  await journal.append(event);
  return event;
}
