/** Marks in the Explorer: how the shown sprint stands, on its folder, and which verifications fail, on their files. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { headline } from '../../views/model/headline.ts';
import { marksOf } from '../../views/model/marks.ts';
import { t } from '../../views/words.ts';
import type { SprintStore } from './sprint-store.ts';

export class Decorations implements vscode.FileDecorationProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri[]>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private marks = new Map<string, vscode.FileDecoration>();

  constructor(private readonly store: SprintStore) {}

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      this.changed,
      this.store.onDidChange(() => this.update()),
      vscode.window.registerFileDecorationProvider(this),
    );
  }

  provideFileDecoration({ scheme, fsPath }: vscode.Uri): vscode.FileDecoration | undefined {
    return scheme === 'file' ? this.marks.get(fsPath) : undefined;
  }

  /** Tells the editor only of marks that differ, since it asks for each of them again. */
  private update(): void {
    const { shown } = this.store;
    const next = new Map<string, vscode.FileDecoration>();
    if (shown?.view) {
      const look = headline(shown.view, shown.running);
      next.set(shown.dir, markOf({ badge: '∞', words: t('Loop: {0}', look.words), colour: look.colour }));
      for (const { file, ...mark } of marksOf(shown.view)) next.set(path.join(shown.dir, '.loop', file), markOf(mark));
    }
    const all = new Set([...this.marks.keys(), ...next.keys()]);
    const other = [...all].filter((file) => JSON.stringify(this.marks.get(file)) !== JSON.stringify(next.get(file)));
    this.marks = next;
    if (other.length > 0) this.changed.fire(other.map((file) => vscode.Uri.file(file)));
  }
}

function markOf({ badge, words, colour }: { badge: string; words: string; colour: string | null }): vscode.FileDecoration {
  return new vscode.FileDecoration(badge, words, colour === null ? undefined : new vscode.ThemeColor(colour));
}
