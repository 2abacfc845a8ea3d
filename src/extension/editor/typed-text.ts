/** Asks for a text, and keeps it where it is refused: typing it again is the person's time. */
import * as vscode from 'vscode';

/** What was refused, by what it was typed for: it stands there the next time. */
const refused = new Map<string, string>();

/**
 * @param key what the text is for. @param send throws, or answers false, where it is not taken.
 * @returns whether anything was typed.
 */
export async function sendTyped(
  key: string,
  options: vscode.InputBoxOptions,
  send: (text: string) => Promise<boolean | void>,
): Promise<boolean> {
  const value = refused.get(key) || options.value || '';
  const text = await vscode.window.showInputBox({ ...options, value, ignoreFocusOut: true });
  // An emptied text is sent, and refused in words.
  if (text === undefined || (text.trim() === '' && !options.value)) return false;
  refused.set(key, text);
  if ((await send(text)) !== false) refused.delete(key);
  return true;
}
