/**
 * `loop run A B C`: runs sprints one after the other, unattended. One that waits for a person, fails or is out of its budget does
 * not keep the next from beginning.
 */
import { goesOn } from '../engine/core/fold.ts';
import { InputError } from '../engine/ground/errors.ts';
import { counted } from '../engine/ground/text.ts';
import { hoursOf, hoursWords } from '../engine/state/hours.ts';
import type { State } from '../engine/state/state.ts';
import { isUnresolved } from '../engine/work/human-action.ts';
import { tokensOf } from '../engine/work/spend.ts';
import { inspectSprint, readSprint } from '../host/sprint.ts';
import type { Command } from './arguments.ts';
import { codeOfError, exitCodes } from './exit-codes.ts';
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
  await requireNoneOver(sprintDirs);
  for (const line of await worstCase(sprintDirs, command.overrides)) print(line);
  const codes: number[] = [];
  for (const [index, sprintDir] of sprintDirs.entries()) {
    print('');
    print(`== ${index + 1} of ${sprintDirs.length}: ${sprintDir}`);
    codes.push(await runOne({ ...command, name: 'run', sprintDir }, streams, signal));
    if (signal.aborted) return exitCodes.cancelled;
  }
  print('');
  for (const sprintDir of sprintDirs) print(`${sprintDir}: ${outcomeWords(await readSprint(sprintDir).catch(() => undefined))}`);
  return codes.find((code) => code !== exitCodes.delivered) ?? exitCodes.delivered;
}

async function runOne(command: Extract<Command, { name: 'run' }>, streams: Streams, signal: AbortSignal): Promise<number> {
  try {
    return await run(command, streams, signal);
  } catch (error) {
    streams.err(`${plain(explain(error))}\n`);
    return codeOfError(error, await readSprint(command.sprintDir).catch(() => undefined));
  }
}

/** The same command, given again, goes on with what is open; it must not begin anew what is over. */
async function requireNoneOver(sprintDirs: readonly string[]): Promise<void> {
  for (const dir of sprintDirs) {
    const state = await readSprint(dir);
    if (state && !goesOn(state))
      throw new InputError(
        `The sprint in ${dir} is over: ${state.stopped?.stop ?? 'finished'}. Nothing was begun.`,
        'Leave it out, or run it alone to begin another one there.',
      );
  }
}

async function worstCase(sprintDirs: readonly string[], overrides: Queue['overrides']): Promise<string[]> {
  const sum = { usd: 0, tokens: 0, hours: 0 };
  for (const dir of sprintDirs) {
    const { bound } = await inspectSprint(dir, overrides);
    sum.usd += bound.usd;
    sum.tokens += bound.tokens;
    sum.hours += bound.hours;
  }
  const most = `$${sum.usd}, ${sum.tokens.toLocaleString('en-US')} tokens and ${hoursWords(sum.hours)}`;
  return [
    `${counted(sprintDirs.length, 'sprint')}, one after the other, without a question. Together at most ${most}.`,
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
  return `${stopped?.stop.toUpperCase() ?? 'INTERRUPTED'}, ${cost}${waits}`;
}
