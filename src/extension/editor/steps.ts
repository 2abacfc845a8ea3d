/** Questions one after the other, with *Back* and the number of each. What has a single answer is not asked. */
import * as vscode from 'vscode';
import { plain } from '../../views/model/display-text.ts';
import { t } from '../../views/words.ts';
import { whyFailed } from './sprint-store.ts';

export interface Place {
  title: string;
  step: number;
  of: number;
}

/** `leave`: the person pressed Escape. */
export type Move = 'next' | 'back' | 'leave';

export interface Step {
  /** Looked at anew each time, since an answer may make another question needless. */
  isAsked(): boolean | Promise<boolean>;
  ask(place: Place): Promise<Move>;
}

/** @param from number of the question to begin with; the last one after a look at the whole. @returns whether all were answered. */
export async function walk(title: string, steps: readonly Step[], from: 'first' | 'last' = 'first'): Promise<boolean> {
  let current: Step | undefined = (await askedOf(steps)).at(from === 'first' ? 0 : -1);
  while (current) {
    const before = await askedOf(steps);
    const at = before.indexOf(current);
    const move = await current.ask({ title, step: at + 1, of: before.length });
    if (move === 'leave') return false;
    // What is asked next may depend on this answer.
    const now = await askedOf(steps);
    current = move === 'back' ? before[at - 1] : now[now.indexOf(current) + 1];
  }
  return true;
}

/** One after the other, since what one finds out decides about the next. */
async function askedOf(steps: readonly Step[]): Promise<Step[]> {
  const asked: Step[] = [];
  for (const step of steps) if (await step.isAsked()) asked.push(step);
  return asked;
}

interface Question<T extends vscode.QuickPickItem> {
  question: string;
  items: readonly T[];
  /** What was chosen the last time: it is marked, so Enter takes it again. */
  known?: T | undefined;
}

export function pickOne<T extends vscode.QuickPickItem>(
  place: Place,
  { question, items, known }: Question<T>,
): Promise<{ chosen: T } | 'back' | 'leave'> {
  const input = vscode.window.createQuickPick<T>();
  Object.assign(input, placed(place), { placeholder: question, items, matchOnDescription: true, matchOnDetail: true });
  if (known) input.activeItems = [known];
  return shown(input, (end) => [
    input.onDidAccept(() => {
      const [chosen] = input.selectedItems;
      if (chosen) end({ chosen });
    }),
  ]);
}

interface TextQuestion {
  prompt: string;
  placeholder: string;
  /** What stands there at first. */
  value?: string;
  password?: boolean;
  /** Why the text cannot be taken; undefined where it can. Where it throws, that is why. */
  check: (text: string) => Promise<string | undefined>;
}

export function typeIn(
  place: Place,
  { prompt, placeholder, value: known = '', password = false, check }: TextQuestion,
): Promise<{ text: string } | 'back' | 'leave'> {
  const input = vscode.window.createInputBox();
  Object.assign(input, placed(place), { prompt, placeholder, password, value: known });
  const accept = async (end: (answer: { text: string }) => void): Promise<void> => {
    const { value } = input;
    input.busy = true;
    input.enabled = false;
    const problem = await check(value).catch((error: unknown) => plain(whyFailed(error), 400));
    input.busy = false;
    input.enabled = true;
    if (problem === undefined) return end({ text: value });
    input.validationMessage = problem;
  };
  return shown(input, (end) => [
    input.onDidAccept(() => void accept(end)),
    input.onDidChangeValue(() => (input.validationMessage = undefined)),
  ]);
}

interface Whole {
  question: string;
  detail: string;
  /** The button that starts it. */
  go: string;
}

/** The whole before anything begins. */
export async function confirmWhole({ question, detail, go }: Whole): Promise<'go' | 'back' | 'leave'> {
  const back = t('Back');
  const chosen = await vscode.window.showInformationMessage(question, { modal: true, detail }, go, back);
  return chosen === go ? 'go' : chosen === back ? 'back' : 'leave';
}

function placed({ title, step, of }: Place): Partial<vscode.QuickInput> & { buttons: vscode.QuickInputButton[] } {
  const number = of > 1 ? { step, totalSteps: of } : {};
  return { title, ...number, ignoreFocusOut: true, buttons: step > 1 ? [vscode.QuickInputButtons.Back] : [] };
}

function shown<T>(
  input: vscode.QuickInput & { onDidTriggerButton: vscode.Event<vscode.QuickInputButton> },
  follow: (end: (answer: T) => void) => vscode.Disposable[],
): Promise<T | 'back' | 'leave'> {
  return new Promise((resolve) => {
    const end = (answer: T | 'back' | 'leave'): void => {
      resolve(answer);
      for (const one of following) one.dispose();
      input.dispose();
    };
    const following = [
      ...follow(end),
      input.onDidTriggerButton((button) => void (button === vscode.QuickInputButtons.Back && end('back'))),
      input.onDidHide(() => end('leave')),
    ];
    input.show();
  });
}
