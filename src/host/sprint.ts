/**
 * Runs a sprint on this machine: tests whether it can start, takes the lock, opens or resumes the journal, creates the ports and
 * runs the engine's loop. The editor's worker and the command line both use it.
 */
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config, Overrides } from '../engine/ground/config.ts';
import { InputError } from '../engine/ground/errors.ts';
import { listPaths } from '../engine/ground/text.ts';
import type { Event, EventOf } from '../engine/state/events.ts';
import type { Desk } from '../engine/person/desk.ts';
import { setEditsAside } from '../engine/person/edits.ts';
import { advance, fold, goesOn, opened } from '../engine/core/fold.ts';
import { bound } from '../engine/state/fuel.ts';
import { presentRules } from '../engine/state/rules.ts';
import { openingSizes } from '../engine/state/tanks.ts';
import { createKernel, type Kernel } from '../engine/kernel.ts';
import { table } from '../engine/actions/table.ts';
import { loop } from '../engine/loop.ts';
import type { Clock, Payloads, VerificationFiles } from '../engine/ports.ts';
import { resume } from '../engine/resume.ts';
import type { Ending, State } from '../engine/state/state.ts';
import type { Fact } from '../engine/work/facts.ts';
import type { Reading } from '../engine/parse/requirements.ts';
import type { Typical } from '../engine/render/typical.ts';
import { systemClock } from './clock.ts';
import { rememberOpening, requireOpenedHere } from './opened-here.ts';
import { claimBranch } from './own-branch.ts';
import { baseOf, inspectRepository, uncommittedIn, type Repository } from './git/inspect.ts';
import { readInputs, requireDocuments, type Inputs } from './read-inputs.ts';
import { firstNumber, openJournal, readJournal, type OpenJournal } from './journal.ts';
import { followDocuments, isRevisable } from './documents.ts';
import { takeLetters } from './letters.ts';
import { acquireLock } from './lock.ts';
import { foreignNames, openLoopFolder, removeTemporaries } from './loop-folder.ts';
import { openPayloads } from './payloads.ts';
import { typicalCost } from './past-sprints.ts';
import { createRenderings } from './renderings.ts';
import { sandboxProblem } from './sandbox/programs.ts';
import { openShelf } from './shelf.ts';
import { createVerificationFiles } from './verification-files.ts';
import { createPorts, openRepo, type Caller } from './ports.ts';

export interface SprintOptions extends Caller {
  /** Tests key and API, after everything else was found right. */
  ready?: ((config: Config) => Promise<void>) | undefined;
  clock?: Clock;
  onEvent(event: Event, state: State): void;
  /** Milliseconds to wait for another owner of the sprint that may be ending. */
  patience?: number;
  /** Called when the journal is open: the person's answers while the sprint runs go to this desk. */
  onOpen?: ((desk: Desk) => void) | undefined;
}

export interface Inspection {
  /** What PRD.md is read as; where a sprint goes on, what it was read as then. */
  reading: Reading;
  config: Config;
  /** The worst case: decisions, US dollars, tokens. */
  bound: { decisions: number; usd: number; tokens: number; hours: number };
  /** What sprints here cost that ended; undefined where none did. */
  typical: Typical | undefined;
  /** True where an unfinished sprint would go on. */
  resumes: boolean;
  repository: { root: string; branch: string | null };
  /**
   * Number of files that are in no commit, so a new sprint does not have them. The sprint's own documents do not count.
   * Undefined where git failed.
   */
  uncommitted: number | undefined;
}

/** Collects everything that a person wants to know before a start. Writes nothing. @throws InputError where it cannot start. */
export async function inspectSprint(sprintDir: string, overrides: Overrides): Promise<Inspection> {
  const { inputs, repository } = await prepareStart(sprintDir, overrides);
  const state = await readSprint(sprintDir);
  const resumes = state !== undefined && goesOn(state);
  const { root, branch } = repository;
  const config = resumes ? configAfter(state, overrides) : inputs.config;
  const reading = resumes ? { ...inputs.reading, ...readThen(state) } : inputs.reading;
  const uncommitted = resumes ? 0 : await uncommittedBeside(inputs, repository);
  const typical = await typicalCost(sprintDir);
  return { reading, config, bound: bound(config), typical, resumes, repository: { root, branch }, uncommitted };
}

