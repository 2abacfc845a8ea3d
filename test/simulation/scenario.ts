/**
 * The parameters of one simulated sprint. Each is drawn from a stream of its own, so that one can be changed, by hand or by
 * shrinking, while the others stay.
 */
import { config as configSchema, type Config } from '../../src/engine/ground/config.ts';
import { Random } from './random.ts';
import { moods, type Mood } from './world/person.ts';
import { troubles as installTroubles } from './world/runner.ts';
import { languages, type Language } from './world/work.ts';

export const kinds = ['honest', 'lazy', 'lying', 'hostile', 'hoarding', 'forgetful', 'crashing', 'rate-limited'] as const;
export type Kind = (typeof kinds)[number];

/** The judge that stays honest in a sprint of liars; with `nobody` there is none, and QC's scripts test nothing. */
export const witnesses = ['nobody', 'assessor', 'evaluator'] as const;

/**
 * The service that the first feature requires: a program of the work that runs from the start, or once it is built; one that
 * now and then dies for no reason; one on the person's machine; one that discovery declares wrongly.
 */
export const services = ['none', 'steady', 'built', 'dying', 'external', 'misdeclared'] as const;

/** The repository's own suite: green, with a test that contradicts a requirement, red, or flaky. */
export const suites = ['none', 'green', 'contradicts', 'red', 'flaky'] as const;

/** What nobody declared and verifications of the first feature cannot do without: only the person can supply it. */
export const faults = ['none', 'tool'] as const;

/** What the machine lacks at first. */
export const lacks = ['nothing', 'tool', 'variable', 'port', 'disk', 'file'] as const;

export interface Scenario {
  seed: number;
  kind: Kind;
  /** The probability of a mistake of an honest model. */
  errorRate: number;
  /** Requirements of the PRD, one feature each. */
  requirements: number;
  /** Tasks that build them; at most as many. */
  tasks: number;
  /** Verifications for each requirement. */
  verifications: number;
  language: Language;
  /** Files that share the features. */
  parts: number;
  /** The files exist at the start, with other values. */
  brownfield: boolean;
  /** Features that hold already. */
  already: number;
  /** One more requirement, which no command can verify. */
  criterion: boolean;
  /** Requirements whose value only the person knows. */
  supplied: number;
  person: Mood;
  lacking: (typeof lacks)[number];
  fault: (typeof faults)[number];
  service: (typeof services)[number];
  suite: (typeof suites)[number];
  /** The judge that is honest in a sprint of liars. */
  witness: (typeof witnesses)[number];
  /** The evaluator ends each of its sessions without a report. */
  silent: boolean;
  /** The work has dependencies from the start. */
  install: boolean;
  /** The task of the first feature changes the dependencies. */
  adds: boolean;
  installs: (typeof installTroubles)[number];
  /** Verifications write to one file, and fail where another one wrote to it. */
  shared: boolean;
  /** Verifications load the work into their own process, where it could end them. */
  inProcess: boolean;
  /** QC writes verifications that look at little: whatever value the work gives, they are green. */
  shallow: boolean;
  /** The documents cannot be met, and the qualifier says so. */
  hopeless: boolean;
  /** Somebody else commits on the sprint's branch while no process runs, and puts it back once they are told. */
  foreign: boolean;
  /** How often the process is killed, and about how many effects lie between. */
  crashes: number;
  crashEvery: number;
  fullDisk: number;
  stops: number;
  /** The number of features that now and then show another value. */
  unsteady: number;
  /** The longest time of a run in seconds. */
  slowest: number;
  /**
   * The probability that a run beside others gets too little time. A fifth of it: that the machine kills any run, gives it no time,
   * or holds a service's port.
   */
  load: number;
  /** The probability that a call meets a rate limit. */
  limited: number;
  config: Partial<Config>;
  /** How often the person raises a budget that was reached. */
  raises: number;
}

