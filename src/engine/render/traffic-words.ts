/** In words: which hosts commands asked for, which were refused, and how the person allows one. */
import { counted } from '../ground/text.ts';
import type { State } from '../state/state.ts';
import type { Traffic } from '../work/traffic.ts';

/** For the agent whose command it was; empty where nothing was refused and nothing can have been missing. */
export function trafficWords({ refused, withheld, allowed }: Traffic, failed: boolean): string {
  const own = refused.filter(isLoopback);
  const others = refused.filter((host) => !isLoopback(host));
  const refusal =
    others.length === 0
      ? ''
      : `\n[Loop refused these hosts: ${others.join(', ')}. Commands reach only: ${allowed.join(', ') || 'nothing'}. Only the person can allow another.]`;
  const hint = own.length === 0 ? '' : `\n[${own.join(', ')} went to the proxy. What runs here is reached as localhost or 127.0.0.1.]`;
  return refusal + hint + (failed && withheld.length > 0 ? `\n[${withheldWords(withheld.join(', '))}]` : '');
}

/** An address of the sandbox itself, which only some programs ask without the proxy. */
function isLoopback(host: string): boolean {
  return /^127(?:\.\d{1,3}){3}(?::\d+)?$/.test(host);
}

/** Lines for the report; none where commands asked for nothing. */
export function networkLines({ ledger }: State): string[] {
  const { refused, withheld, reached } = ledger.network;
  return [
    ...Object.entries(refused)
      .filter(([host]) => !isLoopback(host))
      .map(
        ([host, { by, command }]) =>
          `- Refused: **${host}**, first for \`${code(command)}\` (${by}). If the work needs it, allow it when you resume: \`--allow-host ${host}\`, or the setting \`loop.allowedHosts\`.`,
      ),
    ...Object.keys(withheld).map((host) => `- ${withheldWords(host)}`),
    ...Object.entries(reached).map(
      ([host, { by, command, times }]) => `- Reached: ${host}, by ${counted(times, 'command')}, first \`${code(command)}\` (${by}).`,
    ),
  ];
}

function withheldWords(hosts: string): string {
  return `${hosts}: this machine has credentials for it, which never enter the sandbox and cannot be added to https. If it answered 401 or 403, that is why: the person can install what is needed from it themselves, or name a variable with a token for the sprint's commands.`;
}

function code(command: string): string {
  return command.replaceAll('`', "'");
}
