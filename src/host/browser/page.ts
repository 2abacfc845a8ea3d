/** The page of one tab and what a user does with it. Each action waits until the page is settled, and answers with what it then shows. */
import * as z from 'zod';
import type { BrowserAction, BrowserAnswer } from '../../engine/ports.ts';
import type { Clock } from './clock.ts';
import { BrowserProblem, type Connection } from './connection.ts';
import { keyOf, keyWords } from './keys.ts';
import { withCurrent } from './current.ts';
import { wholeTree } from './frames.ts';
import { textsApart } from './layout.ts';
import { changedPart, findTarget, hasTextsInTwo, outline, printed, type Outline, type Target } from './outline.ts';
import { colourOf } from './pixel.ts';
import { drag, point, touch, type Gesture } from './pointer.ts';
import { named, pointsOf, spotOf, type Point, type Spot } from './spots.ts';
import { upload } from './upload.ts';
import type { Watch } from './watch.ts';

/** Limit of a screenshot in bytes; a larger one is taken again at half its size. */
const maxBytes = 1024 * 1024;

const shapes = {
  frames: z.object({ frameTree: z.object({ frame: z.object({ id: z.string(), unreachableUrl: z.string().optional() }) }) }),
  navigated: z.object({ errorText: z.string().optional(), isDownload: z.boolean().optional() }),
  object: z.object({ object: z.object({ objectId: z.string() }) }),
  called: z.object({ result: z.object({ value: z.unknown().optional() }) }),
  evaluated: z.object({
    result: z.object({ value: z.unknown().optional() }),
    exceptionDetails: z.object({ exception: z.object({ description: z.string().optional() }).optional() }).optional(),
  }),
  picture: z.object({ data: z.base64() }),
  metrics: z.object({
    cssContentSize: z.object({ width: z.number() }),
    cssLayoutViewport: z.object({ clientWidth: z.number(), pageX: z.number(), pageY: z.number() }),
  }),
  history: z.object({
    currentIndex: z.number(),
    entries: z.array(z.object({ id: z.number(), url: z.string(), title: z.string() })),
  }),
};

/** What is done with the page in front; all else is done with the tabs. */
type PageAction = Exclude<BrowserAction, { action: 'open' | 'tab' | 'viewport' | 'clock' }>;

/** What counts in all tabs of a browser. */
export interface Shared {
  size: { width: number; height: number };
  clock: Clock;
  /** Whether an answer to an act leaves out what the page showed before; `open` and `read` show all of it. */
  isBrief: boolean;
}

/**
 * Runs before a document's own scripts. Asking for cookies waits until the browser has taken note of the document. A script that asked
 * for localStorage before that got an empty one, and what it kept was lost: at a few of a hundred loads, on a busy machine at ten
 * (`DOMStorageContextWrapper::IsRequestValid` in Chromium 156 tells of this race).
 */
const known = 'try { document.cookie; } catch {}';

export class Page {
  /** What was shown last, line by line. */
  private shown: readonly string[] = [];

  constructor(
    readonly connection: Connection,
    readonly watch: Watch,
    private readonly shared: Shared,
  ) {
    watch.onRestored = () => void shared.clock.setIn(connection).catch(() => undefined);
  }

  /** A tab that waits to be begun answers to nothing until then, so all is sent at once. */
  async begin(): Promise<void> {
    const { connection, shared, watch } = this;
    const mainFrame = async (): Promise<void> => void (watch.main = (await this.frame()).id);
    const domains = ['Page', 'Runtime', 'Network', 'DOM', 'Accessibility', 'Log'].map((domain) => connection.send(`${domain}.enable`));
    const first = connection.send('Page.addScriptToEvaluateOnNewDocument', { source: known });
    await Promise.all([...domains, mainFrame(), first, shared.clock.add(connection), this.resize()]);
  }

