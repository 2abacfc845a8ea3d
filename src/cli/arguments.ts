/** Parses the command line. A wrong argument throws an InputError that says what is allowed. */
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { config, evidenceLevels, qualifyProfiles, type Config, type Overrides } from '../engine/ground/config.ts';
import { InputError, messageOf } from '../engine/ground/errors.ts';
import { withoutFullStop } from '../engine/ground/text.ts';
import type { TaskChange } from '../engine/person/plan.ts';
import { finishWays, type FinishWay } from '../engine/work/finished.ts';
import { commandNames, optionProblem, options, pipelineVerbs, type Taker } from './options.ts';

export type Command =
  | { name: 'help' }
  | { name: 'version' }
  | {
      name: 'run';
      sprintDir: string;
      model: string;
      record: string | undefined;
      overrides: Overrides;
      json: boolean;
      interactive: boolean;
      awake: boolean;
    }
  | {
      name: 'queue';
      sprintDirs: string[];
      model: string;
      record: undefined;
      overrides: Overrides;
      json: false;
      interactive: false;
      awake: boolean;
    }
  | { name: 'lsp' }
  | { name: 'list'; folder: string; json: boolean }
  | { name: 'mcp'; folder: string }
  | { name: 'clean'; folder: string; remove: string[]; json: boolean }
  | { name: 'new'; sprintDir: string; words: string | undefined; from: string | undefined }
  | { name: 'lint'; sprintDir: string; shelf: string; json: boolean; fix: boolean; strict: boolean }
  | { name: 'status'; sprintDir: string; json: boolean }
  | { name: 'verify'; sprintDir: string; only: string[] | undefined; failed: boolean; json: boolean }
  | { name: 'adopt'; sprintDir: string; id: string | undefined; text: string | undefined; discard: boolean }
  | { name: 'amend'; sprintDir: string; answer: (typeof amendWords)[number] | undefined; points: string[] }
  | { name: 'pause'; sprintDir: string }
  | { name: 'skip'; sprintDir: string; task: string }
  | { name: 'retry'; sprintDir: string; task: string; hint: string }
  | { name: 'approve'; sprintDir: string }
  | { name: 'answer'; sprintDir: string; about: string; answers: string[] }
  | { name: 'change'; sprintDir: string; task: string; change: TaskChange }
  | { name: 'tell'; sprintDir: string; words: string; about: string }
  | PipelineCommand
  | { name: 'guard'; sprintDir: string; on: boolean }
  | { name: 'finish'; sprintDir: string; how: FinishWay; yes: boolean; pullRequest: boolean };

const amendWords = ['take', 'keep', 'stop', 'accept'] as const;

interface PipelineCommand {
  name: 'pipeline';
  verb: (typeof pipelineVerbs)[number];
  /** Pipeline or session; empty where none is needed. */
  target: string;
  session: string | undefined;
  /** Besides those that the pipeline names. */
  inputs: readonly string[];
  mock: string | undefined;
  record: string | undefined;
  awake: boolean;
  /** Name of the repository's folder of stages and pipelines. */
  shelf: string;
  folder: string;
  model: string;
  overrides: Overrides;
  json: boolean;
}

/** @throws InputError */
export function parseCommand(argv: readonly string[]): Command {
  const { values, positionals, given } = parse(argv);
  const [name, folder, third, ...more] = positionals;
  if (values.version || name === 'version') return { name: 'version' };
  if (values.help || name === undefined || name === 'help') return { name: 'help' };
  if (name === 'pipeline') return pipelineOf(values, positionals.slice(1), given);
  if (!isNamed(name)) throw usageError(`There is no command "${name}".`);
  requireTaken(name, given);
  const folders = name === 'run' ? positionals.slice(1) : [folder];
  if (folders.includes(''))
    throw new InputError(`"loop ${name}" was given an empty name for a folder.`, 'Name it, or "." for where you are.');
  if (name === 'lsp') return lspCommand(folder);
  if (name === 'clean' || name === 'list') return repositoryCommand(name, folder, third, values);
  if (name === 'mcp') return mcpCommand(folder, third);
  if (folder === undefined) throw usageError(`"loop ${name}" needs the sprint's folder.`);
  const sprintDir = resolve(folder);
  if (name === 'run' && third !== undefined) return queueCommand(positionals.slice(1), values);
  if (name === 'answer') return { name, sprintDir, about: values.about, answers: positionals.slice(2) };
  if (
    (more.length > 0 && !(name === 'amend' && third === 'accept')) ||
    (third !== undefined && !(withThird as readonly string[]).includes(name))
  )
    throw usageError(`"${more[0] ?? third ?? ''}" is one argument too many.`);
  const { json } = values;
  if (name === 'new') return newCommand(sprintDir, third, values.from);
  if (name === 'status') return { name, sprintDir, json };
  if (name === 'lint') return { name, sprintDir, shelf: values.pipelines, json, fix: values.fix, strict: values.strict };
  if (name === 'verify') return { name, sprintDir, only: values.only, failed: values.failed, json };
  if (name === 'adopt') return { name, sprintDir, id: third, text: hashOf(values.text), discard: values.discard };
  if (name === 'amend') return { name, sprintDir, answer: oneOf('The word after the folder', amendWords, third), points: more };
  if (name === 'skip') return { name, sprintDir, task: taskOf(name, third) };
  if (name === 'retry') return { name, sprintDir, task: taskOf(name, third), hint: values.hint };
  if (name === 'pause' || name === 'approve') return { name, sprintDir };
  if (name === 'change') return { name, sprintDir, task: taskOf(name, third), change: changeOf(values) };
  if (name === 'tell') return { name, sprintDir, words: wordsOf(third), about: values.about };
  if (name === 'guard') return { name, sprintDir, on: oneOf('The word after the folder', ['on', 'off'], third) !== 'off' };
  if (name === 'finish') return finishCommand(sprintDir, wayOf(third), values);
  const { model } = values;
  const record = values.record === undefined ? undefined : resolve(values.record);
  const [interactive, awake] = [!values['non-interactive'], values['keep-awake']];
  return { name, sprintDir, model, record, overrides: overridesOf(values), json, interactive, awake };
}

