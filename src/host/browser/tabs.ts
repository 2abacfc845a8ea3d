/**
 * The tabs of a browser, by number. One is in front, and what a user does is done there. They have one profile, clock, viewport and way
 * to answer dialogs, and each has its own page, console and history. A tab that a page opens is held until it is followed, so that
 * nothing of it is missed.
 */
import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import type { BrowserAction, BrowserAnswer } from '../../engine/ports.ts';
import { Clock } from './clock.ts';
import { BrowserProblem, connect, type Connection } from './connection.ts';
import { Downloads, type DownloadPlace } from './downloads.ts';
import { Page, type Shared } from './page.ts';
import type { PageReach } from './page-reach.ts';
import { mostTabs, tabNumbers } from './tab-numbers.ts';
import { Watch } from './watch.ts';

const shapes = {
  created: z.object({ targetId: z.string() }),
  attached: z.object({ sessionId: z.string(), targetInfo: z.object({ targetId: z.string(), openerId: z.string().optional() }) }),
  detached: z.object({ sessionId: z.string() }),
};

interface TabsOptions {
  /** Milliseconds within which the browser must answer first. */
  startup: number;
  isBrief: boolean;
  downloads: DownloadPlace;
  /** Writes down what pages reach. */
  reach?: PageReach | undefined;
}

interface Tab {
  number: number;
  session: string;
  target: string;
  /** Target of the tab whose page opened it. */
  opener?: string;
  page: Page;
  /** Settled once the page is followed. */
  begun: Promise<unknown>;
}

export class Tabs {
  /** Whether dialogs are answered with OK. */
  accept = true;
  private readonly connection: Connection;
  private readonly downloads: Downloads;
  private readonly shared: Shared;
  private readonly open: Tab[] = [];
  /** Sessions of tabs that no page opened, by target. */
  private readonly sessions = new Map<string, string>();
  /** The number of a tab that is being opened: a page may open another one meanwhile. */
  private coming: number | undefined;
  /** What tabs threw that were closed since. */
  private uncaught: string[] = [];
  private front = 1;

  private constructor(
    stdin: Writable,
    output: Readable,
    private readonly options: TabsOptions,
  ) {
    this.connection = connect(stdin, output, (method, params) => this.take(method, params));
    this.downloads = new Downloads(options.downloads);
    this.shared = { size: { width: 1280, height: 800 }, clock: new Clock(), isBrief: options.isBrief };
  }

