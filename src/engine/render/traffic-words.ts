/** In words: which hosts commands asked for, which were refused, and how the person allows one. */
import { counted } from '../ground/text.ts';
import type { State } from '../state/state.ts';
import type { Traffic } from '../work/traffic.ts';

/** For the agent whose command it was; empty where nothing was refused and nothing can have been missing. */
export function trafficWords({ refused, withheld, allowed }: Traffic, failed: boolean): string {
  const refusal =
    refused.length === 0
      ? ''
      : `\n[Loop refused these hosts: ${refused.join(', ')}. Commands reach only: ${allowed.join(', ') || 'nothing'}. Only the person can allow another.]`;
  return refusal + (failed && withheld.length > 0 ? `\n[${withheldWords(withheld.join(', '))}]` : '');
}

/** Lines for the report; none where commands asked for nothing. */
export function networkLines({ ledger }: State): string[] {
  const { refused, withheld, reached } = ledger.network;
  return [
    ...Object.entries(refused).map(
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
