/**
 * Read-only documents: instructions of a human action, changes, outputs, scripts, sessions, iterations. They open as plain text,
 * never as a rendered preview: text of a model must not load a picture or follow a link.
 */
import * as vscode from 'vscode';
import { withoutCommandLinks } from '../../engine/ground/text.ts';
import type { FileSides } from '../../engine/work/tree.ts';
import type { EngineClient } from './engine-client.ts';
import { documentScheme } from './names.ts';
import { accessibilityHelp } from '../../views/model/accessibility-help.ts';
import { pipelinesText, treesText } from '../../views/model/tree-text.ts';
import { agentFolders } from './agent-tools.ts';
import { foldsOf } from '../../views/model/folds.ts';
import type { ShownPipeline } from '../../views/model/pipeline-nodes.ts';
import type { Opens } from '../../views/model/tree-node.ts';
import type { PipelineStore } from './pipeline-store.ts';
import { isInWorkspace } from './sprint-folders.ts';
import type { SprintStore } from './sprint-store.ts';
import { t } from '../../views/words.ts';
import { readJson } from '../../engine/ground/loose.ts';

export interface DocumentTarget {
  sprintDir: string;
  what: 'payload' | 'side' | 'human-action' | 'decision' | 'session' | 'iteration' | 'history' | 'trees' | 'pipelines' | 'help';
  /**
   * A session's step, `<node>#<number>` of an iteration, a payload's hash, git's hash of one side of a change, id of the human
   * action, id of the verification, or number of decisions; empty for what needs none.
   */
  ref: string;
  /** Tab title; its file extension sets the language. */
  title: string;
}

const refreshMs = 1000;

/** Open documents of what goes on are read again while it does. */
export function registerDocuments(engine: () => EngineClient, store: SprintStore, pipelines: PipelineStore): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  let timer: NodeJS.Timeout | undefined;
  /** The session that was under way, so that its end is shown too. */
  let last: (string | null)[] = [];
  const refresh = (): void => {
    timer = undefined;
    const now = [store.shown?.view?.current?.session ?? null, ...pipelines.underWay.map(sessionIn)];
    const open = vscode.workspace.textDocuments.map(({ uri }) => uri).filter(({ scheme }) => scheme === documentScheme);
    for (const uri of open) {
      const { what, ref } = partsOf(uri.query) ?? {};
      if ((what && growing.includes(what)) || (what === 'session' && [...now, ...last].includes(ref ?? ''))) changed.fire(uri);
    }
    last = now;
  };
  const soon = (): void => void (timer ??= setTimeout(refresh, refreshMs));
  const provideTextDocumentContent = (uri: vscode.Uri): Promise<string> => contentOf(uri, { engine, store, pipelines });
  const provider = { onDidChange: changed.event, provideTextDocumentContent };
  return vscode.Disposable.from(
    changed,
    store.onDidChange(soon),
    store.onDidAct(soon),
    pipelines.onDidChange(soon),
    { dispose: () => clearTimeout(timer) },
    vscode.workspace.onDidChangeTextDocument(followGrowth),
    vscode.languages.registerFoldingRangeProvider({ scheme: documentScheme, language: 'markdown' }, { provideFoldingRanges }),
    vscode.workspace.registerTextDocumentContentProvider(documentScheme, provider),
  );
}

const growing: readonly DocumentTarget['what'][] = ['human-action', 'iteration', 'history', 'trees', 'pipelines'];

function sessionIn({ view }: ShownPipeline): string | null {
  return view.stages.map(({ now }) => now?.session ?? null).find((step) => step !== null) ?? null;
}

/** Who looks at the end of a session keeps seeing its end; who scrolled up is left alone. */
function followGrowth({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
  if (document.uri.scheme !== documentScheme || partsOf(document.uri.query)?.what !== 'session') return;
  const endBefore = Math.max(...contentChanges.map(({ range }) => range.end.line));
  for (const editor of vscode.window.visibleTextEditors) {
    const seen = Math.max(editor.visibleRanges.at(-1)?.end.line ?? 0, editor.selection.active.line + 1);
    if (editor.document === document && seen >= endBefore) goToEnd(editor);
  }
}

function goToEnd(editor: vscode.TextEditor): void {
  const { end } = editor.document.lineAt(editor.document.lineCount - 1).range;
  editor.selection = new vscode.Selection(end, end);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.Default);
}