async function modelsToAsk({ sprintDir, overrides }: SprintOptions, { inputs }: Start): Promise<Config['models']> {
  const state = await readSprint(sprintDir);
  return state && goesOn(state) ? modelsAfter(state, overrides) : inputs.config.models;
}

/** A sprint or session that goes on keeps what it opened with, but for what the person grants now (I6). */
export function configAfter({ config, ledger: { budget } }: State, overrides: Overrides): Config {
  const all = (some: readonly string[], more: readonly string[] = []): string[] => [...new Set([...some, ...more])];
  return {
    ...config,
    budgetUsd: Math.max(budget.usd, overrides.budgetUsd ?? 0),
    budgetTokens: Math.max(budget.tokens, overrides.budgetTokens ?? 0),
    maxHours: Math.max(budget.hours, overrides.maxHours ?? 0),
    environment: all(config.environment, overrides.environment),
    allowedHosts: all(config.allowedHosts, overrides.allowedHosts),
    docker: config.docker || overrides.docker === true,
    models: modelsAfter({ config }, overrides),
  };
}

function modelsAfter({ config }: Pick<State, 'config'>, { models }: Overrides): Config['models'] {
  return { ...config.models, ...models };
}

function readThen({ work: { requirements, descoped, constraints } }: State): Partial<Reading> {
  if (requirements.length === 0) return {};
  const all = [...requirements, ...descoped.map(({ requirement }) => requirement)];
  return { requirements: all.filter(({ line }) => line > 0), constraints: [...constraints], background: [], problems: [] };
}

/** Whether a sprint that was begun in this folder goes on. */
export async function isUnfinished(sprintDir: string): Promise<boolean> {
  const state = await readSprint(sprintDir);
  return state !== undefined && goesOn(state);
}

/** Leaves out the documents, which the sprint reads itself, and `.loop`, which is never committed. */
async function uncommittedBeside({ documents }: Inputs, repository: Repository): Promise<number | undefined> {
  const at = (name: string): string => (repository.sprint === '' ? name : `${repository.sprint}/${name}`);
  const own = documents.map(({ name }) => at(name));
  const paths = await uncommittedIn(repository);
  return paths?.filter((path) => !own.includes(path) && !path.startsWith(at('.loop/'))).length;
}

/** Reads the state from the journal, without the lock. Undefined where no sprint was started. */
export async function readSprint(sprintDir: string): Promise<State | undefined> {
  const { events } = await readJournal(journalPath(sprintDir));
  return events.length === 0 ? undefined : fold(events);
}

export function journalPath(sprintDir: string): string {
  return join(sprintDir, '.loop', journalName);
}

/**
 * Opens a new sprint or resumes the existing one, and runs it until it stops.
 * @throws InputError before anything began; Interruption when it had to stop in the middle and can be resumed.
 */
export async function runSprint(options: SprintOptions): Promise<{ ending: Ending; state: State }> {
  const start = await prepareStart(options.sprintDir, options.overrides);
  await options.ready?.({ ...start.inputs.config, models: await modelsToAsk(options, start) });
  const lock = await acquireLock(options.sprintDir, options.patience);
  try {
    await archiveClosed(options, start.repository);
    const folder = await openLoopFolder(options.sprintDir);
    await removeTemporaries(folder);
    const journal = await openJournal(journalPath(options.sprintDir));
    try {
      return await run(options, { ...start, journal, payloads: openPayloads(folder), folder });
    } finally {
      await journal.close();
    }
  } finally {
    await lock.release();
  }
}

interface Start {
  inputs: Inputs;
  repository: Repository;
}
interface Opening extends Start {
  journal: OpenJournal;
  payloads: Payloads;
  folder: string;
}

