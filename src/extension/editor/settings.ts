/** The person's settings as overrides of the engine's config. Workspace settings do not count: they are repository files (I6). */
import * as vscode from 'vscode';
import type { Config, Overrides } from '../../engine/ground/config.ts';
import { usualHours } from '../../engine/ground/hours.ts';

/** One setting for each field of the engine's config; `models` has three of its own. */
const fields = {
  maxLoopIterations: true,
  maxTaskAttempts: true,
  maxFixAttempts: true,
  maxFixesPerSignature: true,
  budgetUsd: true,
  budgetTokens: true,
  maxHours: true,
  commandTimeout: true,
  verificationTimeout: true,
  verificationParallelism: true,
  regressionTimeout: true,
  vrcInterval: true,
  network: true,
  allowedHosts: true,
  environment: true,
  evidence: true,
  qualify: true,
  approvePlan: true,
  docker: true,
} satisfies Record<Exclude<keyof Config, 'models'>, true>;

/** Only settings that the person set; the engine has defaults for the others, and validates the values. */
export function overridesFromSettings(): Overrides {
  const given = Object.keys(fields).map((name) => [name, userValue(name)] as const);
  const models = modelsFromSettings();
  return { ...Object.fromEntries(given.filter(([, value]) => value !== undefined)), ...(models ? { models } : {}) };
}

/** How long a sprint may run, by the setting or its default. */
export function hoursFromSettings(): number {
  return Number(userValue('maxHours') ?? usualHours);
}

/** The name of a repository's folder of stages and pipelines. */
export function pipelinesFolder(): string {
  return textOf(userValue('pipelinesFolder')).trim() || 'pipelines';
}

/** The address of the API, or null for its default. */
export function baseUrlFromSettings(): string | null {
  const value = userValue('baseUrl');
  return (typeof value === 'string' && value.trim()) || process.env['ANTHROPIC_BASE_URL'] || null;
}

/** Claude's models, by the settings or their defaults. */
export function claudeModels(): Config['models'] {
  const shown = vscode.workspace.getConfiguration('loop.models');
  const chosen = (name: keyof Config['models']): string => textOf(userValue(`models.${name}`) ?? shown.inspect(name)?.defaultValue);
  return { reasoning: chosen('reasoning'), execution: chosen('execution'), triage: chosen('triage') };
}

function modelsFromSettings(): Config['models'] | undefined {
  const given = {
    reasoning: userValue('models.reasoning'),
    execution: userValue('models.execution'),
    triage: userValue('models.triage'),
  };
  return Object.values(given).every((value) => value === undefined) ? undefined : claudeModels();
}

/** The engine refuses an empty name and explains why. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** How the editor's agents get what may be asked about sprints. */
export function agentToolsFromSettings(): string {
  return textOf(userValue('agentTools')) || 'editor';
}

/** Whether the machine is kept awake while something runs: `ask`, `always` or `never`. */
export function keepAwakeFromSettings(): string {
  return textOf(userValue('keepAwake')) || 'ask';
}

/** How the person is told outside of the window. A repository must never choose a command. */
export function attentionFromSettings(): { command: string; sound: boolean } {
  return { command: textOf(userValue('notifyCommand')).trim(), sound: userValue('sound') === true };
}

/** Undefined when the person set nothing. Null means the same, in settings whose default depends on the machine. */
function userValue(name: string): unknown {
  return vscode.workspace.getConfiguration('loop').inspect(name)?.globalValue ?? undefined;
}