/** Of our own, since the one for markdown is not there yet when the first session is opened. */
function provideFoldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] {
  return foldsOf(document.getText()).map(({ from, to }) => new vscode.FoldingRange(from, to));
}

/** Opens a session at its end, with the results of calls folded. */
export async function openSession(target: Pick<DocumentTarget, 'sprintDir' | 'ref' | 'title'>): Promise<void> {
  const editor = await openDocument({ ...target, what: 'session', title: `${target.title}.md` });
  // The editor may ask for the ranges only later, on a busy machine; then the command finds nothing to fold.
  const results = foldsOf(editor.document.getText()).filter(({ from }) => editor.document.lineAt(from).text.startsWith('### '));
  for (let tries = 0; tries < mostFoldTries && isActive(editor); tries += 1) {
    await vscode.commands.executeCommand('editor.foldLevel3');
    await new Promise((resolve) => setTimeout(resolve, 100));
    if (!isShown(results, editor)) break;
  }
  goToEnd(editor);
}

const mostFoldTries = 30;

/** The command folds whatever editor is active. */
function isActive({ document }: vscode.TextEditor): boolean {
  return vscode.window.activeTextEditor?.document === document;
}

function isShown(results: readonly { from: number }[], { visibleRanges }: vscode.TextEditor): boolean {
  return results.some(({ from }) => visibleRanges.some(({ start, end }) => start.line <= from + 1 && from + 1 <= end.line));
}

/** Opens an iteration of a pipeline. */
export async function openIteration({ dir, node, n }: Extract<Opens, { kind: 'iteration' }>): Promise<void> {
  await openDocument({ sprintDir: dir, what: 'iteration', ref: `${node}#${n}`, title: `${node} ${n}.md` });
}

/** The iteration that a document shows. */
export function iterationIn(uri: vscode.Uri): Extract<Opens, { kind: 'iteration' }> | undefined {
  const parts = uri.scheme === documentScheme ? partsOf(uri.query) : undefined;
  return parts?.what === 'iteration' ? { kind: 'iteration', dir: parts.sprintDir, ...iterationOf(parts.ref) } : undefined;
}

function iterationOf(ref: string): { node: string; n: number } {
  const at = ref.lastIndexOf('#');
  return { node: ref.slice(0, at), n: Number(ref.slice(at + 1)) };
}

export async function openDocument(target: DocumentTarget): Promise<vscode.TextEditor> {
  const uri = uriOf({ ...target, title: target.title.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '-') });
  return vscode.window.showTextDocument(uri, { preview: true, preserveFocus: false });
}

/** Opens a change in the editor's own view of changes, or as a patch when git no longer has one of its files. */
export async function openChange(engine: EngineClient, target: Pick<DocumentTarget, 'sprintDir' | 'ref' | 'title'>): Promise<void> {
  const { sprintDir, ref, title } = target;
  const files = await engine.request('change-sides', { sprintDir, ref });
  if (!files) return void (await openDocument({ sprintDir, ref, what: 'payload', title: `${title} ${ref.slice(0, 7)}.diff` }));
  await openSides(sprintDir, title, files);
}

/** Opens files with both their sides in one view of the editor's own. */
export async function openSides(sprintDir: string, title: string, files: readonly FileSides[]): Promise<void> {
  const sides = files.map(({ path, before, after }) => {
    const uri = (hash: string | null): vscode.Uri | undefined =>
      hash === null ? undefined : uriOf({ sprintDir, what: 'side', ref: hash, title: path });
    return [uri(after ?? before), uri(before), uri(after)];
  });
  await vscode.commands.executeCommand('vscode.changes', title, sides);
}

/** One side of a comparison: a payload by its hash, and its name, whose file extension sets the language. */
export interface Side {
  ref: string;
  name: string;
}