/** Commands with an argument after the folder. */
const withThird = ['new', 'adopt', 'amend', 'tell', 'skip', 'retry', 'change', 'finish', 'guard'] as const;

function isNamed(name: string): name is (typeof commandNames)[number] {
  return commandNames.some((one) => one === name);
}

/** What another command takes would be lost without a word. @throws InputError */
function requireTaken(taker: Taker, given: readonly string[]): void {
  for (const name of given) {
    const problem = optionProblem(taker, name);
    if (problem !== undefined) throw usageError(problem);
  }
}

function newCommand(sprintDir: string, words: string | undefined, from: string | undefined): Command {
  if (words !== undefined && from !== undefined) throw usageError('Give the words or --from, not both.');
  return { name: 'new', sprintDir, words, from };
}

function finishCommand(sprintDir: string, how: FinishWay, { yes, 'pull-request': pullRequest }: Values): Command {
  if (pullRequest && how !== 'keep')
    throw usageError('--pull-request goes with keep: the branch stays, and the request asks for its merge.');
  return { name: 'finish', sprintDir, how, yes, pullRequest };
}

function lspCommand(extra: string | undefined): Command {
  if (extra !== undefined) throw usageError(`"${extra}" is one argument too many.`);
  return { name: 'lsp' };
}

function queueCommand(folders: readonly string[], values: Values): Command {
  const sprintDirs = folders.map((folder) => resolve(folder));
  const twice = sprintDirs.find((dir, index) => sprintDirs.indexOf(dir) !== index);
  if (twice !== undefined) throw usageError(`${twice} is named twice.`);
  if (values.json) throw usageError('Journals of several sprints would stand in one stream; give --json with one sprint.');
  if (values.record !== undefined) throw usageError('A recording is of one sprint; give --record with one sprint.');
  return {
    name: 'queue',
    sprintDirs,
    model: values.model,
    record: undefined,
    overrides: overridesOf(values),
    json: false,
    interactive: false,
    awake: values['keep-awake'],
  };
}

function mcpCommand(folder = '.', extra: string | undefined): Command {
  if (extra !== undefined) throw usageError(`"${extra}" is one argument too many.`);
  return { name: 'mcp', folder: resolve(folder) };
}

function repositoryCommand(name: 'clean' | 'list', folder = '.', surplus: string | undefined, { remove, json }: Values): Command {
  if (surplus !== undefined) throw usageError(`"${surplus}" is one argument too many.`);
  const common = { folder: resolve(folder), json };
  return name === 'list' ? { name, ...common } : { name, ...common, remove };
}

function pipelineOf(values: Values, [what, target = '', ...more]: readonly string[], given: readonly string[]): PipelineCommand {
  const verb = pipelineVerbs.find((one) => one === what);
  if (!verb) throw usageError(`"loop pipeline" needs one of ${pipelineVerbs.join(', ')}.`);
  requireTaken(`pipeline ${verb}`, given);
  if (target === '' && verb !== 'list' && verb !== 'status')
    throw usageError(`"loop pipeline ${verb}" needs the name of a ${verb === 'resume' ? 'session' : 'pipeline'}.`);
  const surplus = verb === 'list' && target !== '' ? target : more[0];
  if (surplus !== undefined) throw usageError(`"${surplus}" is one argument too many.`);
  const { session, input: inputs, mock, in: folder, pipelines: shelf, model, json } = values;
  const record = values.record === undefined ? undefined : resolve(values.record);
  const [overrides, awake] = [overridesOf(values), values['keep-awake']];
  return { name: 'pipeline', verb, target, session, inputs, mock, record, awake, shelf, folder, model, overrides, json };
}

