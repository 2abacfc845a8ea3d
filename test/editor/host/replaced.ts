/** Replaces members of the editor's API for a while. */
import * as vscode from 'vscode';

/** Members of the editor's API that answer as a test wants it, for as long as something is done. */
export async function whileReplaced<T>(owner: object, members: Record<string, unknown>, work: () => Promise<T>): Promise<T> {
  const replaced = owner as Record<string, unknown>;
  const before = Object.keys(members).map((name) => [name, replaced[name]] as const);
  Object.assign(replaced, members);
  try {
    return await work();
  } finally {
    Object.assign(replaced, Object.fromEntries(before));
  }
}

/** @returns what the person is told, whose buttons nobody presses. */
export async function toldBy(work: () => Promise<unknown>): Promise<string[]> {
  const told: string[] = [];
  const tell = (text: string): Promise<undefined> => Promise.resolve(void told.push(text));
  const messages = { showInformationMessage: tell, showWarningMessage: tell, showErrorMessage: tell };
  await whileReplaced(vscode.window, messages, work);
  return told;
}