export function draw(seed: number): Scenario {
  const random = new Random(seed);
  const on = (name: string): Random => random.fork(name);
  const kind = on('kind').weighted<Kind>({
    honest: 38,
    lazy: 8,
    lying: 29,
    hostile: 14,
    hoarding: 3,
    forgetful: 3,
    crashing: 3,
    'rate-limited': 2,
  });
  const requirements = on('requirements').pick([1, 1, 2, 2, 2, 3, 3, 4, 6]);
  const witness = on('witness').pick(witnesses);
  const errorRate = errorRateOf(kind, on('errors'));
  return {
    seed,
    kind,
    errorRate,
    requirements,
    tasks: on('tasks').whole(1, requirements),
    verifications: on('verifications').pick([1, 1, 2]),
    language: on('language').pick(languages),
    parts: on('parts').whole(1, requirements),
    brownfield: on('brownfield').chance(0.4),
    already: on('already').chance(0.05) ? 1 : 0,
    criterion: (kind !== 'lying' || witness === 'evaluator') && kind !== 'hostile' && kind !== 'lazy' && on('criterion').chance(0.15),
    ...people(on('people')),
    witness,
    silent: on('silent').chance(0.01),
    install: on('install').chance(0.15),
    adds: on('adds').chance(0.1),
    installs: on('installs').chance(0.4) ? on('installs').fork('how').pick(installTroubles) : 'none',
    shared: on('shared').chance(0.2),
    inProcess: on('in process').chance(0.15),
    shallow: on('shallow').chance(shallowness(kind, errorRate)),
    hopeless: on('hopeless').chance(0.01),
    foreign: on('foreign').chance(0.05),
    ...troubles(on('faults')),
    ...limits(on('limits'), kind),
    load: on('load').chance(0.1) ? on('load').fork('how').pick([0.1, 0.2]) : 0,
    lacking: on('lacking').chance(0.12) ? on('lacking').fork('what').pick(lacks) : 'nothing',
    fault: on('fault').chance(0.1) ? 'tool' : 'none',
    service: on('declared').chance(0.02) ? 'misdeclared' : on('service').weighted({ none: 80, steady: 6, built: 6, dying: 5, external: 3 }),
    suite: on('suite').weighted({ none: 78, green: 8, contradicts: 8, red: 3, flaky: 3 }),
  };
}

/**
 * The parameters that a person gives in JSON.
 * @throws where one of them is none: a typing error would test nothing
 */
export function changeOf(json: string): Partial<Scenario> {
  const change = JSON.parse(json) as Partial<Scenario>;
  const known = Object.keys(draw(0));
  const unknown = Object.keys(change).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`There is no parameter "${unknown.join('", "')}"; there are ${known.join(', ')}.`);
  configSchema.partial().parse(change.config ?? {});
  return change;
}

/** The config of the scenario. A service outside of the sandbox can be reached only where the person allows it. */
export function configOf({ config, service }: Scenario): Partial<Config> {
  return service === 'external' ? { ...config, network: 'all', docker: true } : config;
}

/** Whether an honest model can deliver in this world. */
export function isFair(scenario: Scenario): boolean {
  const { supplied, person, already, unsteady, slowest, config, crashes, fullDisk, stops, service, lacking, suite, fault, silent } =
    scenario;
  const isDown = scenario.installs === 'down' && (scenario.install || scenario.adds);
  const lowered = Object.keys(config).length > 0;
  return (
    ((supplied === 0 && lacking === 'nothing' && fault === 'none' && service !== 'external' && !isDown) || person === 'helpful') &&
    service !== 'dying' &&
    suite !== 'flaky' &&
    !silent &&
    !scenario.hopeless &&
    already + unsteady === 0 &&
    slowest < 20 &&
    !lowered &&
    crashes + fullDisk + stops <= 3
  );
}

/** Deceiving models make no mistakes: no machine can find an error in which a verification and a judge agree. */
function errorRateOf(kind: Kind, random: Random): number {
  if (kind === 'honest') return random.pick([0, 0, 0, 0.1, 0.3]);
  return kind === 'lazy' || kind === 'lying' || kind === 'hostile' ? 0 : random.pick([0, 0.1]);
}