/** `given`: the names of the options that stand there. */
function parse(argv: readonly string[]) {
  const always = { help: { type: 'boolean', default: false }, version: { type: 'boolean', default: false } } as const;
  try {
    const parsed = parseArgs({
      args: joined(argv),
      options: { ...options, ...always },
      allowPositionals: true,
      strict: true,
      tokens: true,
    });
    return { ...parsed, given: parsed.tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])) };
  } catch (error) {
    throw usageError(`${withoutFullStop(messageOf(error))}.`);
  }
}

/** A negative number after a flag would count as another flag, and be refused in words about flags. */
function joined(argv: readonly string[]): string[] {
  const args = [...argv];
  for (let at = 0; at + 1 < args.length; at += 1) {
    if (Object.hasOwn(amounts, args[at] ?? '') && /^-[\d.]/.test(args[at + 1] ?? '')) args.splice(at, 2, `${args[at]}=${args[at + 1]}`);
  }
  return args;
}

/** Flags with a number, and what it may be. */
const amounts = {
  '--budget-usd': { shape: config.shape.budgetUsd, of: 'US dollars', such: '25 or 2.50' },
  '--budget-tokens': { shape: config.shape.budgetTokens, of: 'tokens', such: '20000000' },
  '--max-hours': { shape: config.shape.maxHours, of: 'hours', such: '8 or 0.5' },
  '--max-iterations': { shape: config.shape.maxLoopIterations, of: 'decisions or iterations', such: '200' },
} as const;

const networks = ['none', 'registries', 'installs', 'all'] as const;

type Values = ReturnType<typeof parse>['values'];

function overridesOf(values: Values): Overrides {
  return {
    models: modelsOf(values.models),
    budgetUsd: numberOf('--budget-usd', values['budget-usd']),
    budgetTokens: numberOf('--budget-tokens', values['budget-tokens']),
    maxHours: numberOf('--max-hours', values['max-hours']),
    maxLoopIterations: numberOf('--max-iterations', values['max-iterations']),
    network: oneOf('--network', networks, values.network),
    evidence: oneOf('--evidence', evidenceLevels, values.evidence),
    qualify: oneOf('--qualify', qualifyProfiles, values.qualify),
    allowedHosts: values['allow-host'],
    environment: values.env,
    approvePlan: values['approve-plan'] || undefined,
    docker: values.docker || undefined,
  };
}

/** Of the kinds of work that are named. */
function modelsOf(texts: readonly string[] | undefined): Overrides['models'] {
  if (!texts) return undefined;
  const models: Partial<Config['models']> = {};
  for (const text of texts) {
    const [, kind, name = ''] = /^(?:(\w+)=)?(\S*)$/.exec(text) ?? [];
    const kinds = kind === undefined ? tiers : tiers.filter((one) => one === kind);
    if (kinds.length === 0 || name === '')
      throw usageError(`--models is "${text}"; give the name of a model, or ${tiers.map((one) => `${one}=NAME`).join(', ')}.`);
    for (const one of kinds) models[one] = name;
  }
  return models;
}

const tiers = ['reasoning', 'execution', 'triage'] as const;

function oneOf<T extends string>(flag: string, allowed: readonly T[], text: string | undefined): T | undefined {
  const chosen = allowed.find((one) => one === text);
  if (text !== undefined && !chosen) throw usageError(`${flag} is "${text}"; it is one of ${allowed.join(', ')}.`);
  return chosen;
}

function numberOf(flag: keyof typeof amounts, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const { shape, of, such } = amounts[flag];
  const value = /^\d+(\.\d+)?$/.test(text) ? shape.safeParse(Number(text)).data : undefined;
  if (value !== undefined) return value;
  const whole = flag === '--budget-usd' || flag === '--max-hours' ? 'a number' : 'a whole number';
  const given = text.trim() === '' ? 'has no value' : `is "${text}"`;
  throw usageError(`${flag} ${given}; give ${whole} of ${of} above 0 and at most ${shape.maxValue ?? ''}, in digits, such as ${such}.`);
}

/** The hash by which the person names a text; a prefix of at least 12 digits is enough. */
function hashOf(text: string | undefined): string | undefined {
  if (text !== undefined && !/^[0-9a-f]{12,64}$/.test(text)) throw usageError(`--text is "${text}"; give the hash that is shown with it.`);
  return text;
}

function taskOf(name: string, task: string | undefined): string {
  if (task === undefined) throw usageError(`"loop ${name}" needs the id of a task, such as T2, after the folder.`);
  return task;
}

function changeOf({ title, description, value, acceptance, before }: Values): TaskChange {
  return { title, description, value, acceptance, before };
}

function wordsOf(words: string | undefined): string {
  if (words === undefined) throw usageError('"loop tell" needs what you say, in quotes, after the folder.');
  return words;
}

function wayOf(how: string | undefined): FinishWay {
  const way = finishWays.find((w) => w === how);
  if (!way) throw usageError(`"loop finish" needs one of ${finishWays.join(', ')}.`);
  return way;
}

function usageError(message: string): InputError {
  return new InputError(message, 'See "loop help".');
}
