/** A person's answers in the place of the editor's own questions. */
import * as vscode from 'vscode';

/** @param answers by the name of the function of `vscode.window` that asks. @returns what gives the editor its own back. */
export function answering(answers: Readonly<Record<string, (...args: never[]) => unknown>>): () => void {
  const replaced = vscode.window as unknown as Record<string, unknown>;
  const own = Object.fromEntries(Object.keys(answers).map((name) => [name, replaced[name]]));
  for (const [name, answer] of Object.entries(answers)) replaced[name] = (...args: never[]) => Promise.resolve(answer(...args));
  return () => void Object.assign(replaced, own);
}
