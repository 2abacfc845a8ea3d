/** The person at a terminal: is asked, reads what to do, answers. Without a terminal nobody can be asked. */
import { createInterface, type Interface } from 'node:readline/promises';
import { Interruption } from '../engine/ground/errors.ts';
import type { AbortSignal as Signal, PersonAnswer, HumanAction, Person } from '../engine/ports.ts';
import { isSkipAskedTwice, sureWords } from '../engine/render/answer-words.ts';
import { askedFor } from '../engine/work/pause.ts';

type Print = (line: string) => void;

export function terminalPerson(print: Print, available: boolean, input: NodeJS.ReadableStream = process.stdin): Person {
  return {
    available,
    waitFor: (action, signal) => ask({ print, input }, action, signal as AbortSignal),
    notYet: (_action, missing) => print(`  Not yet: ${missing}`),
  };
}

interface Terminal {
  print: Print;
  input: NodeJS.ReadableStream;
}

async function ask({ print, input }: Terminal, action: HumanAction, signal: AbortSignal & Signal): Promise<PersonAnswer> {
  print('');
  const question = askedFor(action) !== 'deed';
  print(`  ${question ? 'Loop asks' : 'Only you can do this'}: ${action.action}`);
  if (action.paths.length > 0) print(`  Put into your checkout: ${action.paths.join(', ')}`);
  for (const line of action.instructions.trim().split('\n')) print(`    ${line}`);
  const terminal = createInterface({ input, output: process.stderr });
  try {
    for (;;) {
      const said = (await answerTo(terminal, `  ${promptFor(action)}`, signal)).trim();
      const answer = said.toLowerCase();
      if (answer === 'skip') {
        if (await isSure({ terminal, print }, action, signal)) return 'skip';
        continue;
      }
      if (question && said !== '') return { said };
      if (!question && (answer === '' || answer === 'done')) return 'done';
    }
  } finally {
    terminal.close();
  }
}

/** Asks once more where a skip drops work; all but the word itself is a no. */
async function isSure(
  { terminal, print }: { terminal: Interface; print: Print },
  action: HumanAction,
  signal: AbortSignal & Signal,
): Promise<boolean> {
  const tasks = action.tasks.join(', ');
  if (!isSkipAskedTwice({ asks: askedFor(action), tasks })) return true;
  print(`  ${sureWords(tasks)}`);
  const said = await answerTo(terminal, '  Type "skip" once more to skip it, or press Enter to be asked again: ', signal);
  return said.trim().toLowerCase() === 'skip';
}

/** @throws Interruption when they left: Ctrl+C, Ctrl+D or the end of the input, after which no answer can come. */
export async function answerTo(terminal: Interface, prompt: string, signal?: AbortSignal & Signal): Promise<string> {
  const left = new Promise<never>((_, reject) => terminal.once('close', () => reject(new Error('the input ended'))));
  try {
    return await Promise.race([terminal.question(prompt, signal ? { signal } : {}), left]);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new Interruption('cancelled', 'You left while Loop waited for your answer.', { cause });
  }
}

/** What they may type, and what a skip comes to. */
export function promptFor(action: Pick<HumanAction, 'task' | 'lineages'>): string {
  if (askedFor(action) === 'deed')
    return 'Loop sees by itself when it is there. Press Enter to say so, or type "skip" to drop what waits for it: ';
  return action.task === ''
    ? 'Type an answer, or "skip" to leave it as it is: '
    : `Type how it can be done, or "skip" to drop task ${action.task}: `;
}

/** Nobody: a sprint that needs a person stops as `waiting`. */
export const nobody: Person = {
  available: false,
  waitFor: () => Promise.reject(new Error('nobody can be asked')),
  notYet: () => undefined,
};
