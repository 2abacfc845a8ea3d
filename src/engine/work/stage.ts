/**
 * A stage is one prompt that fresh sessions get again and again, with the rule that ends it. A pipeline is a row of nodes, each
 * of which runs a stage, is another pipeline, or runs stages side by side.
 */
import * as z from 'zod';
import { InputError } from '../ground/errors.ts';
import { globMatcher } from '../ground/glob.ts';
import { ownName, providerOf } from '../ground/model-names.ts';
import { looksSecret } from '../ground/secret-names.ts';
import { stageNamePattern, stageNameWords } from '../ground/stage-name.ts';

/** Sizes that hold where a file gives none, and that no file of a repository may exceed. */
export const usualGuardrails = { max_iterations: 25, max_runtime_seconds: 7200 };
/** What no file may exceed. */
const highest = { iterations: 200, seconds: 86_400 };

export const stageName = z.string(`give a name of ${stageNameWords}`).regex(stageNamePattern, `give a name of ${stageNameWords}`);

const count = z.int('give a whole number').min(1, 'give a number above 0');
const iterations = count.max(highest.iterations, `give at most ${highest.iterations}`);

/** A path or glob of the repository, relative to its root, without `.` in it. */
const pathInside = z
  .string('give a path')
  .trim()
  .min(1, 'give a path')
  .max(300, 'give a path of at most 300 characters')
  .refine((path) => !/^[/\\~]|^[a-z]:|\\|\0/i.test(path) && !path.split('/').includes('..'), 'give a path inside the repository, with "/"')
  .refine(
    (path) => !path.split('/').some((name) => ['.git', '.loop', '.vscode', '.idea', runFolder].includes(name.toLowerCase())),
    'agents get and write nothing there',
  )
  .transform((path) =>
    path
      .split('/')
      .filter((name) => name !== '.')
      .join('/'),
  );

const globInside = pathInside
  .refine((glob) => glob !== '', 'give a path, or `**` for all files')
  .refine(isGlob, 'use fewer braces: they stand for too many patterns');

