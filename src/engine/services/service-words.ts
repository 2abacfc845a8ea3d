/** Describes for people how a service is started and how its readiness is probed. */
import type { Service } from '../work/service.ts';

/** Runs outside of the sandbox, started by the person or with their permission. */
export function isExternal({ start }: Service): boolean {
  return 'compose' in start;
}

/** What tells that it is ready: an address, a port or a command. */
export function readyWords({ ready }: Service): string {
  if ('http' in ready) return ready.http;
  return 'tcp' in ready ? `port ${ready.tcp}` : `\`${ready.command}\``;
}

/**
 * Bash that succeeds if a connection to address `$0` and port `$1` stays open. Docker accepts connections to a published port
 * before anything listens in the container, but closes them at once.
 */
export const holdsOn = 'exec 3<>"/dev/tcp/$0/$1" || exit 1; cat <&3 >/dev/null & sleep 0.2; kill $! 2>/dev/null';

/** The command that starts it, as a person would type it. */
export function startWords({ start }: Service): string {
  if ('command' in start) return start.command;
  return 'script' in start ? `npm run ${start.script}` : `docker compose -f ${start.file} up -d --wait ${start.compose}`;
}
