/**
 * Words to the agents, said where they belong: as a comment on a line of PRD.md or of the plan, or on the file of a verification.
 * It is the same word as that of *Tell the Agents…*; the thread then shows who has read it.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { aboutAt, placesIn } from '../../views/model/words-in-documents.ts';
import { t } from '../../views/words.ts';
import { EngineFailure, type EngineClient } from './engine-client.ts';
import type { Shown, SprintStore } from './sprint-store.ts';

/** Documents with a line for each requirement or task, below the sprint's folder. */
const documents = ['PRD.md', path.join('.loop', 'IMPLEMENTATION_PLAN.md')];

/** A view comes up to ten times a second. */
const settleMs = 500;

export class WordThreads {
  private controller: vscode.CommentController | undefined;
  /** By the branch of the sprint and the id of the word: the next sprint in the same folder counts its own from the first. */
  private readonly threads = new Map<string, vscode.CommentThread>();
  private timer: NodeJS.Timeout | undefined;
  /** What was shown the last time: the words, and the texts in which they have their places. */
  private seen = '';

  constructor(
    private readonly store: SprintStore,
    private readonly engine: () => EngineClient,
  ) {}

  /** The controller is created only once there is a sprint. */
  register(): vscode.Disposable {
    const soon = (): void => void (this.timer ??= setTimeout(() => void this.update(), settleMs));
    const end = (): void => {
      clearTimeout(this.timer);
      this.controller?.dispose();
    };
    return vscode.Disposable.from(this.store.onDidChange(soon), { dispose: end });
  }

  /** Takes what was written into a new thread. @throws EngineFailure where it is refused: the thread is then as it was. */
  async say({ thread, text }: vscode.CommentReply): Promise<void> {
    const { shown } = this.store;
    if (!shown?.view || text.trim() === '') return;
    const document = await vscode.workspace.openTextDocument(thread.uri);
    const about = aboutIn(shown, document, thread.range?.start.line ?? 0);
    if (about === undefined) throw foreign(shown.view.name);
    // Nobody can send it twice meanwhile.
    thread.comments = [commentOf(text)];
    try {
      await this.engine().request('say', { sprintDir: shown.dir, said: { kind: 'tell', words: text, about } });
    } catch (error) {
      thread.comments = [];
      throw error;
    }
    thread.dispose();
  }

  private async update(): Promise<void> {
    this.timer = undefined;
    const { shown } = this.store;
    if (!shown?.view) return;
    this.controller ??= this.create();
    const texts = shown.view.words.length === 0 ? [] : await Promise.all(documents.map((file) => textOf(path.join(shown.dir, file))));
    const keyOf = ({ id }: { id: string }): string => `${shown.dir}#${shown.view?.branch}#${id}`;
    const seen = JSON.stringify([shown.view.words.map(keyOf), shown.view.words, texts]);
    if (seen === this.seen) return;
    this.seen = seen;
    const places = placesOf(shown, texts);
    for (const word of shown.view.words) {
      const { words, about, read } = word;
      const place = places.get(about);
      if (!place) continue;
      const known = this.threads.get(keyOf(word));
      const thread = known ?? this.controller.createCommentThread(place.uri, new vscode.Range(place.line, 0, place.line, 0), []);
      this.threads.set(keyOf(word), thread);
      thread.canReply = false;
      thread.label = read;
      thread.comments = [commentOf(words)];
    }
    const shownNow = new Set(shown.view.words.map(keyOf));
    for (const [key, thread] of this.threads) if (!shownNow.has(key)) this.forget(key, thread);
  }

  private forget(key: string, thread: vscode.CommentThread): void {
    this.threads.delete(key);
    thread.dispose();
  }

  private create(): vscode.CommentController {
    const controller = vscode.comments.createCommentController('loop.words', 'Loop');
    controller.options = { prompt: t('Tell the agents…'), placeHolder: t('What should they know or do?') };
    controller.commentingRangeProvider = {
      provideCommentingRanges: (document) => {
        const { shown } = this.store;
        const isOpen = shown?.view && (shown.running || this.store.resumable) && aboutIn(shown, document, 0) !== undefined;
        return isOpen ? [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)] : [];
      },
    };
    return controller;
  }
}

/** Plain text: a string would be taken as markdown. */
function commentOf(words: string): vscode.Comment {
  return { author: { name: t('You') }, body: new vscode.MarkdownString().appendText(words), mode: vscode.CommentMode.Preview };
}

function foreign(name: string): EngineFailure {
  return new EngineFailure({
    kind: 'input',
    message: t('This is no document of the sprint {0}, which is shown now.', name),
    next: t('Choose its own sprint with "Loop: Switch Sprint…", and send it again.'),
  });
}

/** @returns undefined in a document in which no word is said; empty for the whole sprint. */
function aboutIn({ dir, view }: Shown, document: vscode.TextDocument, line: number): string | undefined {
  if (!view || document.uri.scheme !== 'file') return undefined;
  const file = path.relative(dir, document.uri.fsPath);
  if (documents.includes(file)) return aboutAt(placesIn(document.getText(), view), line);
  const verification = verificationsOf(view).find((one) => path.join('.loop', one.file) === file);
  return verification && `verification ${verification.id}`;
}

/** By what a word is about, in words as the view has them. @param texts of `documents` */
function placesOf({ dir, view }: Shown, texts: readonly string[]): Map<string, { uri: vscode.Uri; line: number }> {
  const places = new Map<string, { uri: vscode.Uri; line: number }>();
  if (!view || view.words.length === 0) return places;
  for (const [index, document] of documents.entries()) {
    const uri = vscode.Uri.file(path.join(dir, document));
    for (const { about, line } of placesIn(texts[index] ?? '', view)) if (!places.has(about)) places.set(about, { uri, line });
  }
  for (const { id, file } of verificationsOf(view))
    places.set(`verification ${id}`, { uri: vscode.Uri.file(path.join(dir, '.loop', file)), line: 0 });
  return places;
}

async function textOf(file: string): Promise<string> {
  return vscode.workspace.fs.readFile(vscode.Uri.file(file)).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => '',
  );
}

function verificationsOf({ categories }: NonNullable<Shown['view']>): { id: string; file: string }[] {
  return categories.flatMap(({ verifications }) => verifications);
}
