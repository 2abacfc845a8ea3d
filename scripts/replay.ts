/** Plays all recordings of a folder, one after the other, strictly: a request that changed is told, and the play goes on. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { counted } from '../src/engine/ground/text.ts';
import { messageOf } from '../src/engine/ground/errors.ts';
import { sessionFolder } from '../src/host/pipelines/run-pipeline.ts';
import { explain } from '../src/cli/explain.ts';
import { requestsIn } from '../src/cli/record.ts';
import { createModel, recordedRequests } from '../src/models/create.ts';
import { differenceLines, differencesOf, joined, type Difference } from '../src/models/differences.ts';
import { requestsFileOf, writeRequests, type Requests } from '../src/models/requests.ts';
import { exampleOf, pathWithStandIns, pipelineRepository, targetOf } from './pipeline-example.ts';
import { playPipeline, playSprint } from './play.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { update: { type: 'boolean', default: false }, in: { type: 'string', default: 'examples' } },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

void main().catch((error: unknown) => {
  print(explain(error));
  process.exitCode = 4;
});

async function main(): Promise<void> {
  process.env['PATH'] = pathWithStandIns();
  const recordings = recordingsIn(resolve(values.in)).filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  if (recordings.length === 0) print(`There is no such recording in ${resolve(values.in)}.`);
  const replayed: Replayed[] = [];
  for (const recording of recordings) replayed.push(await replay(recording));
  const changes = joined(replayed.flatMap(({ differences }) => differences));
  for (const change of changes) for (const line of ['', ...differenceLines(change)]) print(line);
  if (changes.length > 0) print('\nIf it is meant to be so: npm run replay -- --update');
  const isGood = recordings.length > 0 && changes.length === 0 && replayed.every(({ broke }) => broke === '');
  process.exitCode = isGood ? 0 : 1;
}

interface Recording {
  /** Of the example. */
  name: string;
  file: string;
}

/** An example has its recordings beside its Vision and PRD; those of pipelines lie at its root. */
function recordingsIn(folder: string): Recording[] {
  return readdirSync(folder).flatMap((name) =>
    [join(folder, name), join(folder, name, 'sprint')].flatMap((place) =>
      namesIn(place)
        .map((each) => join(place, each))
        .filter((file) => /\.ya?ml$/.test(file) && /^recording: 1$/m.test(readFileSync(file, 'utf8')))
        .map((file) => ({ name, file })),
    ),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

interface Replayed {
  /** None where they are taken. */
  differences: Difference[];
  /** Why it did not come to an end, for the end of its line; empty where it did. */
  broke: string;
}

/** Plays one, and prints its line. Where it broke, its requests are not all, so they are not written. */
async function replay(recording: Recording): Promise<Replayed> {
  const { name, file } = recording;
  const begun = Date.now();
  const recorded = await recordedRequests(file);
  const { requests: now, broke } = await play(recording);
  const differences = recorded ? differencesOf(recorded, now) : [];
  if (values.update && broke === '') writeFileSync(requestsFileOf(file), writeRequests(now));
  const place = `${name} ${basename(file, '.yaml')}`;
  const seconds = Math.round((Date.now() - begun) / 1000);
  print(
    `${place.padEnd(24)} ${now.ending}, ${counted(now.asked.length, 'request')}, ${seconds} s: ${verdict(recorded, differences, broke)}${broke}`,
  );
  const told = differences.map((one) => ({ ...one, where: one.where.map((where) => `${place}: ${where}`) }));
  return { differences: values.update ? [] : told, broke };
}

function verdict(recorded: Requests | undefined, differences: readonly Difference[], broke: string): string {
  if (values.update && broke !== '') return 'not written';
  if (values.update) return recorded && differences.length === 0 ? 'as recorded' : 'written';
  if (!recorded) return 'nobody wrote down what was asked; --update does';
  return differences.length === 0 ? 'as recorded' : `differs in ${[...new Set(differences.map(({ part }) => part))].join(', ')}`;
}

/** What is asked in a play of it now. */
async function play({ name, file }: Recording): Promise<{ requests: Requests } & Pick<Replayed, 'broke'>> {
  const folder = mkdtempSync(join(tmpdir(), 'loop-replay-'));
  process.env['LOOP_STATE_HOME'] = join(folder, 'state');
  const pipeline = exampleOf(file);
  const repo = pipeline ? pipelineRepository(pipeline) : join(folder, name);
  const ran = pipeline ? sessionFolder(repo, targetOf(pipeline)) : join(repo, 'sprint');
  try {
    const model = await createModel({ kind: 'recorded', file });
    const playing = pipeline ? playPipeline(pipeline, repo, model) : playSprint(resolve(dirname(file), '..'), repo, model);
    const broke = await playing.then(
      () => '',
      (error: unknown) => `; ${messageOf(error)}`,
    );
    return { requests: await requestsIn(ran), broke };
  } finally {
    for (const one of [folder, dirname(repo)]) rmSync(one, { recursive: true, force: true });
  }
}
