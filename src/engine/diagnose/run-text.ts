/**
 * A run in words. What judges it is the script's output, or the service that kept it from being run; what services printed
 * beside it is evidence for who mends it, and no witness: they may print what they like (I8). Pure (I3).
 */
import type { Finished } from '../work/job.ts';
import type { Work } from '../state/state.ts';
import { excerpt } from '../ground/text.ts';
import type { Runnable } from '../work/verification.ts';
import { causeOf } from './service-cause.ts';
import { requiredBy } from '../services/services.ts';

export interface RunText {
  /** What it is known by. */
  own: string;
  /** With the logs of its services. */
  whole: string;
  /** A service did not come up: the script was not run. */
  isDead: boolean;
}

export function runText(work: Work, verification: Runnable, { output, dead, logs = {} }: Finished): RunText {
  const service = dead && requiredBy(work, verification).find((s) => s.name === dead.name);
  if (!dead || !service) return { own: output, whole: withLogs(output, logs), isDead: false };
  return textOf(deadWords(dead.name, causeOf(service, dead, logs[dead.name] ?? '').why), logs);
}

/** A run that did not begin, because of this service. */
export function textOfDead({ name, why }: { name: string; why: string }, log: string): RunText {
  return textOf(deadWords(name, why), { [name]: log });
}

/** @param limit characters, roughly. Logs take at most half of them: what judges the run is not left out for them. */
export function excerptOf({ own, whole }: Pick<RunText, 'own' | 'whole'>, limit: number): string {
  const logs = whole.slice(own.length);
  const shown = excerpt(own, limit - Math.min(logs.length, limit / 2));
  return shown + excerpt(logs, Math.max(limit - shown.length, limit / 2));
}

/** What of an excerpt is the run's own. */
export function ownOf(text: string): string {
  return text.split(logHead, 1)[0] ?? '';
}

function textOf(own: string, logs: Readonly<Record<string, string>>): RunText {
  return { own, whole: withLogs(own, logs), isDead: true };
}

function deadWords(name: string, why: string): string {
  return `error: service ${name} is down: ${why}`;
}

const logHead = '\n[loop: service ';

function withLogs(own: string, logs: Readonly<Record<string, string>>): string {
  const printed = Object.entries(logs).filter(([, log]) => log.trim() !== '');
  return own + printed.map(([name, log]) => `${logHead}${name} printed]\n${log}`).join('');
}
