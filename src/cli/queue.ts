/** `loop run A B C`: a queue of sprints (`host/queue.ts`), and how each of them stands at its end. */
import { Interruption } from '../engine/ground/errors.ts';
import { costBound } from '../engine/ground/model-names.ts';
import { counted } from '../engine/ground/text.ts';
import { hoursOf, hoursWords } from '../engine/state/hours.ts';
import type { State } from '../engine/state/state.ts';
import { isUnresolved } from '../engine/work/human-action.ts';
import { tokensOf } from '../engine/work/spend.ts';
import { inspectQueue, whereOver, type QueueBound } from '../host/queue.ts';
import { readSprint } from '../host/sprint.ts';
import type { Command } from './arguments.ts';
import { codeOfError, codeOfState, exitCodes } from './exit-codes.ts';
import { explain } from './explain.ts';
import { plain } from './plain.ts';
import { run, type Streams } from './run.ts';

type Queue = Extract<Command, { name: 'queue' }>;

/**
 * All are looked at before the first begins, while the person is still there.
 * @returns 0 where all are delivered, else the code of the first that is not. @throws InputError before anything began.
 */
export async function runQueue({ sprintDirs, ...command }: Queue, streams: Streams, signal: AbortSignal): Promise<number> {
  const print = (line: string): void => streams.out(`${plain(line)}\n`);
  const bound = await inspectQueue(sprintDirs, command.overrides);
  for (const line of worstCase(sprintDirs.length, bound)) print(line);
  const codes: number[] = [];
  for (const [index, sprintDir] of sprintDirs.entries()) {
    print('');
    print(`== ${index + 1} of ${sprintDirs.length}: ${sprintDir}`);
    const over = await whereOver(sprintDir).catch(() => undefined);
    if (over) print('It is over since the queue began, and is not begun anew.');
    const { code, isPaused } = over
      ? { code: codeOfState(over), isPaused: false }
      : await runOne({ ...command, name: 'run', sprintDir }, streams, signal);
    if (signal.aborted) return exitCodes.cancelled;
    codes.push(code);
    if (isPaused) break;
  }
  print('');
  for (const sprintDir of sprintDirs) print(`${sprintDir}: ${outcomeWords(await readSprint(sprintDir).catch(() => undefined))}`);
  return codes.find((code) => code !== exitCodes.delivered) ?? exitCodes.delivered;
}

interface Ran {
  code: number;
  isPaused: boolean;
}

async function runOne(command: Extract<Command, { name: 'run' }>, streams: Streams, signal: AbortSignal): Promise<Ran> {
  try {
    return { code: await run(command, streams, signal), isPaused: false };
  } catch (error) {
    streams.err(`${plain(explain(error))}\n`);
    const code = codeOfError(error, await readSprint(command.sprintDir).catch(() => undefined));
    return { code, isPaused: error instanceof Interruption && error.reason === 'paused' };
  }
}

function worstCase(count: number, { usd, tokens, hours, models }: QueueBound): string[] {
  const most = `${costBound(models, `$${usd}`, tokens.toLocaleString('en-US'))}, and ${hoursWords(hours)}`;
  return [
    `${counted(count, 'sprint')}, one after the other, without a question. Together at most ${most}.`,
    'One that waits for you is left waiting, and the next begins.',
  ];
}

/** `DELIVERED, $0.41, 812,000 tokens, 0.2 hours`, and what it waits for. */
function outcomeWords(state: State | undefined): string {
  if (!state) return 'NOT BEGUN';
  const { stopped, ledger } = state;
  const asked = Object.values(ledger.humanActions).filter(isUnresolved);
  const waits = asked.length > 0 ? `; only you can do: ${asked.map(({ action }) => action).join('; ')}` : '';
  const cost = `$${ledger.spend.usd.toFixed(2)}, ${tokensOf(ledger.spend).toLocaleString('en-US')} tokens, ${hoursWords(hoursOf(ledger.ran))}`;
  return `${stopped?.stop.toUpperCase() ?? (ledger.pauseAsked ? 'PAUSED' : 'INTERRUPTED')}, ${cost}${waits}`;
}
