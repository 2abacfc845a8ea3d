/** The person at a terminal: is asked, reads what to do, answers. Without a terminal nobody can be asked. */
import { createInterface } from 'node:readline/promises';
import type { AbortSignal as Signal, PersonAnswer, HumanAction, Person } from '../engine/ports.ts';

type Print = (line: string) => void;

export function terminalPerson(print: Print, available: boolean): Person {
  return {
    available,
    waitFor: (action, signal) => ask(print, action, signal as AbortSignal),
    notYet: (_action, missing) => print(`  Not yet: ${missing}`),
  };
}

async function ask(print: Print, action: HumanAction, signal: AbortSignal & Signal): Promise<PersonAnswer> {
  print('');
  const question = action.lineages !== undefined;
  print(`  ${question ? 'Loop asks' : 'Only you can do this'}: ${action.action}`);
  if (action.paths.length > 0) print(`  Put into your checkout: ${action.paths.join(', ')}`);
  for (const line of action.instructions.trim().split('\n')) print(`    ${line}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    for (;;) {
      const prompt = question
        ? 'Type a hint, or "skip": '
        : 'Loop sees by itself when it is there. Press Enter to say so, or type "skip": ';
      const said = (await terminal.question(`  ${prompt}`, { signal })).trim();
      const answer = said.toLowerCase();
      if (answer === 'skip') return 'skip';
      if (question && said !== '') return { said };
      if (!question && (answer === '' || answer === 'done')) return 'done';
    }
  } finally {
    terminal.close();
  }
}

/** Nobody: a sprint that needs a person stops as `waiting`. */
export const nobody: Person = {
  available: false,
  waitFor: () => Promise.reject(new Error('nobody can be asked')),
  notYet: () => undefined,
};
