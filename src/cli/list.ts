/** `loop list`: the sprints of a repository with their outcome and cost, the newest first. */
import { hoursWords } from '../engine/state/hours.ts';
import { sprintsHere, type SprintSummary, type UnreadSprint } from '../host/sprints-here.ts';
import type { Command } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { plain } from './plain.ts';
import type { Streams } from './run.ts';

export async function list({ folder, json }: Extract<Command, { name: 'list' }>, { out }: Streams): Promise<number> {
  const { sprints, unread } = await sprintsHere(folder);
  const lines = [...sprints.map(describe), ...unread.map(describeUnread)];
  if (json) out(`${JSON.stringify([...sprints, ...unread], null, 2)}\n`);
  else for (const line of lines.length === 0 ? ['No sprint was started here yet.'] : lines) out(`${plain(line)}\n`);
  return exitCodes.delivered;
}

function describe({ at, where, archive, branch, usd, unpriced, tokens, hours, ...standing }: SprintSummary): string {
  const money = unpriced > 0 && usd === 0 ? '' : `, $${usd.toFixed(2)}`;
  const place = archive === null ? where : `${where}, earlier, ${branch}`;
  return `${new Date(at).toISOString().slice(0, 10)}  ${standingWords(standing)}${money}, ${tokens.toLocaleString('en-US')} tokens, ${hoursWords(hours)}: ${place}`;
}

function describeUnread({ where, archive, why }: UnreadSprint): string {
  return `${archive === null ? where : `${where}, earlier`}: UNREADABLE: ${why}`;
}

function standingWords({ running, stop, finished }: Pick<SprintSummary, 'running' | 'stop' | 'finished'>): string {
  if (running) return 'RUNNING';
  const end = stop?.toUpperCase() ?? 'INTERRUPTED';
  return finished === null ? end : `${end}, finished: ${finished}`;
}
