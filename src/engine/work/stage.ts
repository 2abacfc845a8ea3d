/**
 * A stage is one prompt that fresh sessions get again and again, with the rule that ends it. A pipeline is a row of nodes, each
 * of which runs a stage, is another pipeline, or runs stages side by side.
 */
import * as z from 'zod';
import { InputError } from '../ground/errors.ts';
import { globMatcher } from '../ground/glob.ts';
import { looksSecret } from '../ground/secret-names.ts';
import { stageNamePattern, stageNameWords } from '../ground/stage-name.ts';

/** Sizes that hold where a file gives none, and that no file of a repository may exceed. */
export const usualGuardrails = { max_iterations: 25, max_runtime_seconds: 7200 };
/** What no file may exceed. */
const highest = { iterations: 200, seconds: 86_400 };

export const stageName = z.string().regex(stageNamePattern, `give ${stageNameWords}`);

const count = z.int('give a whole number').min(1, 'give a number above 0');
const iterations = count.max(highest.iterations, `give at most ${highest.iterations}`);

/** A path or glob of the repository, relative to its root, without `.` in it. */
const pathInside = z
  .string()
  .trim()
  .min(1, 'give a path')
  .max(300)
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

const command = (whatToGive: string) => z.string().trim().min(1, whatToGive).max(2000);

const termination = z.discriminatedUnion(
  'type',
  [
    /** Ends when this many iterations in a row decide to stop. With `verify`, a stop counts only where this command then passes. */
    z.strictObject({
      type: z.literal('judgment'),
      min_iterations: iterations.default(2),
      consensus: iterations.default(2),
      verify: command('give a command that passes once the work is good').optional(),
    }),
    /** Ends when the command prints nothing. It runs before every iteration. */
    z.strictObject({ type: z.literal('queue'), command: command('give a command that prints what is left') }),
    /** Ends after exactly `max_iterations`. */
    z.strictObject({ type: z.literal('fixed') }),
  ],
  'give a type: judgment, queue or fixed',
);

const guardrails = z.strictObject({
  max_iterations: iterations.default(usualGuardrails.max_iterations),
  /** Looked at when an iteration ends. */
  max_runtime_seconds: count.max(highest.seconds, `give at most ${highest.seconds}`).default(usualGuardrails.max_runtime_seconds),
});

const tier = z.enum(['reasoning', 'execution', 'triage'], 'give reasoning, execution or triage');
const effort = z.enum(['low', 'medium', 'high', 'max'], 'give low, medium, high or max').optional();

/** `stage.yaml`. */
export const stageSpec = z.strictObject({
  version: z.literal(1, 'the version is 1').default(1),
  name: stageName.optional(),
  description: z.string().trim().max(500).default(''),
  termination,
  guardrails: guardrails.prefault({}),
  /** Files that its iterations may change, besides `output`. */
  writes: z.array(globInside).max(50).default([]),
  /** File that each iteration writes; left out: one in the run folder. */
  output: fileInside.optional(),
  tier: tier.default('execution'),
  effort,
  /** Commands that its agents may rely on, by name. One without a command must be given by the pipeline. */
  commands: z.record(stageName, command('give a command').nullable()).default({}),
});
export type StageSpec = z.infer<typeof stageSpec>;

const inputs = z.strictObject({
  /** Id of an earlier node. */
  from: stageName,
  select: z.enum(['latest', 'all'], 'give latest or all').default('latest'),
});

/** How a node runs its stage. */
const use = {
  /** At most as many as the stage itself allows. */
  max_iterations: iterations.optional(),
  /** In the place of the stage's own. */
  tier: tier.optional(),
  effort,
};

const node = z.strictObject({
  id: stageName,
  /** One of these three: a stage, another pipeline, or stages side by side. */
  stage: stageName.optional(),
  pipeline: stageName.optional(),
  parallel: z
    .array(z.strictObject({ id: stageName, stage: stageName, ...use }))
    .min(2, 'give at least two stages')
    .max(8)
    .optional(),
  inputs: inputs.optional(),
  ...use,
});

/** `pipeline.yaml`. */
export const pipelineSpec = z.strictObject({
  version: z.literal(1, 'the version is 1').default(1),
  name: stageName.optional(),
  description: z.string().trim().max(500).default(''),
  /** Files of the person's checkout that every iteration may read: paths, folders or globs. */
  inputs: z.array(globInside).max(50).default([]),
  /** Commands for the agents of all its nodes, by name, in the place of those of a stage. */
  commands: z.record(stageName, command('give a command')).default({}),
  nodes: z.array(node).min(1, 'give at least one node').max(20),
});
export type PipelineSpec = z.infer<typeof pipelineSpec>;
