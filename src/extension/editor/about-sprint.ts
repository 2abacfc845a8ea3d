/** Which sprint a command is about: a notification names its own, since another one may be shown when its button is pressed. */
import * as vscode from 'vscode';
import { t } from '../../views/words.ts';
import { commands } from './names.ts';
import type { SprintStore } from './sprint-store.ts';
import { showSprint } from './switch-sprint.ts';

export interface AboutSprint {
  sprintDir: string;
  /** *Resume* asks for a higher budget first. */
  raise?: boolean;
}

/** Undefined from the palette, a menu, a row or a key: those are about the sprint that is shown. */
export function aboutSprint(argument: unknown): AboutSprint | undefined {
  if (typeof argument !== 'object' || argument === null || !('sprintDir' in argument)) return undefined;
  const { sprintDir } = argument;
  return typeof sprintDir === 'string' ? { sprintDir, raise: 'raise' in argument && argument.raise === true } : undefined;
}

/** Shows the sprint that the command is about, and goes on with it unless another one runs. */
export async function onSprint(store: SprintStore, argument: unknown, run: () => Promise<void>): Promise<void> {
  const about = aboutSprint(argument);
  if (!about || (await showSprint(store, about.sprintDir))) await run();
}

/** After a word of the person's: resumes the sprint where it stopped to wait for one. Where they may have stopped it, they are asked. */
export async function takeUp({ shown, resumable }: SprintStore, sprintDir: string): Promise<void> {
  if (shown?.dir !== sprintDir || !resumable) return;
  if (shown.view?.ending?.stop === 'waiting') return void (await vscode.commands.executeCommand(commands.resume));
  const resume = t('Resume');
  const told = vscode.window.showInformationMessage(t('Loop: this is kept, and taken up when you resume the sprint.'), resume);
  void told.then((chosen) => chosen === resume && vscode.commands.executeCommand(commands.resume, { sprintDir }));
}