async function prepareStart(sprintDir: string, overrides: Overrides): Promise<Start> {
  const inputs = await readInputs(sprintDir, overrides, undefined, () => isUnfinished(sprintDir));
  const repository = await inspectRepository(sprintDir);
  if (!(await isUnfinished(sprintDir))) await baseOf(repository);
  await requireSandbox();
  return { inputs, repository };
}

/** @throws InputError where commands cannot be run in a sandbox. */
export async function requireSandbox(): Promise<void> {
  const problem = await sandboxProblem();
  if (problem) throw new InputError('Commands cannot be run in a sandbox here, and Loop never runs them without one.', problem);
}

async function run(options: SprintOptions, opening: Opening): Promise<{ ending: Ending; state: State }> {
  const { payloads, folder } = opening;
  const shelf = openShelf(folder);
  const verifications = createVerificationFiles(shelf, payloads);
  const renderings = createRenderings(shelf, payloads, verifications);
  const onEvent = (event: Event, state: State): void => {
    renderings.follow(event, state);
    options.onEvent(event, state);
  };
  const kernel = await openKernel(options, { ...opening, verifications }, onEvent);
  options.onOpen?.(kernel);
  const letters = await takeLetters(options.sprintDir, kernel);
  const watch = await followDocuments(options.sprintDir, kernel, (text) => options.onProgress({ kind: 'note', text }));
  try {
    return { ending: await loop(kernel, table), state: kernel.state };
  } finally {
    watch.close();
    options.model.close?.();
    await letters.close();
    await renderings.done();
  }
}

async function openKernel(
  options: SprintOptions,
  opening: Opening & { verifications: VerificationFiles },
  onEvent: (event: Event, state: State) => void,
): Promise<Kernel> {
  const { journal, payloads, verifications, repository } = opening;
  const clock = options.clock ?? systemClock;
  const isNew = journal.events.length === 0;
  if (isNew) requireDocuments(options.sprintDir, opening.inputs);
  const first = isNew ? await openRun(opening, clock) : undefined;
  const state = first ? opened(first) : fold(journal.events);
  if (!isNew) await requireOpenedHere(repository.root, state.opened, journal.firstLine);
  // Must be on disk before the ports are created from the state.
  const granted = first ?? (await recordGrants(state, options.overrides, journal, clock));
  const ports = await createPorts({ options, clock, payloads, verifications, journal, repository, state });
  const kernel = createKernel({ state, ports, signal: options.signal, owner: journal.owner, onEvent });
  if (granted) onEvent(granted, state);
  if (!first) {
    // If no decision is open, no agent was at work when a verification was edited.
    const atWork = state.open !== null;
    await resume(kernel);
    await setEditsAside(kernel, atWork);
    await noteOtherInputs(opening, state, options);
  }
  return kernel;
}

async function openRun({ journal, payloads, inputs, repository }: Opening, clock: Clock): Promise<EventOf<'run.opened'>> {
  const { name, config, documents } = inputs;
  const at = clock.now();
  const own = await claimBranch(repository, name, at);
  const refs = await Promise.all(documents.map(async (d) => ({ name: d.name, ref: await payloads.put(d.text) })));
  const event: EventOf<'run.opened'> = {
    n: firstNumber,
    owner: journal.owner,
    at,
    type: 'run.opened',
    kind: 'sprint',
    sprint: name,
    config,
    sizes: openingSizes(config),
    rules: presentRules,
    inputs: refs,
    base: await baseOf(repository),
    ...own,
  };
  await rememberOpening(repository.root, event);
  await journal.append(event);
  return event;
}

