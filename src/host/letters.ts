/**
 * Letters: how another process says something to a sprint that runs. Only the process that holds the lock writes the journal
 * (I1), so the other one leaves a file, and waits for the answer beside it. They lie in the state folder, which neither a
 * repository nor a command of an agent can write.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { InputError } from '../engine/ground/errors.ts';
import type { Desk } from '../engine/person/desk.ts';
import { say, saying, type Saying } from '../engine/person/say.ts';
import { replaceFile, unlessMissing } from './disk.ts';
import { stateFolder } from './state-folder.ts';
import { readJson } from '../engine/ground/loose.ts';

const letterSchema = z.object({ branch: z.string(), saying });
const answerSchema = z.union([z.object({ taken: z.string() }), z.object({ message: z.string(), next: z.string() })]);

/** Milliseconds between two looks into the folder. */
const lookEvery = 300;

export interface Letters {
  /** Resolves when the letter that is being taken is answered. */
  close(): Promise<void>;
}

/** Takes the letters of a sprint that runs, also those that were left while it did not. */
export async function takeLetters(sprintDir: string, desk: Desk): Promise<Letters> {
  const folder = await letterFolder(sprintDir);
  const end = new AbortController();
  const taking = (async () => {
    while (!end.signal.aborted) {
      // A letter that could not be taken stays, for the next look or the next run; who sent it is told when they waited long enough.
      await takeAll(folder, desk).catch(() => undefined);
      await delay(lookEvery, undefined, { signal: end.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    async close() {
      end.abort();
      await taking;
    },
  };
}

async function takeAll(folder: string, desk: Desk): Promise<void> {
  for (const name of await letterNames(folder)) await takeLetter(folder, name, desk);
}

/**
 * Leaves a letter for the process that runs the sprint.
 * @param branch the sprint's, so that no other sprint takes it. @param isRunning whether a process still holds the lock.
 * @returns the answer; undefined when nobody took it, and it is taken back. @throws InputError when it was refused.
 */
export async function sendLetter(
  sprintDir: string,
  said: Saying,
  { branch, isRunning }: { branch: string; isRunning: () => Promise<boolean> },
): Promise<string | undefined> {
  const folder = await letterFolder(sprintDir);
  const name = `${Date.now()}-${randomUUID()}`;
  const path = join(folder, `${name}.letter`);
  await replaceFile(path, Buffer.from(JSON.stringify({ branch, saying: said })), { durable: true });
  for (const end = performance.now() + patience; performance.now() < end;) {
    const answer = await answerTo(folder, name);
    if (answer !== undefined) return answer;
    if (!(await isRunning())) break;
    await delay(lookEvery);
  }
  await rm(path, { force: true });
  return answerTo(folder, name);
}

/** Milliseconds until a process that holds the lock must have answered: one that only verifies takes no letters. */
const patience = 15_000;

async function answerTo(folder: string, name: string): Promise<string | undefined> {
  const path = join(folder, `${name}.answer`);
  const text = await unlessMissing(readFile(path, 'utf8'));
  if (text === undefined) return undefined;
  await rm(path, { force: true });
  const answer = answerSchema.parse(JSON.parse(text));
  if ('taken' in answer) return answer.taken;
  throw new InputError(answer.message, answer.next);
}

/** The answer is there before the letter goes: after a kill between the two, the journal tells that it was taken. */
async function takeLetter(folder: string, name: string, desk: Desk): Promise<void> {
  const path = join(folder, `${name}.letter`);
  const text = await unlessMissing(readFile(path, 'utf8'));
  const letter = text === undefined ? undefined : letterSchema.safeParse(readJson(text)).data;
  if (letter?.branch === desk.state.opened.branch) {
    const answer = await answered(desk, letter.saying, name);
    await replaceFile(join(folder, `${name}.answer`), Buffer.from(JSON.stringify(answer)), { durable: true });
  }
  await rm(path, { force: true });
}

async function answered(desk: Desk, said: Saying, name: string): Promise<z.infer<typeof answerSchema>> {
  try {
    return { taken: await say(desk, said, name) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { message: error.message, next: error.next };
  }
}

/** Oldest first. */
async function letterNames(folder: string): Promise<string[]> {
  const names = (await unlessMissing(readdir(folder))) ?? [];
  return names.flatMap((name) => (name.endsWith('.letter') ? [name.slice(0, -'.letter'.length)] : [])).sort();
}

async function letterFolder(sprintDir: string): Promise<string> {
  const hash = createHash('sha256')
    .update(await realpath(sprintDir))
    .digest('hex');
  const folder = join(stateFolder(), 'letters', hash.slice(0, 32));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
