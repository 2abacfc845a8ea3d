/** `loop verify`: the sprint's verifications, run without a model. */
import { verifySprint, type Verified } from '../host/verify-sprint.ts';
import { caseWords } from '../engine/diagnose/cases.ts';
import { apartWords, exitWords } from '../engine/render/words.ts';
import type { Command } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { plain } from './plain.ts';
import type { Streams } from './run.ts';

/** @returns 0 when all are green, 1 when some are red. @throws InputError */
export async function verify(
  command: Extract<Command, { name: 'verify' }>,
  { out }: Streams,
  signal: AbortSignal,
): Promise<number> {
  const { sprintDir, only, failed, json } = command;
  const onResult = json ? undefined : (result: Verified): void => out(plain(lines(result)));
  const results = await verifySprint({ sprintDir, only, failed, signal, onResult });
  // What a stop killed says nothing about it.
  if (signal.aborted) return exitCodes.cancelled;
  const red = results.filter((r) => !r.green).length;
  out(json ? `${JSON.stringify(results, null, 2)}\n` : summary(results.length, red));
  return red === 0 ? exitCodes.delivered : exitCodes.failed;
}

function summary(all: number, red: number): string {
  if (all === 0) return 'Nothing was run: each has passed on the code as it is.\n';
  return `\n${all - red} green, ${red} red\n`;
}

function lines({ id, title, green, exit, timedOut, duration, output, cases, apart }: Verified): string {
  const why = apart ? `    ${apartWords(green)}\n` : '';
  const head = `${green ? 'green' : 'red  '} ${id} (${(duration / 1000).toFixed(1)} s) ${title}\n${why}`;
  if (green) return head;
  const status = exitWords({ exit, timedOut });
  const said = output.trimEnd().split('\n').slice(-20).map((line) => `    ${line}\n`); // prettier-ignore
  const words = cases && caseWords(cases);
  return `${head}    ${[status, words].filter(Boolean).join('; ')}\n${said.join('')}`;
}
