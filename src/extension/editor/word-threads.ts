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
  /** By the branch of the sprint, the id of the word and its document: the next sprint in the same folder counts its own from the first. */
  private readonly threads = new Map<string, vscode.CommentThread>();
  private timer: NodeJS.Timeout | undefined;
  /** What was shown the last time: the words, and the texts in which they have their places. */
  private seen = '';
  /** In which documents a comment may begin, as the editor was told the last time. */
  private open = '';

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
    if (this.store.shown?.view) this.controller ??= this.create();
    if (!this.controller) return;
    this.openDocuments(this.controller);
    await this.showWords(this.controller);
  }

  /** The editor asks where a comment may begin only when a document is opened, and when it is told anew whom to ask. */
  private openDocuments(controller: vscode.CommentController): void {
    const { shown } = this.store;
    const open = shown?.view && this.takesWords() ? [shown.dir, ...verificationsOf(shown.view).map(({ file }) => file)].join('\n') : '';
    if (open === this.open) return;
    this.open = open;
    controller.commentingRangeProvider = {
      provideCommentingRanges: (document) => {
        const { shown: now } = this.store;
        const isOpen = now && this.takesWords() && aboutIn(now, document, 0) !== undefined;
        return isOpen ? [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)] : [];
      },
    };
  }

  private takesWords(): boolean {
    const { shown, resumable } = this.store;
    return shown?.running === true || resumable || Boolean(shown?.view?.elsewhere);
  }

  private async showWords(controller: vscode.CommentController): Promise<void> {
    const { shown } = this.store;
    const words = shown?.view?.words ?? [];
    const texts = shown && words.length > 0 ? await Promise.all(documents.map((file) => textOf(path.join(shown.dir, file)))) : [];
    const seen = JSON.stringify([shown?.dir, shown?.view?.branch, words, texts]);
    if (seen === this.seen) return;
    this.seen = seen;
    const placed = shown ? placedWords(shown, texts) : new Map<string, PlacedWord>();
    for (const [key, thread] of this.threads) if (!placed.has(key)) this.forget(key, thread);
    for (const [key, { uri, range, words: said, read }] of placed) {
      const thread = this.threads.get(key) ?? controller.createCommentThread(uri, range, []);
      this.threads.set(key, thread);
      thread.range = range;
      thread.canReply = false;
      thread.label = read;
      thread.comments = [commentOf(said)];
    }
  }

  private forget(key: string, thread: vscode.CommentThread): void {
    this.threads.delete(key);
    thread.dispose();
  }

  private create(): vscode.CommentController {
    const controller = vscode.comments.createCommentController('loop.words', 'Loop');
    controller.options = { prompt: t('Tell the agents…'), placeHolder: t('What should they know or do?') };
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

interface PlacedWord {
  uri: vscode.Uri;
  range: vscode.Range;
  words: string;
  read: string;
}

/** Words that have a place in a document, by their keys. @param texts of `documents` */
function placedWords(shown: Shown, texts: readonly string[]): Map<string, PlacedWord> {
  const { dir, view } = shown;
  const places = placesOf(shown, texts);
  const placed = (view?.words ?? []).flatMap(({ id, about, words, read }): [string, PlacedWord][] => {
    const place = places.get(about);
    if (!place) return [];
    const range = new vscode.Range(place.line, 0, place.line, 0);
    return [[`${dir}#${view?.branch}#${id}#${place.uri.fsPath}`, { uri: place.uri, range, words, read }]];
  });
  return new Map(placed);
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