/** Lazy and lying QC often looks at little, honest QC where it makes mistakes. */
function shallowness(kind: Kind, errorRate: number): number {
  if (kind === 'lazy' || kind === 'lying') return 0.5;
  return errorRate > 0 ? 0.3 : 0;
}

function people(random: Random): Pick<Scenario, 'supplied' | 'person'> {
  return { supplied: random.chance(0.15) ? 1 : 0, person: random.pick(moods) };
}

type Troubles = 'crashes' | 'crashEvery' | 'fullDisk' | 'stops' | 'unsteady' | 'slowest' | 'limited';

function troubles(random: Random): Pick<Scenario, Troubles> {
  const often = random.chance(0.03);
  return {
    crashes: often ? random.whole(10, 120) : random.chance(0.2) ? random.whole(1, 3) : 0,
    crashEvery: often ? random.whole(4, 30) : random.whole(10, 300),
    fullDisk: random.chance(0.03) ? 1 : 0,
    stops: random.chance(0.03) ? 1 : 0,
    unsteady: random.chance(0.05) ? 1 : 0,
    slowest: random.weighted({ quick: 90, slow: 6, late: 4 }) === 'quick' ? 0.5 : random.pick([10, 70]),
    limited: random.chance(0.03) ? 0.1 : 0,
  };
}

function limits(random: Random, kind: Kind): Pick<Scenario, 'config' | 'raises'> {
  const config: Partial<Config> = {};
  if (random.chance(0.02)) config.maxLoopIterations = random.whole(2, 45);
  if (random.chance(0.02)) config.regressionTimeout = random.whole(1, 5);
  if (random.chance(0.02)) config.verificationParallelism = 1;
  if (random.chance(0.02)) config.maxFixAttempts = random.whole(1, 3);
  if (kind === 'hoarding' ? random.chance(0.8) : random.chance(0.03)) config.budgetUsd = random.whole(1, 6) / 2;
  if (random.chance(0.02)) config.budgetTokens = random.whole(40, 400) * 1000;
  const raises = random.pick([0, 0, 1, 2]);
  if (random.chance(0.08)) config.evidence = 'strong';
  if (random.chance(0.05)) config.approvePlan = true;
  if (random.chance(0.06)) config.qualify = random.pick(['standard', 'thorough'] as const);
  if (random.chance(0.03)) config.maxHours = random.pick([0.002, 0.005, 0.02, 0.2]);
  return { config, raises };
}

/** Smaller scenarios of the same seed, the smallest first. */
export function smaller(scenario: Scenario): Scenario[] {
  const less = (change: Partial<Scenario>): Scenario => ({ ...scenario, ...change });
  const { requirements, crashes } = scenario;
  const fewer = [1, requirements >> 1, requirements - 1].filter((n) => n > 0 && n < requirements);
  const calm: Partial<Scenario>[] = [
    { config: {} },
    { raises: 0 },
    { limited: 0 },
    { load: 0 },
    { slowest: 0.5 },
    { unsteady: 0 },
    { fullDisk: 0 },
    { stops: 0 },
    { crashes: 0 },
    { crashes: 1 },
    { crashes: crashes >> 1 },
    { install: false },
    { adds: false },
    { installs: 'none' },
    { shared: false },
    { inProcess: false },
    { shallow: false },
    { silent: false },
    { hopeless: false },
    { foreign: false },
    { supplied: 0 },
    { criterion: false },
    { already: 0 },
    { brownfield: false },
    { verifications: 1 },
    { parts: 1 },
    { tasks: 1 },
    { errorRate: 0 },
    { person: 'helpful' },
    { lacking: 'nothing' },
    { fault: 'none' },
    { service: 'none' },
    { suite: 'none' },
  ];
  const sized = fewer.map((n) => ({ requirements: n, tasks: Math.min(scenario.tasks, n), parts: Math.min(scenario.parts, n) }));
  return [...sized, ...calm].map(less).filter((candidate) => isLess(candidate, scenario));
}

function isLess(candidate: Scenario, than: Scenario): boolean {
  return JSON.stringify(candidate) !== JSON.stringify(than) && candidate.crashes <= than.crashes;
}
