/** Creates the engine's ports for one sprint on this machine: repository, worktree, sandbox, journal and person. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireOwnTip } from '../engine/branch.ts';
import type { Config, Overrides } from '../engine/ground/config.ts';
import { givenFiles } from '../engine/parse/givens.ts';
import type { AbortSignal as Signal, Clock, Journal, Model, Payloads, Person, Ports, VerificationFiles } from '../engine/ports.ts';
import type { Progress } from '../engine/ground/progress.ts';
import type { State } from '../engine/state/state.ts';
import type { Repository } from './git/inspect.ts';
import { createBrowser } from './browser/browser.ts';
import { findBrowser } from './browser/find.ts';
import { createDocker } from './docker.ts';
import { openSprintRepo, type SprintRepo } from './git/repo.ts';
import { createEgress, throughEgress } from './egress/egress.ts';
import { tellsLoad } from './sandbox/pressure.ts';
import { launcher } from './launcher/own-launcher.ts';
import { inspectHost } from './sandbox/layout.ts';
import { findSandbox } from './sandbox/programs.ts';
import type { RunnerOptions } from './sandbox/options.ts';
import type { TalkingRunner } from './sandbox/runner.ts';
import { findViewWay, viewWords } from './sandbox/view-ways.ts';
import { worktreeFolder } from './state-folder.ts';
import { createSyntax } from './syntax/syntax.ts';
import { createTree } from './tree-files.ts';
import { createMachine } from './machine.ts';
import { createVariables, type Variables } from './variables.ts';

/** What the caller of a sprint supplies. */
export interface Caller {
  /** Folder with VISION.md and PRD.md. */
  sprintDir: string;
  model: Model;
  person: Person;
  signal: AbortSignal & Signal;
  /** Settings or flags of the person. */
  overrides: Overrides;
  onProgress(item: Progress): void;
}

export interface PortsOptions {
  options: Caller;
  clock: Clock;
  payloads: Payloads;
  verifications: VerificationFiles;
  journal: Journal;
  repository: Repository;
  state: State;
}

export async function createPorts({ options, clock, payloads, verifications, journal, repository, state }: PortsOptions): Promise<Ports> {
  const texts = await Promise.all(state.opened.inputs.map(({ ref }) => payloads.get(ref)));
  const repo = await openRepo(repository, state, options.signal, texts.flatMap(givenFiles));
  // In a new sprint the action `inputs` opens the worktree. A resumed one finds it, or repairs it after a crash.
  if (state.open || state.work.gates.includes('inputs')) {
    await requireOwnTip(state, repo);
    await repo.openWorktree();
  }
  await sayHowViewed(repo, options);
  if (!tellsLoad()) options.onProgress({ kind: 'note', text: byClock });
  const { config } = state;
  const network = stricter(config.network, options.overrides.network);
  const variables = createVariables(config.environment, process.env);
  const runner = createSprintRunner(repo, options.sprintDir, { network, allowedHosts: config.allowedHosts }, variables);
  return {
    clock,
    payloads,
    journal,
    runner,
    docker: createDocker(repository.root, [repo.path]),
    browser: createBrowser(runner, { program: findBrowser([repo.path]), veil: (text) => variables.veil(text) }),
    verifications,
    model: options.model,
    person: options.person,
    tree: createTree(repo, variables),
    machine: createMachine({ worktree: repo.path, network, allowedHosts: config.allowedHosts, variables, runner }),
    syntax: createSyntax(),
    repo,
    progress: (item) => options.onProgress(item),
  };
}

const byClock = 'This system does not tell how long a program waited for the machine, or how busy it is: timeouts count by the clock.';

async function sayHowViewed({ path, views }: SprintRepo, caller: Caller): Promise<void> {
  const text = viewWords(await findViewWay(await findSandbox([path]), views));
  if (text !== undefined) caller.onProgress({ kind: 'note', text });
}

/** The sprint's branch and worktree, for a run or a finish. @param given paths that are nobody's to change, besides the documents. */
export async function openRepo(
  repository: Repository,
  { opened }: State,
  signal?: AbortSignal,
  given?: readonly string[],
): Promise<SprintRepo> {
  const { branch, base, inputs } = opened;
  const documents = inputs.map(({ name }) => name);
  const folder = await worktreeFolder(repository.root, branch);
  const at = { repository, state: folder, branch, base: base.commit, documents, given: given ?? [] };
  return openSprintRepo({ ...at, signal, callGit: launcher.callGit });
}

/** What commands may reach. */
type Access = Pick<Config, 'network' | 'allowedHosts'>;

/** Commands see the worktree but not the sprint's `.loop`: no journal, and no verification except the one that runs. */
export function createSprintRunner(
  repo: SprintRepo,
  sprintDir: string,
  { network, allowedHosts }: Access,
  variables: Variables,
): TalkingRunner {
  const { path: worktree, gitCommonDir } = repo;
  const hidden = [join(sprintDir, '.loop'), repo.packages];
  const runner = launcher.runner({
    worktree,
    gitCommonDir,
    views: repo.views,
    packages: repo.packages,
    hidden,
    fixed: repo.ownDocuments,
    network,
    ...browserCommand([worktree]),
    variables: variables.values,
  });
  return network === 'registries' ? throughEgress(runner, createEgress(inspectHost(process.env), process.env, allowedHosts)) : runner;
}

/** The bundle is built beside the bundle with this file. */
function browserCommand(writable: string[]): Pick<RunnerOptions, 'browser'> {
  const program = findBrowser(writable);
  const command = fileURLToPath(new URL('browser-command.js', import.meta.url));
  return program === undefined ? {} : { browser: { program, command } };
}

/** By network, those that reach less in every respect: `registries` is for all commands, `installs` for one, to any host. */
const less: Record<Config['network'], readonly Config['network'][]> = {
  none: [],
  registries: ['none'],
  installs: ['none'],
  all: ['none', 'registries', 'installs'],
};

/** A person who resumes a sprint may close the network further, but not open it (I6). */
export function stricter(opened: Config['network'], now: Config['network'] | undefined): Config['network'] {
  return now !== undefined && less[opened].includes(now) ? now : opened;
}
