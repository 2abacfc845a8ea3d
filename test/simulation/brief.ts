/** The documents of a simulated sprint, its first files, and the plan that an honest planner makes. `missingIn` is the ground truth. */
import type { Need } from '../../src/engine/work/needs.ts';
import { Random } from './random.ts';
import type { Scenario } from './scenario.ts';
import { manifest } from './world/runner.ts';
import { assignment, read, type Files, type Language } from './world/work.ts';

export interface Feature {
  /** Id of the requirement that asks for it. */
  requirement: string;
  name: string;
  /** The value that the PRD asks for. */
  value: number;
  path: string;
  /** The person's file that holds the value; undefined where the PRD says it. */
  supply: string | undefined;
  /** The PRD asks for a judgement, which no command can make. */
  isCriterion: boolean;
}

export interface PlannedTask {
  id: string;
  features: Feature[];
  after: string[];
}

export interface Brief {
  features: Feature[];
  tasks: PlannedTask[];
  language: Language;
  documents: { name: string; text: string }[];
  /** The files of the repository at the start. */
  files: Files;
  /** The files that the person could supply. */
  supplies: Files;
  /** Needs of the first requirement that the machine does not meet at first. */
  needs: Need[];
}

/** A manifest that depends on this version of the only package. */
export function dependingOn(version: number): string {
  return `{"dependencies":{"abacus":"${version}"}}\n`;
}

export function briefOf(scenario: Scenario): Brief {
  const random = new Random(scenario.seed).fork('brief');
  const features = featuresOf(scenario, random);
  const { language } = scenario;
  const supplied = features.flatMap((f) => (f.supply === undefined ? [] : [[f.supply, `${f.name} ${f.value}\n`]]));
  return {
    features,
    tasks: tasksOf(scenario, features, random.fork('tasks')),
    language,
    documents: [
      { name: 'VISION.md', text: '# Vision\n\nThe clerk sees what to charge.\n' },
      { name: 'PRD.md', text: `# PRD\n\n${features.map((f) => `${f.requirement}. ${titleOf(f)}`).join('\n')}\n` },
    ],
    files: {
      ...(scenario.brownfield ? startOf(features, scenario) : { 'README.md': 'A repository.\n' }),
      ...testsOf(features, scenario),
      ...(scenario.install ? { [manifest]: dependingOn(1) } : {}),
    },
    supplies: { ...(Object.fromEntries(supplied) as Files), ...(scenario.lacking === 'file' ? { [keyFile]: 'a key\n' } : {}) },
    needs: scenario.lacking === 'nothing' ? [] : [needs[scenario.lacking]],
  };
}

/** What is left to do once the person took requirements out of the sprint. */
export function briefWithout(brief: Brief, descoped: readonly string[]): Brief {
  if (descoped.length === 0) return brief;
  const stays = ({ requirement }: Feature): boolean => !descoped.includes(requirement);
  const tasks = brief.tasks
    .map((task) => ({ ...task, features: task.features.filter(stays) }))
    .filter(({ features }) => features.length > 0);
  const isPlanned = (id: string): boolean => tasks.some((task) => task.id === id);
  const ordered = tasks.map((task) => ({ ...task, after: task.after.filter(isPlanned) }));
  return { ...brief, features: brief.features.filter(stays), tasks: ordered };
}

const keyFile = 'supplies/key.txt';
const needs: Record<Exclude<Scenario['lacking'], 'nothing'>, Need> = {
  tool: { kind: 'tool', name: 'abacus', version: '3.1' },
  variable: { kind: 'variable', name: 'ABACUS_KEY' },
  port: { kind: 'port', port: 5432, state: 'listening' },
  disk: { kind: 'disk', megabytes: 100 },
  file: { kind: 'file', path: keyFile },
};

/** The features that do not have their value in these files: the ground truth. */
export function missingIn(brief: Brief, files: Files): Feature[] {
  const { values, broken } = read(files);
  return brief.features.filter((f) => broken !== undefined || values.get(f.name) !== f.value);
}

function featuresOf({ requirements, parts, language, supplied, criterion }: Scenario, random: Random): Feature[] {
  const all = Array.from({ length: requirements + (criterion ? 1 : 0) }, (_, i): Feature => {
    const name = `feature_${i + 1}`;
    return {
      requirement: String(i + 1),
      name,
      value: random.whole(2, 99),
      path: `src/part_${(i % parts) + 1}.${language}`,
      supply: i < supplied ? `supplies/${name}.txt` : undefined,
      isCriterion: i >= requirements,
    };
  });
  return all;
}

function titleOf({ name, value, supply, isCriterion }: Feature): string {
  if (supply !== undefined) return `${name} is what ${supply} says`;
  return isCriterion ? `${name} looks like ${value}` : `${name} is ${value}`;
}

/** Each feature belongs to one task; tasks depend on some before them. */
function tasksOf({ tasks }: Scenario, features: readonly Feature[], random: Random): PlannedTask[] {
  const planned = Array.from({ length: tasks }, (_, i): PlannedTask => {
    const id = `T${i + 1}`;
    const before = Array.from({ length: i }, (__, k) => `T${k + 1}`);
    return { id, features: features.filter((___, k) => k % tasks === i), after: before.filter(() => random.chance(0.3)) };
  });
  return planned;
}

/** A program that exists already and is mostly wrong. */
function startOf(features: readonly Feature[], { language, already }: Scenario): Files {
  const files: Record<string, string> = {};
  for (const [i, { path, name, value }] of features.entries())
    files[path] = `${files[path] ?? ''}${assignment(language, name, i < already ? value : value + 200)}\n`;
  return files;
}

/** A test that contradicts the first requirement, in some scenarios. */
export const contradicting = 'test/unit_first';

/** The repository's own suite, and the file that it tests. */
function testsOf(features: readonly Feature[], { suite, language, brownfield, already }: Scenario): Files {
  const [first] = features;
  if (suite === 'none' || !first) return {};
  const before = brownfield && already === 0 ? first.value + 200 : 'nothing';
  const more = {
    green: {},
    contradicts: { [contradicting]: `expect ${first.name} ${before}\n` },
    red: { 'test/unit_red': 'exit 1\n' },
    flaky: { 'test/unit_flaky': 'flip 0.5\n' },
  }[suite];
  return {
    [`src/legacy.${language}`]: `${assignment(language, 'legacy', 7)}\n`,
    'test/run': 'each test/unit_\n',
    'test/unit_legacy': 'expect legacy 7\n',
    ...more,
  };
}