  async act(action: PageAction): Promise<BrowserAnswer> {
    switch (action.action) {
      case 'click':
      case 'doubleclick':
      case 'rightclick':
      case 'hover':
        return this.onSpots([action.target], ([spot]) => this.point(action.action, spot));
      case 'drag':
      case 'touch':
        return this.onSpots(action.points, (spots) => this.lead(action.action === 'drag' ? drag : touch, spots));
      case 'type':
        return this.onTarget(action.target, (target) => this.type(target, action.text));
      case 'upload':
        return this.onTarget(action.target, (target) => this.upload(target, action.file));
      case 'press':
        return this.press(action.key);
      case 'back':
        return this.back();
      case 'screenshot':
        return { ...(await this.describe(false)), png: await this.screenshot() };
      case 'console':
        return { text: this.watch.allLines.join('\n') || 'The console is empty.' };
      case 'read':
        return this.read();
    }
  }

  async open(url: string): Promise<BrowserAnswer> {
    this.watch.status = undefined;
    this.shown = [];
    if ((await this.isAt(url)) && (await this.reload())) return this.describe();
    const { errorText, isDownload } = shapes.navigated.parse(await this.connection.send('Page.navigate', { url }));
    if (errorText !== undefined && isDownload !== true) return { refused: `${url} could not be opened: ${errorText}.` };
    return this.describe();
  }

  /** Whether it shows this very address, with a fragment: to navigate there would not load it again. */
  private async isAt(url: string): Promise<boolean> {
    return url.includes('#') && URL.canParse(url) && new URL(url).href === (await this.entry()).url;
  }

  /** @returns false where it was not loaded; to navigate there then tells why. */
  private async reload(): Promise<boolean> {
    await this.connection.send('Page.reload');
    await this.watch.settled();
    return (await this.frame()).unreachableUrl === undefined;
  }

  private async frame(): Promise<{ id: string; unreachableUrl?: string | undefined }> {
    return shapes.frames.parse(await this.connection.send('Page.getFrameTree')).frameTree.frame;
  }

  /** Address, title, downloads, new lines of the console and, if `whole`, the outline of the page. */
  async describe(whole = true): Promise<{ text: string }> {
    await this.watch.settled();
    const { url = '', title = '' } = await this.entry();
    const news = this.watch.newLines().map((line) => `! ${line}`);
    const { status } = this.watch;
    const wrong = status === undefined || status < 400 ? [] : [`Status: ${status}`];
    const head = [`Address: ${url}`, `Title: ${title}`, ...wrong, ...(await this.overflow()), ...this.watch.downloads.lines(), ...news];
    return { text: [...head, ...(whole ? ['', await this.words()] : [])].join('\n') };
  }

  /** Where the page is wider than its window, which neither its outline nor a picture of the window tells. */
  private async overflow(): Promise<string[]> {
    const { cssContentSize, cssLayoutViewport } = await this.metrics();
    const [content = 0, window = 0] = [cssContentSize.width, cssLayoutViewport.clientWidth].map(Math.round);
    if (content <= window) return [];
    const { result } = shapes.evaluated.parse(await this.connection.send('Runtime.evaluate', { expression: cutsOff }));
    return result.value === true ? [] : [`Width: ${content} px, in a window of ${window} px`];
  }

  /** @param all not only the lines that are printed else. */
  async read(all = false): Promise<BrowserAnswer> {
    this.shown = [];
    const head = await this.describe(!all);
    return all ? { text: `${head.text}\n\n${(await this.outline()).lines.join('\n')}` } : head;
  }

  /** What the page keeps in localStorage, as a JSON object. @param entry is set before. */
  async stored(entry?: { key: string; text: string }): Promise<BrowserAnswer> {
    const set = entry ? `localStorage.setItem(${JSON.stringify(entry.key)}, ${JSON.stringify(entry.text)});` : '';
    const expression = `${set} JSON.stringify({ ...localStorage }, null, 1)`;
    const { result, exceptionDetails } = shapes.evaluated.parse(await this.connection.send('Runtime.evaluate', { expression }));
    if (exceptionDetails)
      return { refused: `The page has no localStorage, or it is full: ${exceptionDetails.exception?.description ?? ''}` };
    return { text: String(result.value) };
  }

  /** Whether a line that was read last holds the text, also one that was not printed. */
  hasShown(text: string): boolean {
    return this.shown.some((line) => line.includes(text));
  }

  private async words(): Promise<string> {
    const { lines } = await this.outline();
    const part = this.shared.isBrief ? changedPart(this.shown, lines) : undefined;
    this.shown = lines;
    return printed(part ?? lines) || '(the page shows nothing)';
  }

