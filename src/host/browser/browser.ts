/**
 * The port `browser`: one Chromium in a sandbox, driven over a pipe (docs/decisions/0020). The deliverable's services run in the
 * same sandbox, so the page reaches them on `localhost`, and nothing else unless the person opened the network. The browser lives
 * from the first opened address until it is closed, and it dies with Loop.
 */
import { join, resolve } from 'node:path';
import { pieceOf } from '../../engine/ground/text.ts';
import type { AbortSignal, Browser, BrowserAction, BrowserAnswer, BrowserGround } from '../../engine/ports.ts';
import type { Finished, Job } from '../../engine/work/job.ts';
import { causeOf } from '../../engine/diagnose/service-cause.ts';
import { portVariable } from '../../engine/services/ports.ts';
import type { Service } from '../../engine/work/service.ts';
import type { Conversation, TalkingRunner } from '../sandbox/runner.ts';
import { quoted } from '../../engine/ground/shell-quoted.ts';
import { addressOf } from './address.ts';
import { BrowserProblem } from './connection.ts';
import { temporaryDownloads } from './downloads.ts';
import { installBrowser } from './find.ts';
import { browserFlags } from './flags.ts';
import { Tabs } from './tabs.ts';

export interface BrowserOptions {
  /** The browser's canonical path; undefined where none is found. */
  program: string | undefined;
  /** Removes the values of the person's variables from a text. */
  veil: (text: string) => string;
}

type OpenAction = Extract<BrowserAction, { action: 'open' }>;

/** Seconds. Longer than any session; it ends a browser that nobody closed. */
const maxLifetime = 4 * 3600;
/** Seconds within which the `serve` command of an action must answer. */
const serveLimit = 60;
/** Seconds within which the browser must answer, even on a busy computer. */
const browserStartup = 60;

export function createBrowser(runner: TalkingRunner, { program, veil }: BrowserOptions): Browser {
  let running: Running | undefined;
  /** Said before a page was open. */
  const ahead: BrowserAction[] = [];
  const close = async (): Promise<void> => {
    await running?.end();
    running = undefined;
  };
  const browserFor = async (action: OpenAction, starting: Omit<Starting, 'served' | 'url'>): Promise<Running> => {
    const served = action.serve ?? running?.served;
    if (running && !running.isOver && running.served === served) return running;
    await close();
    return (running = await start(runner, { ...starting, served, url: action.url }));
  };
  const act = async (action: BrowserAction, on: BrowserGround, signal: AbortSignal): Promise<BrowserAnswer> => {
    if (program === undefined) return { refused: installBrowser };
    if (action.action === 'open') {
      const opened = await browserFor(action, { path: program, on, signal });
      const refused: string[] = [];
      for (const before of ahead.splice(0)) {
        const answer = await opened.tabs.act(before);
        if ('refused' in answer) refused.push(answer.refused);
      }
      const shown = await opened.tabs.act({ action: 'open', url: opened.address(action.url) });
      if ('refused' in shown) return { refused: [...refused, shown.refused].join('\n') };
      return { ...shown, text: [...refused, shown.text].join('\n') };
    }
    if ((!running || running.isOver) && (action.action === 'viewport' || action.action === 'clock')) {
      ahead.push(action);
      return { text: 'No page is open yet: it holds for the one that is opened next.' };
    }
    if (!running || running.isOver) return { refused: 'No page is open: open one first. A browser that ended keeps nothing.' };
    return running.tabs.act(action.action === 'upload' ? { ...action, file: running.pathOf(action.file) } : action);
  };
  const end = async (): Promise<void> => {
    ahead.length = 0;
    await close();
  };
  return {
    problem: () => (program === undefined ? installBrowser : undefined),
    close: end,
    async act(action, on, signal) {
      try {
        const answer = await act(action, on, signal);
        if ('text' in answer) running?.tabs.told(answer.text);
        return veilAnswer(answer, veil);
      } catch (error) {
        if (error instanceof BrowserProblem) return veilAnswer({ refused: error.message }, veil);
        throw error;
      }
    },
  };
}

interface Running {
  tabs: Tabs;
  served: string | undefined;
  readonly isOver: boolean;
  /** Completes an address: port, scheme, or the path of a file. */
  address(url: string): string;
  /** Completes the path of a file of the tree. */
  pathOf(file: string): string;
  end(): Promise<void>;
}

