/** The person's settings as overrides of the engine's config. Only user settings count: workspace settings are repository files (I6). */
import * as vscode from 'vscode';
import type { Config, Overrides } from '../../engine/ground/config.ts';

/** A setting for each field of the engine's config; models have three. */
const fields = {
  maxLoopIterations: true,
  maxTaskAttempts: true,
  maxFixAttempts: true,
  maxFixesPerSignature: true,
  budgetUsd: true,
  budgetTokens: true,
  commandTimeout: true,
  verificationTimeout: true,
  verificationParallelism: true,
  regressionTimeout: true,
  vrcInterval: true,
  network: true,
  environment: true,
  docker: true,
} satisfies Record<Exclude<keyof Config, 'models'>, true>;

/** Only what the person set; everything else keeps the engine's default. The engine checks the values. */
export function overridesFromSettings(): Overrides {
  const given = Object.keys(fields).map((name) => [name, userValue(name)] as const);
  const models = modelsFromSettings();
  return { ...Object.fromEntries(given.filter(([, value]) => value !== undefined)), ...(models ? { models } : {}) };
}

/** Where the API is reached, or null for its own address. */
export function baseUrlFromSettings(): string | null {
  const value = userValue('baseUrl');
  return (typeof value === 'string' && value.trim()) || process.env['ANTHROPIC_BASE_URL'] || null;
}

function modelsFromSettings(): Config['models'] | undefined {
  const given = {
    reasoning: userValue('models.reasoning'),
    execution: userValue('models.execution'),
    triage: userValue('models.triage'),
  };
  if (Object.values(given).every((value) => value === undefined)) return undefined;
  const shown = vscode.workspace.getConfiguration('loop.models');
  const chosen = (name: keyof Config['models']): string => textOf(given[name] ?? shown.inspect(name)?.defaultValue);
  return { reasoning: chosen('reasoning'), execution: chosen('execution'), triage: chosen('triage') };
}

/** The engine says what is wrong with an empty name. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Undefined where the person set none; null stands for that in settings whose default depends on the machine. */
function userValue(name: string): unknown {
  return vscode.workspace.getConfiguration('loop').inspect(name)?.globalValue ?? undefined;
}
