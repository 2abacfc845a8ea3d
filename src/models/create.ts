/** Creates the model that a person chose: Claude with their key, or a recording from a file. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, normalize, resolve } from 'node:path';
import { InputError, messageOf } from '../engine/ground/errors.ts';
import type { Clock, Model } from '../engine/ports.ts';
import type { Credentials } from './credentials.ts';
import { createLazyAnthropic } from './load.ts';
import { createRecorded } from './recorded.ts';
import { parseRequests, requestsFileOf, type Requests } from './requests.ts';

export type ModelSpec = ({ kind: 'anthropic' } & Credentials) | { kind: 'recorded'; file: string; pace?: { ms: number; clock: Clock } };

/** @throws InputError when a recording cannot be read or used. The key is tested later, by `probe` in `load.ts`. */
export async function createModel(spec: ModelSpec): Promise<Model> {
  if (spec.kind === 'anthropic') {
    const { apiKey, baseURL } = spec;
    return createLazyAnthropic(baseURL === undefined ? { apiKey } : { apiKey, baseURL });
  }
  const { file, pace } = spec;
  const text = await readFile(file, 'utf8').catch(() => {
    throw new InputError(`There is no recording ${file}.`, 'Name a file with recorded turns, as recorded:FILE.');
  });
  return createRecorded({ name: file, text }, { readFile: (relative) => readBeside(file, relative), ...(pace ? { pace } : {}) });
}

/** What was asked when it was recorded; undefined where nobody wrote that down. @throws InputError for a file that is none of Loop's. */
export async function recordedRequests(recording: string): Promise<Requests | undefined> {
  const name = requestsFileOf(recording);
  const text = await readFile(name, 'utf8').catch((error: unknown) => unlessAbsent(name, error));
  return text === undefined ? undefined : parseRequests({ name, text });
}

function unlessAbsent(name: string, error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  throw new InputError(`${name} cannot be read: ${messageOf(error)}`, 'See that it is a file that you may read, or remove it.');
}

function readBeside(file: string, relative: string): string {
  if (isAbsolute(relative) || normalize(relative).startsWith('..')) {
    throw new InputError(`${file} names ${relative}, which does not lie beside it.`, 'Keep the files of a recording in its folder.');
  }
  return readFileSync(resolve(dirname(file), relative), 'utf8');
}