interface Starting {
  path: string;
  on: BrowserGround;
  signal: AbortSignal;
  served: string | undefined;
  url: string;
}

async function start(runner: TalkingRunner, { path, on, signal, served, url }: Starting): Promise<Running> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  signal.addEventListener('abort', abort, { once: true });
  const job: Job = { ...on, offline: true, run: { command: commandOf(path) }, timeout: maxLifetime, services: servicesOf(on, served, url) };
  let begin: (conversation: Conversation) => void = () => undefined;
  const started = new Promise<Conversation>((done) => (begin = done));
  let over: Finished | undefined;
  const finished = runner
    .run(job, stop.signal, (conversation) => begin(conversation))
    .then((outcome) => (over = outcome))
    .finally(() => signal.removeEventListener('abort', abort));
  const end = async (): Promise<void> => {
    stop.abort();
    await finished;
  };
  try {
    const ended = finished.then((outcome) => Promise.reject(problemOf(outcome, job)));
    const conversation = await Promise.race([started, ended]);
    const tabs = await Promise.race([createTabs(conversation, job), ended]);
    const { root, ports } = conversation;
    // What the session serves is what it asks for, whatever services run beside it.
    const own = served === undefined ? {} : { PORT: ports[portVariable({ name: servedName })] };
    const address = (text: string): string => addressOf(text, { root, ports: { ...ports, ...own } });
    const pathOf = (file: string): string => resolve(root, file);
    return {
      tabs,
      served,
      address,
      pathOf,
      end,
      get isOver() {
        return over !== undefined;
      },
    };
  } catch (error) {
    await end();
    throw over && error instanceof BrowserProblem ? problemOf(over, job) : error;
  }
}

function createTabs({ stdin, output, root }: Conversation, { services = [], at }: Job): Promise<Tabs> {
  const startup = services.reduce((sum, { limit }) => sum + limit, browserStartup);
  // In a copy of the tree, the session's commands see what was downloaded; it is gone with the copy.
  const downloads = at === 'worktree' ? { folder: temporaryDownloads } : { folder: join(root, '.downloads'), root };
  return Tabs.create(stdin, output, { startup: startup * 1000, isBrief: true, downloads });
}

const servedName = 'serve';

/** The deliverable's services, and the one that the session's `serve` command starts. */
function servicesOf({ services }: BrowserGround, served: string | undefined, url: string): Service[] {
  if (served === undefined) return [...services];
  return [...services, { name: servedName, start: { command: served }, ready: readyOf(url), limit: serveLimit }];
}

/** An open port is enough to start: whether the page works is for the session to judge. */
function readyOf(url: string): Service['ready'] {
  const port = /^(?:https?:\/\/)?[^/:]+:(\d+|\$PORT|\$\{PORT\})/.exec(url)?.[1];
  return { tcp: port === undefined || port.startsWith('$') ? '$PORT' : Number(port) };
}

/** The browser's messages go to a file, whose end is sent at the exit. */
function commandOf(path: string): string {
  return [
    'exec 3<&0 4>&1 </dev/null >/dev/null 2>/tmp/browser.log',
    `${quoted(path)} ${browserFlags('/tmp/browser').join(' ')} about:blank`,
    'code=$?',
    'tail -c 1000 /tmp/browser.log >&4',
    'exit "$code"',
  ].join('\n');
}

/** The reason why the browser is gone. */
function problemOf({ dead, logs = {}, output }: Finished, { services = [] }: Job): BrowserProblem {
  const service = services.find(({ name }) => name === dead?.name);
  if (!dead || !service) return new BrowserProblem(`The browser ended: ${tailOf(output) || 'it printed nothing'}`);
  const log = logs[dead.name] ?? '';
  return new BrowserProblem(`${dead.name} did not come up: ${causeOf(service, dead, log).why}. It printed:\n${tailOf(log) || '(nothing)'}`);
}

/** The text after the last message of the protocol. */
function tailOf(text: string): string {
  return pieceOf(text.slice(text.lastIndexOf('\0') + 1).trim(), -1500);
}

function veilAnswer(answer: BrowserAnswer, veil: (text: string) => string): BrowserAnswer {
  return 'refused' in answer ? { refused: veil(answer.refused) } : { ...answer, text: veil(answer.text) };
}
