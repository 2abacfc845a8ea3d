/** Describes for people how a service is started and how its readiness is probed. */
import type { Service } from '../work/service.ts';

/** What tells that it is ready: an address, a port or a command. */
export function readyWords({ ready }: Service): string {
  if ('http' in ready) return ready.http;
  return 'tcp' in ready ? `port ${ready.tcp}` : `\`${ready.command}\``;
}

/** The command that starts it, as a person would type it. */
export function startWords({ start }: Service): string {
  if ('command' in start) return start.command;
  return 'script' in start ? `npm run ${start.script}` : `docker compose -f ${start.file} up -d --wait ${start.compose}`;
}