  static async create(stdin: Writable, output: Readable, options: TabsOptions): Promise<Tabs> {
    const tabs = new Tabs(stdin, output, options);
    const held = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: [{ type: 'page' }] };
    await tabs.connection.send('Target.setAutoAttach', held, options.startup);
    const saved = { behavior: 'allow', downloadPath: options.downloads.folder, eventsEnabled: true };
    await tabs.connection.send('Browser.setDownloadBehavior', saved);
    await tabs.tab(1);
    return tabs;
  }

  async act(action: BrowserAction): Promise<BrowserAnswer> {
    switch (action.action) {
      case 'tab':
        return this.show(action.number);
      case 'open':
        return this.use((page) => page.open(action.url));
      case 'viewport':
        this.shared.size = { width: action.width, height: action.height };
        await Promise.all(this.open.map(({ page }) => page.resize()));
        return this.use((page) => page.describe());
      case 'clock': {
        const refused = await this.shared.clock.set(action.when);
        return refused === undefined ? this.use((page) => page.describe()) : { refused };
      }
      default:
        return this.use((page) => page.act(action));
    }
  }

  /** Does something with the page in front. Where its tab closes by that, the answer is what is in front then. */
  async use(act: (page: Page) => Promise<BrowserAnswer>): Promise<BrowserAnswer> {
    const tab = await this.tab(this.front);
    try {
      return await act(tab.page);
    } catch (error) {
      if (this.open.includes(tab)) throw error;
      return (await this.tab(this.front)).page.read();
    }
  }

  /** Whether the page in front held the text when it was read last, also where it was not printed. */
  hasShown(text: string): boolean {
    return this.inFront?.page.hasShown(text) ?? false;
  }

  /** What this answer says of downloads is told no more. Of several acts in a row, only the last one's answer is read. */
  told(text: string): void {
    this.downloads.forget(text);
  }

  /** What the pages threw since the last call, and nobody caught; of several tabs, with which it was. */
  takeUncaught(): string[] {
    const [one, ...others] = this.open;
    const uncaught = others.length === 0 ? (one?.page.watch.takeUncaught() ?? []) : this.open.flatMap(uncaughtIn);
    return [...this.uncaught.splice(0), ...uncaught];
  }

  private get inFront(): Tab | undefined {
    return this.open.find(({ number }) => number === this.front) ?? this.open[0];
  }

  private async show(number: number): Promise<BrowserAnswer> {
    const isNew = this.open.every((tab) => tab.number !== number);
    const { page } = await this.tab(number);
    this.front = number;
    await page.show();
    return isNew ? { text: `Tab ${number} is new and empty.` } : page.read();
  }

  /** The one of this number; a new one where there is none. */
  private async tab(number: number): Promise<Tab> {
    const tab = this.open.find((known) => known.number === number) ?? (await this.create(number));
    await tab.begun;
    return tab;
  }

  private async create(number: number): Promise<Tab> {
    this.coming = number;
    const created = await this.connection.send('Target.createTarget', { url: 'about:blank' }, this.options.startup);
    const target = shapes.created.parse(created).targetId;
    const session = this.sessions.get(target);
    this.coming = undefined;
    if (session === undefined) throw new BrowserProblem('The browser opened no tab.');
    return this.follow({ number, session, target });
  }

  /** Its page goes on once all of this is done. */
  private follow(of: Omit<Tab, 'page' | 'begun'>): Tab {
    const onDialog = (): boolean => {
      void connection.send('Page.handleJavaScriptDialog', { accept: this.accept }).catch(() => undefined);
      return this.accept;
    };
    const watch = new Watch(onDialog, this.downloads);
    const connection = this.connection.session(of.session, (method, params) => watch.take(method, params));
    const page = new Page(connection, watch, this.shared);
    const reached = this.options.reach?.add(connection) ?? Promise.resolve();
    const begun = Promise.all([page.begin(), reached, connection.send('Runtime.runIfWaitingForDebugger')]);
    const tab = { ...of, page, begun };
    // One that a page opens may be closed before anybody asks.
    begun.catch(() => undefined);
    this.open.push(tab);
    return tab;
  }

  private take(method: string, params: unknown): void {
    if (method === 'Target.attachedToTarget') {
      const { data } = shapes.attached.safeParse(params);
      if (data) this.attached(data);
    } else if (method === 'Target.detachedFromTarget') {
      const { data } = shapes.detached.safeParse(params);
      const tab = this.open.find(({ session }) => session === data?.sessionId);
      if (tab) this.detached(tab);
    } else this.inFront?.page.watch.take(method, params);
  }

  private attached({ sessionId, targetInfo: { targetId, openerId } }: z.infer<typeof shapes.attached>): void {
    const watch = (this.open.find(({ target }) => target === openerId) ?? this.inFront)?.page.watch;
    if (openerId === undefined || !watch) return void this.sessions.set(targetId, sessionId);
    const number = tabNumbers.find((free) => free !== this.coming && this.open.every((tab) => tab.number !== free));
    if (number === undefined) {
      watch.note(`a new tab was opened, and closed since there are ${mostTabs}: ${watch.opening}`);
      // The page that opened it waits for it to go on.
      const goOn = this.connection.session(sessionId, () => undefined).send('Runtime.runIfWaitingForDebugger');
      return void Promise.all([goOn, this.connection.send('Target.closeTarget', { targetId })]).catch(() => undefined);
    }
    watch.note(`a new tab was opened as tab ${number}: ${watch.opening}`);
    // The browser puts it in front, where nobody uses it yet.
    this.follow({ number, session: sessionId, target: targetId, opener: openerId })
      .begun.then(() => this.inFront?.page.show())
      .catch(() => undefined);
  }

  private detached(tab: Tab): void {
    this.open.splice(this.open.indexOf(tab), 1);
    this.uncaught.push(...uncaughtIn(tab));
    const { connection } = tab.page;
    connection.close();
    this.shared.clock.forget(connection);
    this.options.reach?.forget(connection);
    const opener = tab.number === this.front ? this.open.find(({ target }) => target === tab.opener) : undefined;
    const next = opener ?? this.inFront;
    this.front = next?.number ?? 1;
    next?.page.watch.note(`tab ${tab.number} was closed`);
    void next?.page.show().catch(() => undefined);
  }
}

function uncaughtIn({ number, page }: Tab): string[] {
  return page.watch.takeUncaught().map((line) => `tab ${number}: ${line}`);
}