function isGlob(glob: string): boolean {
  try {
    globMatcher(glob);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** One file; `${SESSION}` may stand in its path. */
const fileInside = pathInside
  .transform((path) => path.replaceAll(/\/{2,}/g, '/'))
  .refine((path) => path !== '' && !path.endsWith('/'), 'give the path of a file, not of a folder')
  .refine((path) => !/[*?{}]/.test(path.replaceAll('${SESSION}', '')), 'give one path, without * ? { }; only ${SESSION} may stand in it')
  .refine(
    (path) => !looksSecret(path),
    'give another name: this one says that the file holds a key or a password, which Loop never commits',
  );

/** Folder in the worktree with what the engine gives to a stage and takes from it. Git never sees it. */
export const runFolder = '.loop-run';

const command = (whatToGive: string) =>
  z.string(whatToGive).trim().min(1, whatToGive).max(2000, 'give at most 2000 characters, and put the rest into a script');

const termination = z
  .discriminatedUnion(
    'type',
    [
      z.strictObject({
        type: z.literal('judgment').describe('Ends when so many iterations in a row decide to stop.'),
        min_iterations: iterations.default(2).describe('It does not end before so many.'),
        consensus: iterations.default(2).describe('So many iterations in a row must decide to stop.'),
        verify: command('give a command that passes once the work is good')
          .optional()
          .describe('A stop counts only where this command then passes.'),
      }),
      z.strictObject({
        type: z.literal('queue').describe('Ends when its command prints nothing.'),
        command: command('give a command that prints what is left').describe('Prints what is left to do. It runs before every iteration.'),
      }),
      z.strictObject({ type: z.literal('fixed').describe('Ends after exactly max_iterations.') }),
    ],
    'give a type, as in `termination: { type: judgment }`: judgment, queue or fixed',
  )
  .describe('What ends the stage: judgment of its agents, an empty queue, or a fixed number of iterations.');

const guardrails = z.strictObject(
  {
    max_iterations: iterations.default(usualGuardrails.max_iterations).describe('At most so many iterations.'),
    max_runtime_seconds: count
      .max(highest.seconds, `give at most ${highest.seconds}`)
      .default(usualGuardrails.max_runtime_seconds)
      .describe('No iteration begins after so many seconds.'),
  },
  'give fields, as in `guardrails: { max_iterations: 6 }`',
);

const wantsModel = 'give the name of a model, as in `model: claude-opus-5-5` or `model: editor:vendor/id`';

/** As at a start. Claude may be named with its provider, too, by which the API does not know it. */
const model = z
  .string(wantsModel)
  .trim()
  .max(200, wantsModel)
  .refine((name) => (providerOf(name) === 'editor' ? /^[^\s/]+\/\S+$/ : /^\S+$/).test(ownName(name)), wantsModel)
  .transform((name) => (providerOf(name) === 'editor' ? name : ownName(name)))
  .optional();

const tier = z
  .enum(['reasoning', 'execution', 'triage'], 'give reasoning, execution or triage')
  .describe('Which model works: that for reasoning, for execution or for triage.');
const effort = z.enum(['low', 'medium', 'high', 'max'], 'give low, medium, high or max').optional().describe('How hard the model thinks.');
const version = z.literal(1, 'give 1, or leave it out').default(1).describe('The version of the format.');
const description = z
  .string('give a sentence')
  .trim()
  .max(500, 'give at most 500 characters')
  .default('')
  .describe('What it is for, in a sentence. Lists show it.');

/** Of the fields and of their names, which alone can be wrong beside the commands. */
const wantsCommands = `give commands by name, as in \`commands: { test: npm test }\`; a name has ${stageNameWords}`;

/** `stage.yaml`. */
export const stageSpec = z.strictObject({
  version,
  name: stageName.optional().describe('The name of its folder, by which it is found. It may be left out, and says no other name.'),
  description,
  termination,
  guardrails: guardrails.prefault({}).describe('What no run of it exceeds.'),
  writes: z
    .array(globInside, 'give a list of paths, as in `writes: [docs/**]`')
    .max(50, 'give at most 50 paths')
    .default([])
    .describe('Files that its iterations may change, besides the output: paths or globs of the repository.'),
  output: fileInside
    .optional()
    .describe('The file that each iteration writes. ${SESSION} may stand in its path. Left out: one in the run folder.'),
  tier: tier.default('execution'),
  model: model.describe(
    'The model that works, by its name, whatever the tier says. Only a stage of your own folder or of Loop may name one.',
  ),
  effort,
  commands: z
    .record(stageName, command('give a command').nullable(), wantsCommands)
    .default({})
    .describe('Commands that its agents may rely on, by name. One without a command must be given by the pipeline.'),
});
export type StageSpec = z.infer<typeof stageSpec>;

const inputs = z.strictObject(
  {
    from: stageName.describe('The id of a node that runs before.'),
    select: z.enum(['latest', 'all'], 'give latest or all').default('latest').describe('Its last output, or that of each iteration.'),
  },
  'give fields, as in `inputs: { from: plan }`',
);

/** How a node runs its stage. */
const use = {
  max_iterations: iterations.optional().describe('At most so many iterations, and no more than the stage itself allows.'),
  tier: tier.optional().describe('Which model works, in the place of what the stage says.'),
  model: model.describe(
    'The model that works, by its name, in the place of what the stage says. Only a file of your own folder or of Loop may name one.',
  ),
  effort: effort.describe('How hard the model thinks, in the place of what the stage says.'),
};

const node = z.strictObject(
  {
    id: stageName.describe('The name of this node, its own among all nodes.'),
    stage: stageName.optional().describe('The stage that this node runs. A node has one of stage, pipeline and parallel.'),
    pipeline: stageName.optional().describe('The pipeline that this node runs. A node has one of stage, pipeline and parallel.'),
    parallel: z
      .array(
        z.strictObject(
          {
            id: stageName.describe('The name of this stage in the node, its own among all nodes.'),
            stage: stageName.describe('The stage that runs.'),
            ...use,
          },
          'give fields, as in `{ id: quick, stage: elegance }`',
        ),
        'give a list of stages, as in `parallel: [{ id: a, stage: elegance }, { id: b, stage: elegance, tier: triage }]`',
      )
      .min(2, 'give at least two stages')
      .max(8, 'give at most 8 stages')
      .optional()
      .describe('Stages side by side, none of which sees what another left. A node has one of stage, pipeline and parallel.'),
    inputs: inputs.optional().describe('The outputs of an earlier node that this one gets.'),
    ...use,
  },
  'give fields, as in `{ id: plan, stage: improve-plan }`',
);

/** `pipeline.yaml`. */
export const pipelineSpec = z.strictObject({
  version,
  name: stageName
    .optional()
    .describe('The name of its file without .yaml, by which it is found. It may be left out, and says no other name.'),
  description,
  inputs: z
    .array(globInside, 'give a list of paths, as in `inputs: [docs/vision.md]`')
    .max(50, 'give at most 50 paths')
    .default([])
    .describe('Files of your checkout that every iteration may read: paths, folders or globs.'),
  commands: z
    .record(stageName, command('give a command'), wantsCommands)
    .default({})
    .describe('Commands for the agents of all its nodes, by name, in the place of those of a stage.'),
  nodes: z
    .array(node, 'give a list of nodes, as in `nodes: [{ id: plan, stage: improve-plan }]`')
    .min(1, 'give at least one node')
    .max(20, 'give at most 20 nodes, or put some into a pipeline of their own')
    .describe('What runs, in this order.'),
});
export type PipelineSpec = z.infer<typeof pipelineSpec>;
