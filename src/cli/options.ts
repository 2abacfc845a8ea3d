/** The options of the command line. One table for the parser, for the check of who takes which, and for `loop help`. */
import type { ParseArgsConfig } from 'node:util';

/** Commands, but those of pipelines. */
export const commandNames = [
  'new',
  'run',
  'status',
  'verify',
  'adopt',
  'tell',
  'pause',
  'skip',
  'retry',
  'approve',
  'answer',
  'amend',
  'change',
  'finish',
  'guard',
  'lint',
  'list',
  'clean',
  'mcp',
  'lsp',
] as const;

export const pipelineVerbs = ['run', 'dry-run', 'status', 'resume', 'list'] as const;

export type Taker = (typeof commandNames)[number] | `pipeline ${(typeof pipelineVerbs)[number]}`;

type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  /** The commands that take it. */
  of: readonly Taker[];
  /** What stands after it in the help. */
  value?: string;
  help: string;
};

const works = ['run', 'pipeline run', 'pipeline resume'] as const;
/** A dry run shows the bound that they make. */
const bounds = [...works, 'pipeline dry-run'] as const;

/** In the order of the help, where those of the same commands stand together. */
export const options = {
  model: {
    type: 'string',
    default: 'anthropic',
    of: works,
    value: 'anthropic|recorded:FILE|strict:FILE',
    help: 'Claude (ANTHROPIC_API_KEY), or turns played from a file; strict says where it is asked something else than when it was recorded',
  },
  record: {
    type: 'string',
    of: works,
    value: 'FILE',
    help: "write down the model's turns, to play them again, and what it was asked",
  },
  'keep-awake': { type: 'boolean', default: false, of: works, help: 'keep this machine from going to sleep by itself meanwhile' },
  models: {
    type: 'string',
    multiple: true,
    of: bounds,
    value: 'NAME',
    help: 'the model for all work; or for a kind of it: reasoning=NAME, execution=NAME, triage=NAME; more than once. claude-code:opus and codex:gpt-5 are asked by these programs, with your login of theirs (claude-code:default: the model that they take). On a resume, others take over where a session begins',
  },
  'budget-usd': { type: 'string', of: bounds, value: 'N', help: 'US dollars that it may spend at most; resuming with more raises it' },
  'budget-tokens': { type: 'string', of: bounds, value: 'N', help: 'tokens that it may use at most; resuming with more raises it' },
  'max-hours': {
    type: 'string',
    of: bounds,
    value: 'N',
    help: 'hours that it may run (24), without those in which it waits for you; resuming with more raises it',
  },
  'max-iterations': { type: 'string', of: bounds, value: 'N', help: 'decisions at most; of a pipeline, iterations' },
  network: {
    type: 'string',
    of: bounds,
    value: 'none|registries|installs|all',
    help: 'what its commands may reach; by default your package registries',
  },
  'allow-host': {
    type: 'string',
    multiple: true,
    of: bounds,
    value: 'HOST[:PORT]',
    help: 'a host that they reach besides; more than once',
  },
  env: { type: 'string', multiple: true, of: bounds, value: 'NAME', help: 'a variable of yours that its commands get; more than once' },
  evidence: {
    type: 'string',
    of: ['run'],
    value: 'any|fair|strong',
    help: 'how much a proof must see before its requirement counts (fair)',
  },
  qualify: {
    type: 'string',
    of: ['run'],
    value: 'none|lean|standard|thorough',
    help: 'how much Vision, PRD and plan are judged before anything is built (lean)',
  },
  'approve-plan': { type: 'boolean', default: false, of: ['run'], help: 'stop after the plan and its review, until you approve it' },
  docker: { type: 'boolean', default: false, of: ['run'], help: 'it may start services of your compose file, with --network all' },
  'non-interactive': { type: 'boolean', default: false, of: ['run'], help: 'never ask; stop where a person must act' },
  mock: {
    type: 'string',
    of: ['pipeline run', 'pipeline resume'],
    value: 'DIR',
    help: 'ask no model: outputs and decisions from fixtures in DIR',
  },
  session: {
    type: 'string',
    of: ['pipeline run', 'pipeline dry-run'],
    value: 'NAME',
    help: "name of the run; by default the pipeline's",
  },
  input: {
    type: 'string',
    multiple: true,
    default: [] as string[],
    of: ['pipeline run', 'pipeline dry-run'],
    value: 'PATH',
    help: 'a file, folder or glob that it may read besides; more than once',
  },
  in: {
    type: 'string',
    default: '.',
    of: ['pipeline run', 'pipeline resume', 'pipeline dry-run', 'pipeline status', 'pipeline list'],
    value: 'DIR',
    help: 'folder in the repository; by default the current one',
  },
  pipelines: {
    type: 'string',
    default: 'pipelines',
    of: ['pipeline run', 'pipeline resume', 'pipeline dry-run', 'pipeline list', 'lint'],
    value: 'NAME',
    help: "the repository's folder with your stages and pipelines, if not pipelines",
  },
  fix: {
    type: 'boolean',
    default: false,
    of: ['lint'],
    help: 'write anew what needs no thought in stages and pipelines, such as older forms',
  },
  strict: { type: 'boolean', default: false, of: ['lint'], help: 'a warning counts as an error, too' },
  only: { type: 'string', multiple: true, of: ['verify'], value: 'ID', help: 'this one; may be given more than once' },
  failed: { type: 'boolean', default: false, of: ['verify'], help: 'those that have not passed on the code as it is' },
  json: {
    type: 'boolean',
    default: false,
    of: ['run', 'pipeline run', 'pipeline resume', 'pipeline status', 'pipeline list', 'status', 'verify', 'lint', 'list', 'clean'],
    help: "what it says as JSON; of a run, the journal's lines on standard output, nothing else",
  },
  from: { type: 'string', of: ['new'], value: 'PATH', help: 'from a PRD, or the folder of a specification (spec-kit, Kiro)' },
  text: { type: 'string', of: ['adopt'], value: 'HASH', help: 'you saw the text with this hash: adopt it, do not ask' },
  discard: { type: 'boolean', default: false, of: ['adopt'], help: 'leave the verification as it was; your text stays kept' },
  about: {
    type: 'string',
    default: '',
    of: ['tell', 'answer'],
    value: 'ID',
    help: 'of a word: a task, a requirement or a verification, by default the whole sprint; of an answer: what is asked, such as H1, needed where more than one thing is',
  },
  hint: { type: 'string', default: '', of: ['retry'], value: '"<words>"', help: 'what its next builder should know' },
  title: { type: 'string', of: ['change'], value: '"<words>"', help: 'the new title' },
  description: { type: 'string', of: ['change'], value: '"<words>"', help: 'the new description' },
  value: { type: 'string', of: ['change'], value: '"<words>"', help: 'the new words about who gets what of it' },
  acceptance: { type: 'string', of: ['change'], value: '"<words>"', help: 'the new words about when it is done' },
  before: { type: 'string', of: ['change'], value: 'ID', help: 'build it before that task; "end": last' },
  yes: { type: 'boolean', default: false, of: ['finish'], help: 'do not ask before dropping a branch' },
  'pull-request': {
    type: 'boolean',
    default: false,
    of: ['finish'],
    help: 'with keep: push the branch to origin, and open a pull request by gh or glab',
  },
  remove: {
    type: 'string',
    multiple: true,
    default: [] as string[],
    of: ['clean'],
    value: 'ID',
    help: 'remove this one; "all": everything',
  },
  stdio: { type: 'boolean', default: false, of: ['lsp'], help: 'nothing else: clients of a language server add it' },
} as const satisfies Record<string, Option>;