/** Records what a person grants when they resume: the only way to raise a limit of the opening (I6). */
export async function recordGrants(
  state: State,
  overrides: Overrides,
  journal: OpenJournal,
  clock: Clock,
): Promise<EventOf<'person.said'> | undefined> {
  const facts = [...budgetRaised(state, overrides), ...accessGranted(state, overrides), ...modelsChosen(state, overrides)];
  if (facts.length === 0) return undefined;
  const event: EventOf<'person.said'> = {
    n: state.n + 1,
    owner: journal.owner,
    at: clock.now(),
    type: 'person.said',
    facts,
  };
  await journal.append(event);
  advance(state, event);
  return event;
}

/** The budget only rises: a lower value than the current one has no effect. */
function budgetRaised({ ledger: { budget } }: State, { budgetUsd, budgetTokens, maxHours }: Overrides): Fact[] {
  const raised = { usd: budgetUsd ?? budget.usd, tokens: budgetTokens ?? budget.tokens, hours: maxHours ?? budget.hours };
  const isHigher = (['usd', 'tokens', 'hours'] as const).some((what) => raised[what] > budget[what]);
  return isHigher ? [{ fact: 'budget.raised', ...raised }] : [];
}

function accessGranted({ config }: State, overrides: Overrides): Fact[] {
  const environment = [...new Set(overrides.environment)].filter((name) => !config.environment.includes(name));
  const docker = overrides.docker === true && !config.docker;
  const allowedHosts = [...new Set(overrides.allowedHosts)].filter((host) => !config.allowedHosts.includes(host));
  const hosts = allowedHosts.length > 0 ? { allowedHosts } : {};
  return environment.length > 0 || docker || allowedHosts.length > 0 ? [{ fact: 'access.granted', environment, docker, ...hosts }] : [];
}

function modelsChosen(state: State, overrides: Overrides): Fact[] {
  const [now, models] = [state.config.models, modelsAfter(state, overrides)];
  const isOther = (Object.keys(models) as (keyof typeof models)[]).some((tier) => models[tier] !== now[tier]);
  return isOther ? [{ fact: 'models.chosen', models }] : [];
}

/** What the person cannot take over has no effect on an open sprint, nor what is missing, so they get a note. */
async function noteOtherInputs({ inputs, payloads }: Opening, state: State, options: SprintOptions): Promise<void> {
  const note = (text: string): void => options.onProgress({ kind: 'note', text });
  for (const { name, ref } of state.opened.inputs) {
    const now = inputs.documents.find((d) => d.name === name)?.text;
    if (now === undefined) note(`${name} is not there, as on another branch; the sprint goes on with the text that it has.`);
    else if (!isRevisable(name) && now !== (await payloads.get(ref)))
      note(`${name} was changed since the sprint opened; it goes on with the text that it opened with.`);
  }
}

/** Archives a sprint that ended, so that a new one can start. @throws InputError where its worktree has changes in no commit. */
async function archiveClosed(options: SprintOptions, repository: Repository): Promise<void> {
  const { sprintDir } = options;
  const state = await readSprint(sprintDir);
  if (!state || goesOn(state)) return;
  if (!state.ledger.finished) {
    const repo = await openRepo(repository, state);
    const paths = await repo.uncommitted();
    if (paths.length > 0)
      throw new InputError(
        `The worktree of the previous sprint has changes that are in no commit: ${listPaths(paths)}.`,
        `Commit them in ${repo.path}, or undo them there, then start again.`,
      );
    await repo.removeWorktree();
    options.onProgress({ kind: 'note', text: `The work of the previous sprint stays on ${state.opened.branch}.` });
  }
  const loopFolder = join(sprintDir, '.loop');
  const target = join(loopFolder, 'archive', state.opened.branch.replace('loop/', ''));
  await mkdir(target, { recursive: true });
  const others = (await readdir(loopFolder)).filter((name) => !keptNames.has(name));
  for (const name of others) await rename(join(loopFolder, name), join(target, name));
  // The journal moves last: until then this is still the current sprint, so a crash loses nothing.
  await rename(join(loopFolder, journalName), join(target, journalName));
}

const journalName = 'journal.jsonl';
const keptNames = new Set([...foreignNames, '.gitignore', journalName]);
