/** The failure-history panels: one per verification, updated while the sprint runs, restored after a reload. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { HistoryView } from '../../views/model/history-view.ts';
import { changeWords, refsOf } from '../../views/model/history-refs.ts';
import { plain } from '../../views/model/display-text.ts';
import { parseFromPage, parsePanelState, type FromPage, type PanelState, type ToPage } from '../../views/page/page-messages.ts';
import { pageHtml } from '../../views/page/page-html.ts';
import { t } from '../../views/words.ts';
import { whyFailed } from './sprint-store.ts';

/** What the panels need from the extension. */
export interface HistorySource {
  history(state: PanelState): Promise<HistoryView | null>;
  openPayload(state: PanelState, ref: string, title: string): Promise<void>;
  /** Opens a change of the tree; `ref` is its patch. */
  openChange(state: PanelState, ref: string, title: string): Promise<void>;
  /** Shows the edit of the verification's file, and asks whether to adopt it. */
  adoptEdit(state: PanelState): Promise<void>;
  discardEdit(state: PanelState): Promise<void>;
  /** Whether a restored state names a sprint of this workspace. */
  isKnown(state: PanelState): boolean;
  /** Tells the folder of a sprint of which something may have changed. */
  readonly onDidChange: vscode.Event<string>;
}

const refreshMs = 250;

export class HistoryPanels implements vscode.WebviewPanelSerializer {
  private readonly open = new Map<string, { panel: vscode.WebviewPanel; state: PanelState }>();

  constructor(
    private readonly type: string,
    private readonly extensionUri: vscode.Uri,
    private readonly source: HistorySource,
  ) {}

  /** What the panel in front shows. */
  get active(): PanelState | undefined {
    return [...this.open.values()].find(({ panel }) => panel.active)?.state;
  }

  show(state: PanelState): void {
    const known = this.open.get(keyOf(state));
    if (known) return known.panel.reveal();
    const panel = vscode.window.createWebviewPanel(this.type, titleOf(state), vscode.ViewColumn.Active, {
      retainContextWhenHidden: false,
    });
    this.attach(panel, state);
  }

  /** The editor gives a tab back only once it is looked at, and its history may have been opened anew before. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const state = parsePanelState(saved);
    const known = state && this.open.get(keyOf(state));
    if (state && !known && this.source.isKnown(state)) return this.attach(panel, state);
    panel.dispose();
    known?.panel.reveal();
  }

  private attach(panel: vscode.WebviewPanel, state: PanelState): void {
    const { webview } = panel;
    this.open.set(keyOf(state), { panel, state });
    const icon = (theme: string): vscode.Uri => vscode.Uri.joinPath(this.extensionUri, 'media', `history-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    const page = new Page(panel, state, this.source);
    webview.options = {
      enableScripts: true,
      localResourceRoots: ['media', 'dist'].map((dir) => vscode.Uri.joinPath(this.extensionUri, dir)),
    };
    const listeners = vscode.Disposable.from(
      webview.onDidReceiveMessage((message) => void this.receive(page, parseFromPage(message))),
      this.source.onDidChange((sprintDir) => void (sprintDir === state.sprintDir && page.refreshSoon())),
    );
    panel.onDidDispose(() => {
      this.open.delete(keyOf(state));
      page.dispose();
      listeners.dispose();
    });
    webview.html = this.html(webview);
  }

  private async receive(page: Page, message: FromPage | undefined): Promise<void> {
    if (message?.type === 'ready') await page.redraw();
    if (message?.type === 'open-history') this.show({ ...page.state, verification: message.verification });
    if (message?.type === 'open-payload') await page.openPayload(message);
    if (message?.type === 'adopt-edit') await this.source.adoptEdit(page.state);
    if (message?.type === 'discard-edit') await this.source.discardEdit(page.state);
  }

  private html(webview: vscode.Webview): string {
    const at = (...path: string[]): string => webview.asWebviewUri(vscode.Uri.joinPath(this.extensionUri, ...path)).toString();
    const nonce = randomBytes(16).toString('hex');
    const files = { script: at('dist', 'webview.js'), style: at('media', 'history.css'), cspSource: webview.cspSource, nonce };
    return pageHtml({ ...files, language: vscode.env.language, words: vscode.l10n.bundle ?? {} });
  }
}

/** The content of one panel. Its page may open only payloads of the history that it shows. */
class Page {
  private shown: HistoryView | null = null;
  private posted = '';
  /** Counts what was asked: an answer about an older state may come later. */
  private asked = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    readonly state: PanelState,
    private readonly source: HistorySource,
  ) {}

  refreshSoon(): void {
    this.timer ??= setTimeout(() => void this.refresh(), refreshMs);
  }

  /** Sends everything again, because a reloaded page is empty. */
  async redraw(): Promise<void> {
    this.posted = '';
    await this.refresh();
  }

  async refresh(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    // A hidden page is loaded again when it is shown, and then asks for its content.
    if (!this.panel.visible) return;
    const { state } = this;
    const asked = (this.asked += 1);
    const { history, why } = await this.source.history(state).then(
      (found) => ({ history: found, why: t('The sprint has no such verification now.') }),
      (error: unknown) => ({ history: null, why: plain(whyFailed(error), 1000) }),
    );
    if (asked !== this.asked) return;
    this.shown = history ?? this.shown;
    this.post(history ? { type: 'history', state, history } : { type: 'missing', state, why });
  }

  /** Ignores a payload that this page does not show: a message of the page is untrusted. */
  async openPayload({ ref, what }: Extract<FromPage, { type: 'open-payload' }>): Promise<void> {
    if (!this.shown || !refsOf(this.shown).has(ref)) return;
    if (what === 'diff') return this.source.openChange(this.state, ref, `${this.shown.verification}, ${changeWords(this.shown, ref)}`);
    const name = this.shown.verification.replaceAll('/', '-');
    const extension = { output: 'log', script: 'txt' }[what];
    await this.source.openPayload(this.state, ref, `${name} ${what} ${ref.slice(0, 7)}.${extension}`);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  /** Skips a repeated message, because it would only clear the person's selection. */
  private post(message: ToPage): void {
    const text = JSON.stringify(message);
    if (text === this.posted) return;
    this.posted = text;
    void this.panel.webview.postMessage(message);
  }
}

function keyOf({ sprintDir, verification }: PanelState): string {
  return `${sprintDir}\n${verification}`;
}

function titleOf({ verification }: PanelState): string {
  return t('History: {0}', plain(verification, 60));
}