  private async outline(): Promise<Outline> {
    const nodes = await wholeTree(this.connection);
    return outline(await withCurrent(this.connection, nodes), hasTextsInTwo(nodes) ? await textsApart(this.connection) : undefined);
  }

  private async onTarget(wanted: string, act: (target: Target) => Promise<string | undefined>): Promise<BrowserAnswer> {
    const target = findTarget((await this.outline()).targets, wanted);
    if ('refused' in target) return target;
    const refused = await act(target);
    return refused === undefined ? this.describe() : { refused };
  }

  /** Finds all of them before anything is done. */
  private async onSpots(wanted: readonly string[], act: (spots: Spot[]) => Promise<string | undefined>): Promise<BrowserAnswer> {
    const { targets } = await this.outline();
    const spots: Spot[] = [];
    for (const one of wanted) {
      const spot = spotOf(targets, one);
      if ('refused' in spot) return spot;
      spots.push(spot);
    }
    const refused = await act(spots);
    return refused === undefined ? this.describe() : { refused };
  }

  /** @returns why it was not done. */
  private async point(gesture: Gesture, spot: Spot | undefined): Promise<string | undefined> {
    if (!spot) return undefined;
    const { label, target } = spot;
    if (target && gesture !== 'hover' && (await named(label, this.call(target.node, isDisabled))) === true)
      return `${target.label} is disabled, so a click on it does nothing.`;
    return this.lead(async (connection, [at]) => at && point(connection, gesture, at), [spot]);
  }

  /** @returns why the pointer cannot go there. */
  private async lead(
    go: (connection: Connection, points: readonly Point[]) => Promise<void>,
    spots: readonly Spot[],
  ): Promise<string | undefined> {
    const points = await pointsOf(this.connection, spots, this.shared.size);
    if ('refused' in points) return points.refused;
    await named(spots.map(({ label }) => label).join(', '), go(this.connection, points));
    return undefined;
  }

  /** What colour the page has there. */
  async pixel(wanted: string): Promise<BrowserAnswer> {
    const spot = spotOf((await this.outline()).targets, wanted);
    if ('refused' in spot) return spot;
    await this.watch.settled();
    const points = await pointsOf(this.connection, [spot], this.shared.size);
    if ('refused' in points) return points;
    const [{ x, y } = { x: 0, y: 0 }] = points;
    const png = await this.picture({ x: Math.floor(x), y: Math.floor(y), width: 1, height: 1, scale: 1 });
    return { text: colourOf(Buffer.from(png, 'base64')) };
  }

  private async type({ node, label }: Target, text: string): Promise<string | undefined> {
    const filled = await this.call(node, fill, text);
    if (filled === 'set') return undefined;
    if (filled !== 'type') return `${label} cannot be typed into: ${String(filled)}.`;
    if (text === '') return (await this.press('Delete'), undefined);
    await this.connection.send('Input.insertText', { text });
    return undefined;
  }

  private upload(target: Target, file: string): Promise<string | undefined> {
    const { connection, watch } = this;
    return upload({ connection, watch, label: target.label, file, click: () => this.point('click', { label: target.label, target }) });
  }

  /** Calls a function of the page with an element as `this`. */
  private async call(node: number, functionDeclaration: string, ...values: string[]): Promise<unknown> {
    const { object } = shapes.object.parse(await this.connection.send('DOM.resolveNode', { backendNodeId: node }));
    const call = { objectId: object.objectId, functionDeclaration, arguments: values.map((value) => ({ value })), returnByValue: true };
    return shapes.called.parse(await this.connection.send('Runtime.callFunctionOn', call)).result.value;
  }

  private async press(words: string): Promise<BrowserAnswer> {
    const key = keyOf(words);
    if (!key) return { refused: `There is no key ${JSON.stringify(words)}. Use ${keyWords}.` };
    await this.connection.send('Input.dispatchKeyEvent', { type: key.text === undefined ? 'rawKeyDown' : 'keyDown', ...key });
    await this.connection.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
    return this.describe();
  }

