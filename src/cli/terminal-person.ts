/** Asks the person at a terminal and records the answers at the desk. Without a terminal nobody can be asked. */
import { createInterface, type Interface } from 'node:readline/promises';
import { InputError, Interruption } from '../engine/ground/errors.ts';
import { answerHumanAction, type Answer, type Desk } from '../engine/person/desk.ts';
import type { AbortSignal as Signal, Person } from '../engine/ports.ts';
import { isSkipAskedTwice, sureWords } from '../engine/render/answer-words.ts';
import { pointWords } from '../engine/render/point-words.ts';
import type { Point } from '../engine/work/document-review.ts';
import { planLines } from './plan-lines.ts';
import { askWords, type Choice, type HumanAction } from '../engine/work/human-action.ts';

type Print = (line: string) => void;

interface Terminal {
  print: Print;
  /** The running sprint's desk; undefined before its journal is open. */
  desk: () => Desk | undefined;
  input?: NodeJS.ReadableStream;
}

export function terminalPerson(terminal: Terminal): Person {
  return { available: true, ask: (asked, tasks, signal) => ask(terminal, { asked, tasks }, signal as AbortSignal) };
}

interface Question {
  asked: HumanAction;
  /** Ids of the tasks that a skip drops. */
  tasks: readonly string[];
}

async function ask({ print, desk, input = process.stdin }: Terminal, question: Question, signal: AbortSignal & Signal): Promise<void> {
  const { asked } = question;
  const [first = '', ...rest] = askWords(asked, desk()?.state.opened.worktree);
  print('');
  print(`  ${asked.kind === 'deed' ? 'Only you can do this' : 'Loop asks'}: ${first}`);
  if (asked.kind !== 'choice') for (const line of rest) print(`  ${line}`);
  if (asked.kind === 'approval') for (const line of planLines(desk()?.state)) print(`    ${line}`);
  const terminal = createInterface({ input, output: process.stderr });
  try {
    for (let recorded = false; !recorded;) {
      const answer = await readAnswer({ terminal, print }, question, signal);
      const open = desk();
      recorded = answer !== undefined && open !== undefined && (await record(open, asked.id, answer, print));
    }
  } finally {
    terminal.close();
  }
}

/** @returns whether the answer was recorded. */
async function record(desk: Desk, id: string, answer: Answer, print: Print): Promise<boolean> {
  try {
    await answerHumanAction(desk, id, answer);
    return true;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    print(`  ${error.message} ${error.next}`);
    return false;
  }
}

interface Dialog {
  terminal: Interface;
  print: Print;
}

/** @returns undefined where the typed text is not an answer. */
async function readAnswer(dialog: Dialog, question: Question, signal: AbortSignal & Signal): Promise<Answer | undefined> {
  if (question.asked.kind === 'choice') return readChoices(dialog, question.asked, signal);
  const { kind } = question.asked;
  const typed = (await answerTo(dialog.terminal, `  ${promptFor(question.asked)}`, signal)).trim();
  const word = typed.toLowerCase();
  if (kind === 'approval') return word === '' || word === 'approve' ? 'done' : undefined;
  if (word === 'skip') return (await confirmsSkip(dialog, question, signal)) ? 'skip' : undefined;
  if (kind !== 'deed') return typed === '' ? undefined : { said: typed };
  return word === '' || word === 'done' ? 'done' : undefined;
}

/** One point after the other. */
async function readChoices(dialog: Dialog, { points }: Choice, signal: AbortSignal & Signal): Promise<Answer> {
  const chosen: Record<string, string> = {};
  for (const point of points) {
    dialog.print('');
    for (const line of pointWords(point).split('\n')) dialog.print(`  ${line}`);
    const answer = await readChoice(dialog, point, signal);
    if (answer !== '') chosen[point.id] = answer;
  }
  return { chosen };
}

/** Asks again after a number that no option has. @returns empty where Loop shall decide. */
async function readChoice({ terminal }: Dialog, { options }: Point, signal: AbortSignal & Signal): Promise<string> {
  const prompt = `  Type 1 to ${options.length}, an answer in your own words, or press Enter to let Loop decide: `;
  for (;;) {
    const typed = (await answerTo(terminal, prompt, signal)).trim();
    const answer = /^\d+$/.test(typed) ? options[Number(typed) - 1]?.answer : typed;
    if (answer !== undefined) return answer;
  }
}

/** Asks once more where a skip drops work. Only the word `skip` confirms it. */
async function confirmsSkip(
  { terminal, print }: Dialog,
  { asked: { kind }, tasks: ids }: Question,
  signal: AbortSignal & Signal,
): Promise<boolean> {
  const tasks = ids.join(', ');
  if (!isSkipAskedTwice({ kind, tasks })) return true;
  print(`  ${sureWords(tasks)}`);
  const typed = await answerTo(terminal, '  Type "skip" once more to skip it, or press Enter to be asked again: ', signal);
  return typed.trim().toLowerCase() === 'skip';
}

/** @throws Interruption when the person left with Ctrl+C or Ctrl+D, or the input ended: no answer can come any more. */
export async function answerTo(terminal: Interface, prompt: string, signal?: AbortSignal & Signal): Promise<string> {
  const left = new Promise<never>((_, reject) => terminal.once('close', () => reject(new Error('the input ended'))));
  try {
    return await Promise.race([terminal.question(prompt, signal ? { signal } : {}), left]);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new Interruption('cancelled', 'You left while Loop waited for your answer.', { cause });
  }
}

/** Says what the person may type, and what a skip drops. */
export function promptFor({ kind, task }: Pick<HumanAction, 'kind' | 'task'>): string {
  if (kind === 'approval') return 'Press Enter to approve it. To change it first, use "loop change" and "loop skip" in another terminal: ';
  if (kind === 'deed') return 'Loop sees by itself when it is there. Press Enter to say so, or type "skip" to drop what waits for it: ';
  return task === '' ? 'Type an answer, or "skip" to leave it as it is: ' : `Type how it can be done, or "skip" to drop task ${task}: `;
}
