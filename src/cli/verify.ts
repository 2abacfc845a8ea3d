/** `loop verify`: runs the sprint's verifications without a model. */
import { verifySprint, type Verified } from '../host/verify-sprint.ts';
import { verdictWords } from '../engine/render/words.ts';
import type { Command } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { plain } from './plain.ts';
import type { Streams } from './run.ts';

/** @returns 0 when all are green, 1 when some are not. @throws InputError */
export async function verify(command: Extract<Command, { name: 'verify' }>, { out }: Streams, signal: AbortSignal): Promise<number> {
  const { sprintDir, only, failed, json } = command;
  const onResult = json ? undefined : (result: Verified): void => out(plain(render(result)));
  const results = await verifySprint({ sprintDir, only, failed, signal, onResult });
  // A run that was killed by the stop proves nothing.
  if (signal.aborted) return exitCodes.cancelled;
  out(json ? `${JSON.stringify(results, null, 2)}\n` : summary(results));
  return results.every(({ verdict }) => verdict === 'green') ? exitCodes.delivered : exitCodes.failed;
}

function summary(results: readonly Verified[]): string {
  if (results.length === 0) return 'Nothing was run: each has passed on the code as it is.\n';
  const count = (verdict: Verified['verdict']): number => results.filter((result) => result.verdict === verdict).length;
  const flaky = count('flaky') > 0 ? `, ${count('flaky')} flaky` : '';
  const none = count('none') > 0 ? `, ${count('none')} without a result` : '';
  return `\n${count('green')} green, ${count('red')} red${flaky}${none}\n`;
}

function render({ id, title, verdict, duration, summary: words, output }: Verified): string {
  const head = `${verdictWords[verdict].padEnd(5)} ${id} (${(duration / 1000).toFixed(1)} s) ${title}\n`;
  if (verdict === 'green') return head;
  const flake = verdict === 'flaky' ? ['red, then green in the same checkout'] : [];
  const shown = output.trim() === '' ? words.split('\n') : [...words.split('\n').slice(0, 1), ...output.trimEnd().split('\n').slice(-20)];
  return `${head}${[...flake, ...shown].map((line) => `    ${line}\n`).join('')}`;
}
