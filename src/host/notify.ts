/** Tells the person outside of the editor and the terminal: runs a command of theirs, plays a sound. */
import { execFile, spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { messageOf } from '../engine/ground/errors.ts';
import type { Occasion } from '../engine/ground/occasion.ts';

const hookTimeoutMs = 30_000;

/**
 * What is said goes by the environment, never into the command's text, since agents wrote some of it. It begins in the home folder, so
 * that no file of a repository stands in for a program.
 * @returns what went wrong, in words.
 */
export function runHook(command: string, { event, name, folder, outcome, words }: Occasion): Promise<string | undefined> {
  const env = {
    ...process.env,
    LOOP_EVENT: event,
    LOOP_SPRINT: name,
    LOOP_FOLDER: folder,
    LOOP_OUTCOME: outcome,
    LOOP_WORDS: words.replaceAll('\0', ''),
  };
  return new Promise((resolve) => {
    const failed = (why: string): void => resolve(`The command that tells you (${command}) ${why}.`);
    const child = spawn(command, { shell: true, cwd: homedir(), env, stdio: 'ignore', timeout: hookTimeoutMs, windowsHide: true });
    child.once('error', (error) => failed(`could not be started: ${messageOf(error)}`));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve(undefined);
      else failed(signal === null ? `ended with exit status ${code}` : `was ended after ${hookTimeoutMs / 1000} s (${signal})`);
    });
  });
}

/** @returns what went wrong, in words. */
export async function playSound(): Promise<string | undefined> {
  for (const [program, ...args] of players[process.platform] ?? players.linux) if (await runs(program, args)) return undefined;
  return 'No sound could be played: no program for it was found. Set loop.notifyCommand to one of yours.';
}

type Player = readonly [program: string, ...args: string[]];

const freedesktop = '/usr/share/sounds/freedesktop/stereo/message.oga';
/** The first that works plays. */
const players: Partial<Record<NodeJS.Platform, readonly Player[]>> & { linux: readonly Player[] } = {
  darwin: [['afplay', '/System/Library/Sounds/Glass.aiff']],
  win32: [['powershell', '-NoProfile', '-Command', '[System.Media.SystemSounds]::Asterisk.Play(); Start-Sleep -Seconds 1']],
  linux: [
    ['canberra-gtk-play', '--id=message'],
    ['pw-play', freedesktop],
    ['paplay', freedesktop],
  ],
};

function runs(program: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: homedir(), timeout: hookTimeoutMs, windowsHide: true }, (error) => resolve(error === null));
  });
}
