/**
 * The command `browser` of a sandbox, so that a verification uses a page as a person does without bringing a protocol of its own. The
 * first `open`, `clock` or `viewport` starts a process that holds the browser; each call asks that process over a socket, and all of it ends with the
 * sandbox. What the page says is the work's: a work that talks to this socket can show nothing that it could not serve as a page.
 *
 *   node browser-command.js PROGRAM REACH ACTION [WORD…] [then ACTION [WORD…]]…
 *
 * REACH: a folder where it writes which lines of the tree its pages ran; empty for none.
 *
 * Exit status 0: done. 1: not possible, not shown in time, or the page threw an error. 2: no such action.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { text as wholeText } from 'node:stream/consumers';
import { help } from './command-help.ts';
import { callsOf, usage, type Call } from './command-words.ts';
import { commandFolder, commandSocket, type Reply } from './command-reply.ts';
import { serve } from './command-server.ts';

const log = `${commandFolder}/log`;
/** Milliseconds within which the browser must be there, even on a busy machine. */
const longestStart = 60_000;
/** Word of this program's own; no action has this name. */
const serveWord = '--serve';
/** What may come before a page is open. */
const begins = new Set<Call['action']>(['open', 'clock', 'viewport']);

main(process.argv.slice(2)).then(
  (status) => (process.exitCode = status),
  (error: Error) => (process.exitCode = say(error.message, 1)),
);

async function main([program = '', reach = '', ...words]: string[]): Promise<number> {
  // Without its browser it listens for nothing.
  if (words[0] === serveWord) return process.exit(await serve(program, reach));
  if (['help', '--help', '-h'].includes(words[0] ?? '')) return print(help);
  const calls = callsOf(words);
  if ('problem' in calls) return say(`${calls.problem}\n${usage}`, 2);
  if (calls.some(({ action }) => begins.has(action))) await ensureServer([program, reach]);
  const socket = await talk();
  if (!socket) return say('No page is open: begin with `browser open ADDRESS`.', 1);
  const reply = await ask(socket, calls.map(fromHere));
  for (const { file, png } of reply.pictures) writeFileSync(file, Buffer.from(png, 'base64'));
  if (reply.text !== '') print(reply.text);
  return reply.problem === undefined ? 0 : say(reply.problem, 1);
}

async function ensureServer(words: readonly string[]): Promise<void> {
  const known = await talk();
  if (known) return void known.destroy();
  mkdirSync(commandFolder, { recursive: true });
  // Of one whose browser ended.
  rmSync(commandSocket, { force: true });
  const out = openSync(log, 'a');
  const server = spawn(process.execPath, [process.argv[1] ?? '', ...words, serveWord], { detached: true, stdio: ['ignore', out, out] });
  closeSync(out);
  server.unref();
  for (const end = Date.now() + longestStart; Date.now() < end && server.exitCode === null; await delay(25)) {
    const socket = await talk();
    if (socket) return void socket.destroy();
  }
  throw new Error(`The browser did not start: ${readFileSync(log, 'utf8').trim().slice(-1000) || 'it printed nothing'}`);
}

/** The browser's process may run in another folder. */
function fromHere(call: Call): Call {
  return call.action === 'upload' ? { ...call, file: resolve(call.file) } : call;
}

function talk(): Promise<Socket | undefined> {
  return new Promise((done) => {
    const socket = connect(commandSocket);
    socket.once('connect', () => done(socket)).once('error', () => done(undefined));
  });
}

async function ask(socket: Socket, calls: readonly Call[]): Promise<Reply> {
  socket.end(JSON.stringify(calls));
  const answer = await wholeText(socket);
  return answer === '' ? { text: '', pictures: [], problem: 'The browser ended.' } : (JSON.parse(answer) as Reply);
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function say(problem: string, status: number): number {
  process.stderr.write(`browser: ${problem}\n`);
  return status;
}
