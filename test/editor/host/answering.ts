/** A person's answers in the place of the editor's own questions. */
import * as vscode from 'vscode';

/** @param answers by the name of the function of `vscode.window` that asks. @returns what gives the editor its own back. */
export function answering(answers: Readonly<Record<string, (...args: never[]) => unknown>>): () => void {
  const replaced = vscode.window as unknown as Record<string, unknown>;
  const own = Object.fromEntries(Object.keys(answers).map((name) => [name, replaced[name]]));
  for (const [name, answer] of Object.entries(answers)) replaced[name] = (...args: never[]) => Promise.resolve(answer(...args));
  return () => void Object.assign(replaced, own);
}

type Handler = (value?: unknown) => void;

/** A question of several, as the editor shows it. */
interface Shown {
  title: string;
  step: number;
  totalSteps: number;
  items: vscode.QuickPickItem[];
  activeItems: vscode.QuickPickItem[];
  selectedItems: vscode.QuickPickItem[];
  value: string;
  buttons: vscode.QuickInputButton[];
  handlers: Map<string, Handler>;
}

/** What a person does at a question. */
export type Deed = (shown: Shown) => unknown;

export const pick =
  (label: string): Deed =>
  (shown) => {
    shown.selectedItems = shown.items.filter((item) => item.label === label);
    shown.handlers.get('onDidAccept')?.();
  };
/** Enter takes what is marked; where nothing is, the person leaves. */
export const enter: Deed = (shown) => {
  if (shown.activeItems.length === 0) return escape(shown);
  shown.selectedItems = shown.activeItems;
  return shown.handlers.get('onDidAccept')?.();
};
/** One after the other, where the first is not taken. */
export const type =
  (...texts: string[]): Deed =>
  async (shown) => {
    for (const text of texts) {
      shown.value = text;
      shown.handlers.get('onDidAccept')?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
export const back: Deed = ({ buttons, handlers }) => {
  const [button] = buttons;
  if (!button) throw new Error('it has no Back');
  handlers.get('onDidTriggerButton')?.(button);
};
export const escape: Deed = ({ handlers }) => handlers.get('onDidHide')?.();

/** Does one of these at each question of several. @returns the number of each question, as they come, and what gives the editor its own back. */
export function doing(deeds: Deed[]): { asked: string[]; restore: () => void } {
  const asked: string[] = [];
  const create = () => {
    const shown = { step: 1, totalSteps: 1, items: [], activeItems: [], selectedItems: [], value: '', buttons: [], handlers: new Map() };
    const events = ['onDidAccept', 'onDidTriggerButton', 'onDidHide', 'onDidChangeValue'].map((name) => [
      name,
      (handler: Handler) => {
        shown.handlers.set(name, handler);
        return { dispose: () => shown.handlers.delete(name) };
      },
    ]);
    const show = (): void => {
      asked.push(`${shown.step}/${shown.totalSteps}`);
      // As a click comes: once the question is shown.
      setImmediate(() => (deeds.shift() ?? escape)(shown as unknown as Shown));
    };
    return Object.assign(shown, Object.fromEntries(events), { show, dispose: () => undefined });
  };
  const replaced = vscode.window as unknown as Record<string, unknown>;
  const { createQuickPick, createInputBox } = vscode.window;
  Object.assign(replaced, { createQuickPick: create, createInputBox: create });
  return { asked, restore: () => void Object.assign(replaced, { createQuickPick, createInputBox }) };
}