  private async back(): Promise<BrowserAnswer> {
    const before = await this.entry(-1);
    if (before.id === undefined || before.url === 'about:blank') return { refused: 'There is no page to go back to.' };
    await this.connection.send('Page.navigateToHistoryEntry', { entryId: before.id });
    return this.describe();
  }

  /** Of its history. @param steps from the one that it shows. */
  private async entry(steps = 0): Promise<{ id?: number; url?: string; title?: string }> {
    const { currentIndex, entries } = shapes.history.parse(await this.connection.send('Page.getNavigationHistory'));
    return entries[currentIndex + steps] ?? {};
  }

  async resize(): Promise<void> {
    await this.connection.send('Emulation.setDeviceMetricsOverride', { ...this.shared.size, deviceScaleFactor: 1, mobile: false });
  }

  /** In front of the others, whose pages are hidden then. */
  async show(): Promise<void> {
    await this.connection.send('Page.bringToFront');
  }

  /** A PNG of the window, in base64. */
  private async screenshot(): Promise<string> {
    const sharp = await this.capture(1);
    return sharp.length * 0.75 <= maxBytes ? sharp : this.capture(0.5);
  }

  private async capture(scale: number): Promise<string> {
    const data = await this.picture(scale === 1 ? undefined : { x: 0, y: 0, ...this.shared.size, scale });
    if (scale !== 1 && data.length * 0.75 > maxBytes) throw new BrowserProblem('The picture is too large. Make the viewport smaller.');
    return data;
  }

  /** @param part of the window; else all of it. */
  private async picture(part?: Point & Shared['size'] & { scale: number }): Promise<string> {
    const more = part ? { clip: await this.inDocument(part) } : {};
    return shapes.picture.parse(await this.connection.send('Page.captureScreenshot', { format: 'png', ...more })).data;
  }

  /** The protocol counts from the corner of the document, however far it is scrolled. */
  private async inDocument<P extends Point>(part: P): Promise<P> {
    const { pageX, pageY } = (await this.metrics()).cssLayoutViewport;
    return { ...part, x: part.x + pageX, y: part.y + pageY };
  }

  private async metrics(): Promise<z.infer<typeof shapes.metrics>> {
    return shapes.metrics.parse(await this.connection.send('Page.getLayoutMetrics'));
  }
}

/** Runs in the page. What only says `aria-disabled` gets clicks all the same, and the page's own code decides about them. */
const isDisabled = `function () {
  const element = this instanceof Element ? this : this.parentElement;
  return element?.closest(':disabled:not(fieldset)') != null;
}`;

/** Runs in the page: whether nobody can scroll it sideways, as where a menu waits beside the window. */
const cutsOff = `(() => {
  const ways = [document.documentElement, document.body].map((one) => (one ? getComputedStyle(one).overflowX : 'visible'));
  return ['hidden', 'clip'].includes(ways.find((way) => way !== 'visible'));
})()`;

/**
 * Runs in the page: focuses a field for typing, or sets the value of an element that takes no typed text.
 * @returns `type`, `set`, or why neither is possible.
 */
const fill = String.raw`function (text) {
  const notify = () => { for (const kind of ['input', 'change']) this.dispatchEvent(new Event(kind, { bubbles: true })); return 'set'; };
  if (this.disabled || this.readOnly) return this.disabled ? 'it is disabled' : 'it is read-only';
  this.focus();
  if (this instanceof HTMLSelectElement) {
    const option = [...this.options].find((o) => o.label.trim() === text.trim());
    if (!option) return 'its options are ' + [...this.options].map((o) => JSON.stringify(o.label.trim())).join(', ');
    this.value = option.value;
    return notify();
  }
  if (this instanceof HTMLInputElement && ['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range'].includes(this.type)) {
    this.value = text;
    return this.value === '' && text !== '' ? 'it takes no such value' : notify();
  }
  if (this instanceof HTMLInputElement && this.type === 'file') return 'it takes a file: use upload';
  const isField = this instanceof HTMLTextAreaElement || this.isContentEditable || (this instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'image'].includes(this.type));
  if (!isField) return 'it is no field';
  if (this.select) this.select();
  else getSelection().selectAllChildren(this);
  return 'type';
}`;