/** What is wrong with an option of a command; undefined where the command takes it. */
export function optionProblem(taker: Taker, name: string): string | undefined {
  const { of }: Option = options[name as keyof typeof options];
  if (of.includes(taker)) return undefined;
  return `"loop ${taker}" takes no --${name}: it is an option of ${of.map((one) => `"loop ${one}"`).join(', ')}.`;
}

/** The part of the help about options. */
export function optionsHelp(): string {
  const all: [string, Option][] = Object.entries(options);
  const takers = [...new Set(all.map(([, { of }]) => of.join(', ')))];
  return takers
    .map((of) => {
      const these = all.filter(([, option]) => option.of.join(', ') === of);
      return [`Options of ${of}:`, ...these.flatMap(([name, option]) => helpLines(name, option))].join('\n');
    })
    .join('\n\n');
}

const [indent, width] = [38, 76];

function helpLines(name: string, { value = '', help }: Option): string[] {
  const shown = `  --${name} ${value}`;
  const lines = help.match(new RegExp(String.raw`.{1,${width}}(?:\s|$)`, 'g')) ?? [];
  const [first = '', ...rest] = lines.map((line) => line.trimEnd());
  const begun = shown.length < indent ? [shown.padEnd(indent) + first] : [shown, ' '.repeat(indent) + first];
  return [...begun, ...rest.map((line) => ' '.repeat(indent) + line)];
}
