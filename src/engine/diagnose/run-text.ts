/**
 * The text of a run: the script's output, or the service that kept the script from running. Logs of services help fixers but
 * prove nothing, because a service may print anything (I8).
 */
import type { Finished } from '../work/job.ts';
import type { Work } from '../state/state.ts';
import { excerpt } from '../ground/text.ts';
import type { Runnable } from '../work/verification.ts';
import { causeOf } from './service-cause.ts';
import { requiredBy } from '../services/services.ts';

export interface RunText {
  /** The text that identifies the failure. */
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

/** The text of a run that did not begin because this service is down. */
export function textOfDead({ name, why }: { name: string; why: string }, log: string): RunText {
  return textOf(deadWords(name, why), { [name]: log });
}

/** @param limit characters, roughly; logs take at most half of them, so that the run's own text is not left out. */
export function excerptOf({ own, whole }: Pick<RunText, 'own' | 'whole'>, limit: number): string {
  const logs = whole.slice(own.length);
  const shown = excerpt(own, limit - Math.min(logs.length, limit / 2));
  return shown + excerpt(logs, Math.max(limit - shown.length, limit / 2));
}

/** The part of an excerpt without logs of services. */
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
