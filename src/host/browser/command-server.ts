/** The process that holds the browser of the command `browser`: one page, one call after the other. */
import { spawn } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import type { BrowserAnswer } from '../../engine/ports.ts';
import { inOrder } from '../in-order.ts';
import { addressOf } from './address.ts';
import { browserFlags } from './flags.ts';
import { connect } from './connection.ts';
import { commandFolder, commandSocket, type Reply } from './command-reply.ts';
import type { Call } from './command-words.ts';
import { temporaryDownloads } from './downloads.ts';
import { Page } from './page.ts';
import { followReach } from './page-reach.ts';
import { Watch } from './watch.ts';

/** Milliseconds within which the browser must answer first, even on a busy machine. */
const longestStart = 60_000;
const pollMs = 100;

/** Runs until the browser ends. @param folder for what its pages reach; empty for none. @returns the exit status */
export async function serve(program: string, folder: string): Promise<number> {
  const flags = browserFlags(`${commandFolder}/profile`);
  const browser = spawn(program, [...flags, 'about:blank'], { stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'pipe'] });
  const ended = new Promise<number>((done) => browser.once('exit', () => done(1)).once('error', (error) => fail(error, done)));
  const [input, output] = browser.stdio.slice(3) as [Writable, Readable];
  let accept = true;
  const watch = new Watch(() => {
    void connection.send('Page.handleJavaScriptDialog', { accept }).catch(() => undefined);
    return accept;
  });
  const dialogs = (answer: boolean): void => void (accept = answer);
  const connection = connect(input, output, (method, params) => watch.take(method, params));
  const page = await Page.create(connection, watch, {
    startup: longestStart,
    isBrief: false,
    downloads: { folder: temporaryDownloads },
  });
  const reach = folder === '' ? undefined : await followReach(connection, { root: process.cwd(), folder });
  const calls = inOrder();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    calls.add(async () => {
      const asked = await heard(socket);
      // Who only looks whether somebody listens says nothing.
      socket.end(asked === '' ? '' : await replyTo(asked, { page, watch, reach, dialogs }));
    });
  });
  server.listen(commandSocket);
  return ended;
}

/** All that came until its other end said that it is all. Iterating over a socket would close its own end, too. */
function heard(socket: Socket): Promise<string> {
  return new Promise((done) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.once('end', () => done(text)).once('close', () => done(text));
  });
}

interface Shown {
  page: Page;
  watch: Watch;
  dialogs: (accept: boolean) => void;
  /** Writes down what pages reached until now. */
  reach: (() => Promise<void>) | undefined;
}

/** Anything in the sandbox may talk to the socket, so what cannot be read is answered too. */
async function replyTo(asked: string, shown: Shown): Promise<string> {
  const made = (async () => reply(shown, JSON.parse(asked) as Call[]))();
  return JSON.stringify(await made.catch((error: Error): Reply => ({ text: '', pictures: [], problem: error.message })));
}

/** Makes one call after the other, and stops at the first that fails. */
async function reply(shown: Shown, calls: readonly Call[]): Promise<Reply> {
  const { page, watch } = shown;
  const pictures: Reply['pictures'] = [];
  const told = (answered: Reply): Reply => (page.told(answered.text), answered);
  let text = '';
  for (const call of calls) {
    const answer = await act(shown, call);
    if ('refused' in answer) return { text: '', pictures, problem: answer.refused };
    text = answer.text;
    if (call.action === 'screenshot' && answer.png !== undefined) pictures.push({ file: call.file, png: answer.png });
    // What it threw between two calls counts, too.
    const thrown = watch.takeUncaught();
    if (thrown.length > 0) return told({ text, pictures, problem: `The page threw what nobody caught:\n${thrown.join('\n')}` });
  }
  return told({ text, pictures });
}

/** Whatever goes wrong is an answer: without one, whoever asked would wait for ever. */
async function act({ page, dialogs, reach }: Shown, call: Call): Promise<BrowserAnswer> {
  try {
    if (call.action === 'dialogs') dialogs(call.accept);
    const answer = await answerOf(page, call);
    await reach?.();
    return answer;
  } catch (error) {
    return { refused: (error as Error).message };
  }
}

function answerOf(page: Page, call: Call): Promise<BrowserAnswer> {
  switch (call.action) {
    case 'open':
      // Its root is the folder in which the first call was made.
      return page.open(addressOf(call.url, { root: process.cwd(), ports: process.env }));
    case 'wait':
      return wait(page, call);
    case 'dialogs':
      return page.act({ action: 'read' });
    case 'stored':
      return page.stored(call.entry);
    case 'read':
      return page.read(call.all);
    default:
      return page.act(call);
  }
}

async function wait(page: Page, { text, seconds }: Extract<Call, { action: 'wait' }>): Promise<BrowserAnswer> {
  for (const end = Date.now() + seconds * 1000; ; await delay(pollMs)) {
    const shown = await page.act({ action: 'read' });
    if ('refused' in shown || shown.text.includes(text) || page.hasShown(text)) return shown;
    if (Date.now() >= end)
      return { refused: `The page did not show ${JSON.stringify(text)} within ${seconds} s. It shows:\n${shown.text}` };
  }
}

function fail(error: Error, done: (status: number) => void): void {
  process.stderr.write(`${error.message}\n`);
  done(1);
}
