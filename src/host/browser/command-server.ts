/** The process that holds the browser of the command `browser`: one call after the other. */
import { spawn } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import type { BrowserAnswer } from '../../engine/ports.ts';
import { inOrder } from '../in-order.ts';
import { addressOf } from './address.ts';
import { browserFlags } from './flags.ts';
import { commandFolder, commandSocket, type Reply } from './command-reply.ts';
import type { Call } from './command-words.ts';
import { temporaryDownloads } from './downloads.ts';
import { PageReach } from './page-reach.ts';
import { Tabs } from './tabs.ts';

/** Milliseconds within which the browser must answer first, even on a busy machine. */
const longestStart = 60_000;
const pollMs = 100;

/** Runs until the browser ends. @param folder for what its pages reach; empty for none. @returns the exit status */
export async function serve(program: string, folder: string): Promise<number> {
  const flags = browserFlags(`${commandFolder}/profile`);
  const browser = spawn(program, [...flags, 'about:blank'], { stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'pipe'] });
  const ended = new Promise<number>((done) => browser.once('exit', () => done(1)).once('error', (error) => fail(error, done)));
  const [input, output] = browser.stdio.slice(3) as [Writable, Readable];
  const reach = folder === '' ? undefined : new PageReach(process.cwd(), folder);
  const downloads = { folder: temporaryDownloads };
  const tabs = await Tabs.create(input, output, { startup: longestStart, isBrief: false, downloads, reach });
  const calls = inOrder();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    calls.add(async () => {
      const asked = await heard(socket);
      // Who only looks whether somebody listens says nothing.
      socket.end(asked === '' ? '' : await replyTo(asked, { tabs, reach }));
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
  tabs: Tabs;
  reach: PageReach | undefined;
}

/** Anything in the sandbox may talk to the socket, so what cannot be read is answered too. */
async function replyTo(asked: string, shown: Shown): Promise<string> {
  const made = (async () => reply(shown, JSON.parse(asked) as Call[]))();
  return JSON.stringify(await made.catch((error: Error): Reply => ({ text: '', pictures: [], problem: error.message })));
}

/** Makes one call after the other, and stops at the first that fails. */
async function reply(shown: Shown, calls: readonly Call[]): Promise<Reply> {
  const { tabs } = shown;
  const pictures: Reply['pictures'] = [];
  const told = (answered: Reply): Reply => (tabs.told(answered.text), answered);
  let text = '';
  for (const call of calls) {
    const answer = await act(shown, call);
    if ('refused' in answer) return { text: '', pictures, problem: answer.refused };
    text = answer.text;
    if (call.action === 'screenshot' && answer.png !== undefined) pictures.push({ file: call.file, png: answer.png });
    // What it threw between two calls counts, too.
    const thrown = tabs.takeUncaught();
    if (thrown.length > 0) return told({ text, pictures, problem: `The page threw what nobody caught:\n${thrown.join('\n')}` });
  }
  return told({ text, pictures });
}

/** Whatever goes wrong is an answer: without one, whoever asked would wait for ever. */
async function act({ tabs, reach }: Shown, call: Call): Promise<BrowserAnswer> {
  try {
    const answer = await answerOf(tabs, call);
    await reach?.take();
    return answer;
  } catch (error) {
    return { refused: (error as Error).message };
  }
}

function answerOf(tabs: Tabs, call: Call): Promise<BrowserAnswer> {
  switch (call.action) {
    case 'open':
      // Its root is the folder in which the first call was made.
      return tabs.act({ action: 'open', url: addressOf(call.url, { root: process.cwd(), ports: process.env }) });
    case 'wait':
      return wait(tabs, call);
    case 'dialogs':
      tabs.accept = call.accept;
      return tabs.act({ action: 'read' });
    case 'stored':
      return tabs.use((page) => page.stored(call.entry));
    case 'pixel':
      return tabs.use((page) => page.pixel(call.point));
    case 'read':
      return tabs.use((page) => page.read(call.all));
    default:
      return tabs.act(call);
  }
}

async function wait(tabs: Tabs, { text, seconds }: Extract<Call, { action: 'wait' }>): Promise<BrowserAnswer> {
  for (const end = Date.now() + seconds * 1000; ; await delay(pollMs)) {
    const shown = await tabs.act({ action: 'read' });
    if ('refused' in shown || shown.text.includes(text) || tabs.hasShown(text)) return shown;
    if (Date.now() >= end)
      return { refused: `The page did not show ${JSON.stringify(text)} within ${seconds} s. It shows:\n${shown.text}` };
  }
}

function fail(error: Error, done: (status: number) => void): void {
  process.stderr.write(`${error.message}\n`);
  done(1);
}
