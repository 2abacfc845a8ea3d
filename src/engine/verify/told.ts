/**
 * A run in words. What judges it is the script's output, or the service that kept it from being run; what services printed
 * beside it is evidence for who mends it, and no witness: they may print what they like (I8). Pure (I3).
 */
import type { Finished } from '../ports.ts';
import type { Work } from '../state.ts';
import type { Check } from '../work/check.ts';
import { causeOf } from './service-cause.ts';
import { requiredBy } from './services.ts';

export interface Told {
  /** What it is known by. */
  own: string;
  /** With the logs of its services. */
  whole: string;
  /** A service did not come up: the script was not run. */
  isDead: boolean;
}

export function tell(work: Work, check: Check, { output, dead, logs = {} }: Finished): Told {
  const service = dead && requiredBy(work, check).find((s) => s.name === dead.name);
  if (!dead || !service) return { own: output, whole: withLogs(output, logs), isDead: false };
  return told(deadWords(dead.name, causeOf(service, dead, logs[dead.name] ?? '').why), logs);
}

/** A run that did not begin, because of this service. */
export function toldDead({ name, why }: { name: string; why: string }, log: string): Told {
  return told(deadWords(name, why), { [name]: log });
}

function told(own: string, logs: Readonly<Record<string, string>>): Told {
  return { own, whole: withLogs(own, logs), isDead: true };
}

function deadWords(name: string, why: string): string {
  return `error: service ${name} is down: ${why}`;
}

function withLogs(own: string, logs: Readonly<Record<string, string>>): string {
  const printed = Object.entries(logs).filter(([, log]) => log.trim() !== '');
  return [own, ...printed.map(([name, log]) => `[loop: service ${name} printed]\n${log}`)].join('\n');
}
