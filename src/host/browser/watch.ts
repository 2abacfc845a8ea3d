/** Follows what the page of one tab does by itself: loading, console, dialogs. It is settled when no request is open any more. */
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { counted, pieceOf } from '../../engine/ground/text.ts';
import { Downloads } from './downloads.ts';

/** A page counts as settled after this time without a request. */
const quietMs = 250;
const maxWaitMs = 10_000;
const pollMs = 50;
export const mostLines = 100;
export const longestLine = 500;

const remote = z.object({ value: z.unknown().optional(), description: z.string().optional() });
const shapes = {
  frame: z.object({ frameId: z.string() }),
  navigated: z.object({ type: z.string() }),
  request: z.object({ requestId: z.string() }),
  response: z.object({
    type: z.string(),
    frameId: z.string().optional(),
    response: z.object({ status: z.number(), url: z.string() }),
  }),
  called: z.object({ type: z.string(), args: z.array(remote) }),
  thrown: z.object({ exceptionDetails: z.object({ text: z.string(), exception: remote.optional() }) }),
  entry: z.object({ entry: z.object({ level: z.string(), text: z.string(), url: z.string().optional() }) }),
  chooser: z.object({ backendNodeId: z.number().optional() }),
  dialog: z.object({ type: z.string(), message: z.string() }),
  opening: z.object({ url: z.string() }),
};

/** A file chooser that the page opened, and the browser's id of its input, where one has it. */
export interface Chooser {
  node: number | undefined;
}

export class Watch {
  private readonly openRequests = new Set<string>();
  private loading = false;
  private lastActivity = Date.now();
  private lines: string[] = [];
  private reported = 0;
  private left = 0;
  private uncaught: string[] = [];
  /** Address of the last tab that it opened. */
  opening = '';
  /** The last one that was opened. */
  chooser: Chooser | undefined;
  /** What to do where a page comes back as it was left, without being loaded. */
  onRestored: () => void = () => undefined;
  /** Id of the page's main frame; embedded frames have no effect on `status` and on waiting. */
  main = '';
  /** HTTP status of the last document. */
  status: number | undefined;

  /** @param onDialog closes a dialog, which blocks the page until then, and tells whether with OK. @param downloads of all tabs. */
  constructor(
    private readonly onDialog: () => boolean,
    readonly downloads = new Downloads(),
  ) {}

  take(method: string, params: unknown): void {
    switch (method) {
      case 'Page.frameStartedLoading':
      case 'Page.frameStoppedLoading':
        return this.parse(shapes.frame, params, ({ frameId }) => {
          if (frameId === this.main) this.track(() => (this.loading = method === 'Page.frameStartedLoading'));
        });
      case 'Page.frameNavigated':
        return this.parse(shapes.navigated, params, ({ type }) => {
          if (type === 'BackForwardCacheRestore') this.track(() => this.onRestored());
        });
      case 'Network.requestWillBeSent':
        return this.parse(shapes.request, params, ({ requestId }) => this.track(() => this.openRequests.add(requestId)));
      case 'Network.loadingFinished':
      case 'Network.loadingFailed':
        return this.parse(shapes.request, params, ({ requestId }) => this.track(() => this.openRequests.delete(requestId)));
      case 'Network.responseReceived':
        return this.parse(shapes.response, params, ({ type, frameId, response }) => {
          if (type === 'Document' && frameId === this.main) this.status = response.status;
        });
      case 'Page.fileChooserOpened':
        return this.parse(shapes.chooser, params, ({ backendNodeId }) => (this.chooser = { node: backendNodeId }));
      case 'Page.windowOpen':
        return this.parse(shapes.opening, params, ({ url }) => (this.opening = url));
      case 'Browser.downloadWillBegin':
      case 'Browser.downloadProgress':
        return this.track(() => this.downloads.take(method, params));
      default:
        return this.readConsole(method, params);
    }
  }

  /** Waits until no request is open and nothing is being downloaded, at most `maxWaitMs`. */
  async settled(): Promise<void> {
    this.lastActivity = Date.now();
    const end = Date.now() + maxWaitMs;
    while (Date.now() < end && this.isBusy) await delay(pollMs);
    // Requests that are still open stream or poll.
    this.openRequests.clear();
    this.downloads.giveUp();
  }

  private get isBusy(): boolean {
    const isOpen = this.loading || this.openRequests.size > 0 || this.downloads.areComing;
    return isOpen || Date.now() - this.lastActivity < quietMs;
  }

  /** Returns the lines since the last call. */
  newLines(): string[] {
    const fresh = this.lines.slice(this.reported);
    this.reported = this.lines.length;
    return fresh;
  }

  /** What the page threw since the last call, and nobody caught: however much it printed. */
  takeUncaught(): string[] {
    const thrown = this.uncaught;
    this.uncaught = [];
    return thrown;
  }

  get allLines(): readonly string[] {
    return this.left === 0 ? this.lines : [...this.lines, `[… ${counted(this.left, 'line')} left out]`];
  }

  /** A line of what happened to its tabs. */
  note(text: string): void {
    this.track(() => this.addLine(text));
  }

  private readConsole(method: string, params: unknown): void {
    switch (method) {
      case 'Runtime.consoleAPICalled':
        return this.parse(shapes.called, params, ({ type, args }) => this.addLine(`console.${type}: ${args.map(words).join(' ')}`));
      case 'Runtime.exceptionThrown':
        return this.parse(shapes.thrown, params, ({ exceptionDetails: { text, exception } }) => {
          const line = this.addLine(`uncaught: ${exception?.description ?? text}`);
          if (this.uncaught.length < mostLines) this.uncaught.push(line);
        });
      case 'Log.entryAdded':
        return this.parse(shapes.entry, params, ({ entry: { level, text, url = '' } }) => {
          // The browser requests this one by itself, so a missing one is no fault of the page.
          if (!url.endsWith('/favicon.ico')) this.addLine(`${level}: ${text} ${url}`);
        });
      case 'Page.javascriptDialogOpening':
        return this.parse(shapes.dialog, params, ({ type, message }) => {
          const answer = this.onDialog() ? 'OK' : 'Cancel';
          this.addLine(`dialog: ${type} ${JSON.stringify(message)}, answered with ${answer}`);
        });
    }
  }

  /** @returns the line as it is kept, where there are not too many. */
  private addLine(text: string): string {
    const whole = text.replaceAll(/\s+/g, ' ').trim();
    const more = whole.length - longestLine;
    const line = more > 0 ? `${pieceOf(whole, 0, longestLine)}… (${counted(more, 'character')} left out)` : whole;
    if (this.lines.length < mostLines) this.lines.push(line);
    else this.left += 1;
    return line;
  }

  private track(change: () => unknown): void {
    change();
    this.lastActivity = Date.now();
  }

  private parse<T>(shape: z.ZodType<T>, params: unknown, use: (value: T) => void): void {
    const { data } = shape.safeParse(params);
    if (data !== undefined) use(data);
  }
}

function words({ value, description }: z.infer<typeof remote>): string {
  return typeof value === 'string' ? value : (description ?? JSON.stringify(value) ?? 'undefined');
}
