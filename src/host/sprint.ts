/**
 * A sprint on this machine: qualifies the start, takes the lock, opens or resumes the journal, puts the ports together and
 * runs the engine's loop. The same for the editor's worker and for the command line.
 */
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config, Overrides } from '../engine/ground/config.ts';
import { InputError } from '../engine/ground/errors.ts';
import type { Event, EventOf } from '../engine/state/events.ts';
import type { Desk } from '../engine/person/desk.ts';
import { setEditsAside } from '../engine/person/edits.ts';
import { advance, fold, goesOn, opened } from '../engine/core/fold.ts';
import { bound, openingSizes } from '../engine/state/fuel.ts';
import { createKernel, type Kernel } from '../engine/kernel.ts';
import { loop } from '../engine/loop.ts';
import type { Clock, Payloads, VerificationFiles } from '../engine/ports.ts';
import { resume } from '../engine/resume.ts';
import type { Ending, State } from '../engine/state/state.ts';
import type { Fact } from '../engine/work/facts.ts';
import type { Requirement } from '../engine/work/requirement.ts';
import { systemClock } from './clock.ts';
import { rememberOpening, requireOpenedHere } from './opened-here.ts';
import { inspectRepository, uncommittedIn, type Repository } from './git/inspect.ts';
import { readInputs, type Inputs } from './read-inputs.ts';
import { firstNumber, openJournal, readJournal, type OpenJournal } from './journal.ts';
import { acquireLock } from './lock.ts';
import { openLoopFolder } from './loop-folder.ts';
import { openPayloads } from './payloads.ts';
import { createRenderings } from './renderings.ts';
import { sandboxProblem } from './sandbox/programs.ts';
import { openShelf } from './shelf.ts';
import { createVerificationFiles } from './verification-files.ts';
import { createWorld, openRepo, type Caller } from './world.ts';

export interface SprintOptions extends Caller {
  /** Key and API, looked at once everything else is known to be right. */
  ready?: ((config: Config) => Promise<void>) | undefined;
  clock?: Clock;
  onEvent(event: Event, state: State): void;
  /** The open record, as soon as there is one: what the person says while the sprint runs goes there. */
  onOpen?: ((desk: Desk) => void) | undefined;
}

export interface Inspection {
  requirements: Requirement[];
  config: Config;
  /** The worst case: decisions, US dollars, tokens. */
  bound: { decisions: number; usd: number; tokens: number };
  /** An unfinished sprint goes on. */
  resumes: boolean;
  repository: { root: string; branch: string | null };
  /**
   * How many files of the checkout are in no commit, and so not in a new sprint; its own inputs left out. undefined where git
   * could not tell.
   */
  uncommitted: number | undefined;
}

/** Everything that is looked at before a start; writes nothing. @throws InputError */
export async function inspectSprint(sprintDir: string, overrides: Overrides): Promise<Inspection> {
  const { inputs, repository } = await qualify(sprintDir, overrides);
  const state = await readSprint(sprintDir);
  const resumes = state !== undefined && goesOn(state);
  const { root, branch } = repository;
  const { requirements, config } = inputs;
  const uncommitted = resumes ? 0 : await uncommittedBeside(inputs, repository);
  return { requirements, config, bound: bound(config), resumes, repository: { root, branch }, uncommitted };
}

/** A sprint brings its own documents along, and keeps its records out of every commit. */
async function uncommittedBeside({ documents }: Inputs, repository: Repository): Promise<number | undefined> {
  const at = (name: string): string => (repository.sprint === '' ? name : `${repository.sprint}/${name}`);
  const own = documents.map(({ name }) => at(name));
  const paths = await uncommittedIn(repository);
  return paths?.filter((path) => !own.includes(path) && !path.startsWith(at('.loop/'))).length;
}

/** The state as the journal has it, without the lock; undefined where no sprint was started. */
export async function readSprint(sprintDir: string): Promise<State | undefined> {
  const { events } = await readJournal(journalPath(sprintDir));
  return events.length === 0 ? undefined : fold(events);
}

/**
 * Opens a new sprint or goes on with the one that is there, until it stops.
 * @throws InputError before anything was begun; Interruption when it had to stop in the middle and can be resumed.
 */
