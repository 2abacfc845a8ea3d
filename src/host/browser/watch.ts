/** What one page does by itself: loading, its console, dialogs, new tabs. Settled is when nothing is on its way any more. */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

/** Milliseconds without anything on its way after which a page counts as settled, and that it may take. */
const quiet = 250;
const patience = 10_000;
const step = 50;
/** Lines of the console that are kept, and characters of one. */
const mostLines = 100;
const longestLine = 500;

const remote = z.object({ value: z.unknown().optional(), description: z.string().optional() });
const shapes = {
  frame: z.object({ frameId: z.string() }),
  request: z.object({ requestId: z.string() }),
  response: z.object({
    type: z.string(),
    frameId: z.string().optional(),
    response: z.object({ status: z.number(), url: z.string() }),
  }),
  called: z.object({ type: z.string(), args: z.array(remote) }),
  thrown: z.object({ exceptionDetails: z.object({ text: z.string(), exception: remote.optional() }) }),
  entry: z.object({ entry: z.object({ level: z.string(), text: z.string(), url: z.string().optional() }) }),
  dialog: z.object({ type: z.string(), message: z.string() }),
  tab: z.object({ targetInfo: z.object({ type: z.string(), url: z.string(), openerId: z.string().optional() }) }),
};

export class Watch {
  readonly #open = new Set<string>();
  #loading = false;
  #busy = Date.now();
  #lines: string[] = [];
  #told = 0;
  /** Id of the page's own frame: what it embeds is neither its status nor what it waits for. */
  main = '';
  /** Of the last document that a server answered with. */
  status: number | undefined;

  /** @param onDialog closes a dialog: nothing goes on before. */
  constructor(private readonly onDialog: () => void) {}

  take(method: string, params: unknown): void {
    switch (method) {
      case 'Page.frameStartedLoading':
      case 'Page.frameStoppedLoading':
        return this.#with(shapes.frame, params, ({ frameId }) => {
          if (frameId === this.main) this.#at(() => (this.#loading = method === 'Page.frameStartedLoading'));
        });
      case 'Network.requestWillBeSent':
        return this.#with(shapes.request, params, ({ requestId }) => this.#at(() => this.#open.add(requestId)));
      case 'Network.loadingFinished':
      case 'Network.loadingFailed':
        return this.#with(shapes.request, params, ({ requestId }) => this.#at(() => this.#open.delete(requestId)));
      case 'Network.responseReceived':
        return this.#with(shapes.response, params, ({ type, frameId, response }) => {
          if (type === 'Document' && frameId === this.main) this.status = response.status;
        });
      default:
        return this.#listen(method, params);
    }
  }

  /** Until nothing is on its way, or for so long as somebody would wait. */
  async settled(): Promise<void> {
    this.#busy = Date.now();
    const end = Date.now() + patience;
    while (Date.now() < end && (this.#loading || this.#open.size > 0 || Date.now() - this.#busy < quiet)) await delay(step);
    // What is still open then streams or polls.
    this.#open.clear();
  }

  /** What went wrong or was said since this was last asked for. */
  news(): string[] {
    const fresh = this.#lines.slice(this.#told);
    this.#told = this.#lines.length;
    return fresh;
  }

  get all(): readonly string[] {
    return this.#lines;
  }

  #listen(method: string, params: unknown): void {
    switch (method) {
      case 'Runtime.consoleAPICalled':
        return this.#with(shapes.called, params, ({ type, args }) => this.#say(`console.${type}: ${args.map(words).join(' ')}`));
      case 'Runtime.exceptionThrown':
        return this.#with(shapes.thrown, params, ({ exceptionDetails: { text, exception } }) =>
          this.#say(`uncaught: ${exception?.description ?? text}`),
        );
      case 'Log.entryAdded':
        return this.#with(shapes.entry, params, ({ entry: { level, text, url = '' } }) => {
          // That one the browser asks for by itself.
          if (!url.endsWith('/favicon.ico')) this.#say(`${level}: ${text} ${url}`);
        });
      case 'Page.javascriptDialogOpening':
        return this.#with(shapes.dialog, params, ({ type, message }) => {
          this.#say(`dialog: ${type} ${JSON.stringify(message)}, answered with OK`);
          this.onDialog();
        });
      case 'Target.targetCreated':
        return this.#with(shapes.tab, params, ({ targetInfo: { type, url, openerId } }) => {
          if (type === 'page' && openerId !== undefined) this.#say(`a new tab was opened: ${url || 'an address that it loads by itself'}`);
        });
    }
  }

  #say(line: string): void {
    if (this.#lines.length < mostLines) this.#lines.push(line.replaceAll(/\s+/g, ' ').trim().slice(0, longestLine));
  }

  #at(change: () => unknown): void {
    change();
    this.#busy = Date.now();
  }

  #with<T>(shape: z.ZodType<T>, params: unknown, use: (value: T) => void): void {
    const { data } = shape.safeParse(params);
    if (data !== undefined) use(data);
  }
}

function words({ value, description }: z.infer<typeof remote>): string {
  return typeof value === 'string' ? value : (description ?? JSON.stringify(value) ?? 'undefined');
}