/** Opens two payloads side by side. */
export async function openTexts(sprintDir: string, before: Side, after: Side, title: string): Promise<void> {
  const uri = ({ ref, name }: Side): vscode.Uri => uriOf({ sprintDir, what: 'payload', ref, title: name });
  await vscode.commands.executeCommand('vscode.diff', uri(before), uri(after), title, { preview: true });
}

/** Opens a payload beside a file of the person's, which they can edit there. */
export async function openAgainst(sprintDir: string, { ref, name }: Side, file: vscode.Uri, title: string): Promise<void> {
  const before = uriOf({ sprintDir, what: 'payload', ref, title: name });
  await vscode.commands.executeCommand('vscode.diff', before, file, title, { preview: false });
}

/**
 * The title is the path, because the editor takes the tab's name and the language from the path. That of an iteration has a folder, by
 * which package.json tells it from a session of the same name.
 */
function uriOf({ title, ...query }: DocumentTarget): vscode.Uri {
  const folder = query.what === 'iteration' ? 'iteration/' : '';
  return vscode.Uri.from({ scheme: documentScheme, path: `/${folder}${title}`, query: JSON.stringify(query) });
}

interface Sources {
  engine: () => EngineClient;
  store: SprintStore;
  pipelines: PipelineStore;
}

async function contentOf(uri: vscode.Uri, { engine, store, pipelines }: Sources): Promise<string> {
  const target = partsOf(uri.query);
  if (target?.what === 'help') return accessibilityHelp();
  if (target?.what === 'pipelines') return pipelinesText(pipelines.shown);
  if (!target || !(isInWorkspace(target.sprintDir) || pipelines.knows(target.sprintDir))) return t('This document is no longer there.');
  const { sprintDir, what, ref } = target;
  // Bytes as they are: they are compared.
  if (what === 'payload') return engine().request('payload', { sprintDir, ref });
  if (what === 'side') return engine().request('side-text', { sprintDir, hash: ref });
  return withoutCommandLinks(await markdownOf({ sprintDir, what, ref }, { engine, store }));
}

async function markdownOf(
  { sprintDir, what, ref }: Omit<DocumentTarget, 'title'>,
  { engine, store }: Omit<Sources, 'pipelines'>,
): Promise<string> {
  if (what === 'session') return engine().request('session', { sprintDir, step: ref });
  if (what === 'decision') return engine().request('explanation', { sprintDir });
  if (what === 'trees') return treesOf(sprintDir, store) ?? t('This document is no longer there.');
  if (what === 'history') {
    const asked = { sprint: sprintDir, verification: ref };
    return engine().request('agent-question', { folders: agentFolders(), question: 'loop_failure', asked });
  }
  if (what === 'iteration') return engine().request('iteration', { sprintDir, ...iterationOf(ref) });
  return engine().request('instructions', { sprintDir, id: ref });
}

/** Undefined where the window shows another sprint now. */
function treesOf(sprintDir: string, { shown }: SprintStore): string | undefined {
  if (shown?.dir !== sprintDir || !shown.view) return undefined;
  const { view, running, activity, broke } = shown;
  return treesText(view, running || view.elsewhere !== null, { activity, broke });
}

/** Any extension can open such a URI, so only well-formed ones are accepted, and only of this workspace. */
function partsOf(query: string): Omit<DocumentTarget, 'title'> | undefined {
  const value = readJson(query);
  if (typeof value !== 'object' || value === null) return undefined;
  const { sprintDir, what, ref } = value as Record<string, unknown>;
  if (typeof sprintDir !== 'string' || typeof ref !== 'string') return undefined;
  if (what === 'payload') return /^[0-9a-f]{64}$/.test(ref) ? { sprintDir, what, ref } : undefined;
  if (what === 'side') return /^[0-9a-f]{40,64}$/.test(ref) ? { sprintDir, what, ref } : undefined;
  if (what === 'iteration') return /#\d+$/.test(ref) ? { sprintDir, what, ref } : undefined;
  const others = ['human-action', 'decision', 'session', 'history', 'trees', 'pipelines', 'help'] as const;
  const known = others.find((one) => one === what);
  return known && { sprintDir, what: known, ref };
}