export async function runSprint(options: SprintOptions): Promise<{ ending: Ending; state: State }> {
  const start = await qualify(options.sprintDir, options.overrides);
  await options.ready?.(start.inputs.config);
  const lock = await acquireLock(options.sprintDir);
  try {
    await archiveClosed(options, start.repository);
    const folder = await openLoopFolder(options.sprintDir);
    const journal = await openJournal(journalPath(options.sprintDir), { held: () => lock.held() });
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

async function qualify(sprintDir: string, overrides: Overrides): Promise<Start> {
  const inputs = await readInputs(sprintDir, overrides);
  const repository = await inspectRepository(sprintDir);
  const problem = await sandboxProblem();
  if (problem) throw new InputError('Commands cannot be run in a sandbox here, and Loop never runs them without one.', problem);
  return { inputs, repository };
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
  try {
    return { ending: await loop(kernel), state: kernel.state };
  } finally {
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
  const first = isNew ? await openRun(opening, clock) : undefined;
  const state = first ? opened(first) : fold(journal.events);
  if (!isNew) await requireOpenedHere(repository.root, state.opened, journal.firstLine);
  // On disk before anything is put together from it.
  const said = first ?? (await hear(state, options.overrides, { journal, clock }));
  const ports = await createWorld({ options, clock, payloads, verifications, journal, repository, state });
  const kernel = createKernel({ state, ports, signal: options.signal, owner: journal.owner, onEvent });
  if (said) onEvent(said, state);
  if (!first) {
    // Where nothing is open, no agent was at work when a verification was edited.
    const atWork = state.open !== null;
    await resume(kernel);
    await setEditsAside(kernel, atWork);
    await sayIfChanged(opening, state, options);
  }
  return kernel;
}

async function openRun({ journal, payloads, inputs, repository }: Opening, clock: Clock): Promise<EventOf<'run.opened'>> {
  const { name, config, documents } = inputs;
  const at = clock.now();
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
    inputs: refs,
    base: { commit: repository.head, branch: repository.branch },
    branch: branchName(name, at),
  };
  await rememberOpening(repository.root, event);
  await journal.append(event);
  return event;
}

/** `loop/<sprint>-<yyyymmdd-hhmmss>`, in UTC. */
function branchName(sprint: string, at: number): string {
  const slug =
    sprint
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'sprint';
  const stamp = new Date(at)
    .toISOString()
    .replaceAll(/[-:]|\.\d+Z/g, '')
    .replace('T', '-');
  return `loop/${slug}-${stamp}`;
}

/** What a person who takes it up again gives besides: the one way to raise what it opened with (I6). */
async function hear(
  state: State,
  overrides: Overrides,
  { journal, clock }: { journal: OpenJournal; clock: Clock },
): Promise<EventOf<'person.said'> | undefined> {
  const facts = [...budgetRaised(state, overrides), ...accessGranted(state, overrides)];
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

/** It never falls below what was shown at the start. */
function budgetRaised({ ledger: { budget } }: State, { budgetUsd: usd, budgetTokens: tokens }: Overrides): Fact[] {
  if ((usd ?? 0) <= budget.usd && (tokens ?? 0) <= budget.tokens) return [];
  return [{ fact: 'budget.raised', usd: usd ?? budget.usd, tokens: tokens ?? budget.tokens }];
}

function accessGranted({ config }: State, overrides: Overrides): Fact[] {
  const environment = [...new Set(overrides.environment)].filter((name) => !config.environment.includes(name));
  const docker = overrides.docker === true && !config.docker;
  return environment.length > 0 || docker ? [{ fact: 'access.granted', environment, docker }] : [];
}

/** The sprint goes on with the text that it opened with; the person is told once. */
async function sayIfChanged({ inputs, payloads }: Opening, state: State, options: SprintOptions): Promise<void> {
  for (const { name, ref } of state.opened.inputs) {
    const now = inputs.documents.find((d) => d.name === name)?.text;
    if (now === (await payloads.get(ref))) continue;
    options.onProgress({
      kind: 'note',
      text: `${name} was changed since the sprint opened; it goes on with the text that it opened with.`,
    });
  }
}

/** A sprint that is over makes room for the next. */
async function archiveClosed(options: SprintOptions, repository: Repository): Promise<void> {
  const { sprintDir } = options;
  const state = await readSprint(sprintDir);
  if (!state || goesOn(state)) return;
  if (!state.ledger.finished) {
    await (await openRepo(repository, state)).removeWorktree();
    options.onProgress({ kind: 'note', text: `The work of the sprint before stays on ${state.opened.branch}.` });
  }
  const loopFolder = join(sprintDir, '.loop');
  const target = join(loopFolder, 'archive', state.opened.branch.replace('loop/', ''));
  await mkdir(target, { recursive: true });
  const others = (await readdir(loopFolder)).filter((name) => !stays.has(name));
  for (const name of others) await rename(join(loopFolder, name), join(target, name));
  // Last: until then the sprint is still this one, and a crash loses nothing.
  await rename(join(loopFolder, journalName), join(target, journalName));
}

const journalName = 'journal.jsonl';
const stays = new Set(['archive', '.gitignore', journalName]);

export function journalPath(sprintDir: string): string {
  return join(sprintDir, '.loop', journalName);
}
