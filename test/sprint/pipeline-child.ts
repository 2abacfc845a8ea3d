/**
 * A pipeline in a process of its own that dies by `kill -9` at one append of its journal; without a number it runs to its end.
 * Arguments: root of the repository, folder of fixtures, number of the event, when.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { InputError } from '../../src/engine/ground/errors.ts';
import { preparePipeline } from '../../src/host/pipelines/prepare.ts';
import { runPipeline } from '../../src/host/pipelines/run-pipeline.ts';
import { createMock } from '../../src/models/mock.ts';
import { absent } from '../support/person.ts';
import { dieAt, type When } from './die-at.ts';

const [root = '', fixtures = '', at = '0', when = 'after'] = process.argv.slice(2);

void main().catch((error: unknown) => {
  if (!(error instanceof InputError)) throw error;
  process.stderr.write(`${error.message} ${error.next}\n`);
  process.exitCode = exitCodes.input;
});

async function main(): Promise<void> {
  await dieAt(Number(at), when as When);
  const prepared = await preparePipeline(root, 'three', {}, 'three');
  const read = (path: string): string | undefined =>
    existsSync(join(fixtures, path)) ? readFileSync(join(fixtures, path), 'utf8') : undefined;
  await runPipeline({
    root,
    session: 'three',
    prepared,
    model: createMock(prepared, read),
    person: absent,
    overrides: {},
    signal: new AbortController().signal,
    onEvent: () => undefined,
    onProgress: () => undefined,
  });
}
