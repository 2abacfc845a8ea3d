/** A service in a person's words: how it is started, and how one tells that it is ready. */
import type { Service } from '../work/service.ts';

/** Started outside of the sandbox, by the person or with their leave. */
export function isExternal({ start }: Service): boolean {
  return 'compose' in start;
}

/** Where a service is asked whether it is ready: an address, a port or a command. */
export function readyWords({ ready }: Service): string {
  if ('http' in ready) return ready.http;
  return 'tcp' in ready ? `port ${ready.tcp}` : `\`${ready.command}\``;
}

/**
 * Lines of bash, with an address and a port for `$0` and `$1`: whether what answers holds on. Docker takes connections to a
 * port that it publishes before anything listens in the container, and hangs up at once.
 */
export const holdsOn = 'exec 3<>"/dev/tcp/$0/$1" || exit 1; cat <&3 >/dev/null & sleep 0.2; kill $! 2>/dev/null';

/** How it is started, as a person would type it. */
export function startWords({ start }: Service): string {
  if ('command' in start) return start.command;
  return 'script' in start ? `npm run ${start.script}` : `docker compose -f ${start.file} up -d --wait ${start.compose}`;
}
