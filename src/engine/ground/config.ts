/** The configuration of a sprint. What its fields mean is said here once: editors show it, too. */
import * as z from 'zod';
import { mostHours, usualHours } from './hours.ts';

/** `host` or `host:port`: a name or an address, without a scheme. */
export const allowedHost = z
  .string()
  .regex(
    /^([A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(:[1-9]\d{0,4})?$/,
    'give a host such as example.com or localhost:5432',
  )
  .refine(
    (text) => /:\d+$/.test(text) || !/^(localhost$|127\.|\[::1\])/i.test(text),
    'a host of this machine needs its port, such as localhost:5432',
  );

/** Name of an environment variable, as POSIX shells allow it. Its value is never recorded. */
export const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'give the name of a variable, never its value');

const positive = z.number().positive();
const count = z.int().positive();

export const evidenceLevels = ['any', 'fair', 'strong'] as const;

/** How much the documents are looked at before anything is planned. */
export const qualifyProfiles = ['none', 'lean', 'standard', 'thorough'] as const;

export const config = z.strictObject({
  maxLoopIterations: count.max(500).describe('Most decisions of a sprint, whatever its number of tasks.'),
  maxTaskAttempts: count.max(10).describe('Attempts of builders on one task.'),
  maxFixAttempts: count.max(20).describe('Fixes of one verification, and of those that were written in its place.'),
  maxFixesPerSignature: count.max(10).describe('Fixes of one failure of a verification that comes back the same.'),
  budgetUsd: positive.max(10_000).describe('US dollars that a sprint may spend; never unlimited.'),
  budgetTokens: count.max(2_000_000_000).describe('Tokens that a sprint may spend; never unlimited.'),
  maxHours: positive.max(mostHours).describe('Hours that a sprint may run; time in which it waits for you does not count.'),
  commandTimeout: count.max(3600).describe('Seconds for one command of an agent.'),
  verificationTimeout: count.max(3600).describe('Seconds for one verification whose header has no TIMEOUT.'),
  verificationParallelism: count.max(32).describe('Verifications that run at the same time.'),
  regressionTimeout: count.max(3600).describe('Seconds after which no further verification of a change begins.'),
  vrcInterval: count.max(100).describe('Settled changes between two assessments of the value; full and quick ones alternate.'),
  network: z
    .enum(['none', 'registries', 'installs', 'all'])
    .describe(
      'What commands may reach: nothing; the registries of your package managers, through a proxy; everything, but only during an install of dependencies; or everything.',
    ),
  allowedHosts: z.array(allowedHost).max(50).describe('Hosts that commands reach besides the registries.'),
  environment: z.array(variableName).max(50).describe('Names of variables that commands get from your environment.'),
  evidence: z
    .enum(evidenceLevels)
    .describe(
      'How much a proof must show before its requirement counts. any: it can fail because of the work. fair and strong: it also sees enough of the faults that are put into the work.',
    ),
  qualify: z
    .enum(qualifyProfiles)
    .describe(
      'How Vision, PRD and plan are judged before anything is built. none: they are taken as they are. lean: one session judges both documents, one the plan. standard: another one looks closer where one of these raised something. thorough: each lens has a session of its own besides.',
    ),
  approvePlan: z.boolean().describe('The sprint stops after the plan and its review, until you approve the plan.'),
  docker: z.boolean().describe('Loop may start services of your compose file.'),
  models: z
    .strictObject({ reasoning: z.string().min(1), execution: z.string().min(1), triage: z.string().min(1) })
    .describe('The model of each kind of work.'),
});
export type Config = z.infer<typeof config>;

export const defaults: Config = {
  maxLoopIterations: 500,
  maxTaskAttempts: 3,
  maxFixAttempts: 5,
  maxFixesPerSignature: 3,
  budgetUsd: 25,
  budgetTokens: 20_000_000,
  maxHours: usualHours,
  commandTimeout: 120,
  verificationTimeout: 60,
  verificationParallelism: 10,
  regressionTimeout: 120,
  vrcInterval: 6,
  network: 'registries',
  allowedHosts: [],
  environment: [],
  evidence: 'fair',
  qualify: 'lean',
  approvePlan: false,
  docker: false,
  models: { reasoning: 'claude-opus-5-5', execution: 'claude-sonnet-5-5', triage: 'claude-haiku-5-5' },
};

/** What is chosen for a run; of the models only some may be. */
export type Overrides = { [K in Exclude<keyof Config, 'models'>]?: Config[K] | undefined } & {
  models?: Partial<Config['models']> | undefined;
};

/** Defaults that depend on the size of the machine (docs/decisions/0023). */
export type MachineDefaults = Pick<Config, 'verificationParallelism'>;
