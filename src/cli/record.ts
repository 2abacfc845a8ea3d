/**
 * `--record FILE`: the recording of a sprint or pipeline, and beside it what was asked, written from its journal when the run stops,
 * however it stops.
 */
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fold } from '../engine/core/fold.ts';
import { InputError, messageOf } from '../engine/ground/errors.ts';
import { unlessMissing } from '../host/disk.ts';
import { readJournal } from '../host/journal.ts';
import { openPayloads } from '../host/payloads.ts';
import { journalPath } from '../host/sprint.ts';
import { differenceLines, differencesOf } from '../models/differences.ts';
import { requestsFileOf, requestsMark, writeRequests, type Requests } from '../models/requests.ts';
import { recordingMark, recordingOf, requestsOf, turnsIn, type Turn } from '../models/write-recording.ts';

/** Asked before a sprint begins, so that no hour of it is lost. @throws InputError for a file that is not Loop's own recording. */
export async function requireRecordable(file: string): Promise<void> {
  const folder = await stat(dirname(file)).catch(() => undefined);
  if (!folder?.isDirectory())
    throw new InputError(`There is no folder ${dirname(file)} for the recording.`, 'Make it, or name another file with --record.');
  await requireOwn(file, recordingMark);
  await requireOwn(requestsFileOf(file), requestsMark);
}

async function requireOwn(file: string, mark: string): Promise<void> {
  const there = await unlessMissing(readFile(file, 'utf8')).catch((error: unknown) => {
    throw new InputError(`${file} cannot be read: ${messageOf(error)}.`, 'Name another file with --record.');
  });
  if (there !== undefined && !there.startsWith(mark))
    throw new InputError(`${file} is there already, and is no recording of Loop's.`, 'Name another file with --record.');
}

interface Records {
  /** The folder of a sprint or session. */
  sprintDir: string;
  /** Where to write the recording. */
  record: string | undefined;
  /** In a strict replay, what was asked when it was recorded. */
  asked: Requests | undefined;
  print: (line: string) => void;
}

/** Writes the recording, and says what a strict replay found, when the run stops, however it stops. */
export async function withRecords<T>(running: Promise<T>, { sprintDir, record, asked, print }: Records): Promise<T> {
  try {
    return await running;
  } finally {
    if (record !== undefined) print(await writeRecordingOf(sprintDir, record).catch((error: unknown) => notWritten(record, error)));
    if (asked) for (const line of await replayLines(sprintDir, asked).catch(notCompared)) print(line);
  }
}

/** How the run ended is worth more than its recording. */
function notWritten(file: string, error: unknown): string {
  return `The recording ${file} could not be written: ${messageOf(error)}. Resume with --record and another file to have it.`;
}

function notCompared(error: unknown): string[] {
  return [`What was asked could not be read: ${messageOf(error)}.`];
}

async function replayLines(sprintDir: string, asked: Requests): Promise<string[]> {
  const found = differencesOf(asked, await requestsIn(sprintDir));
  return ['', found.length === 0 ? 'All requests are as recorded.' : 'Not as recorded:', ...found.flatMap(differenceLines)];
}

/** @returns what became of it, for the person. */
async function writeRecordingOf(sprintDir: string, file: string): Promise<string> {
  const { turns, ending } = await readRun(sprintDir);
  if (ending === undefined) return 'Nothing was recorded: it did not begin.';
  await writeWhole(file, recordingOf(turns));
  await writeWhole(requestsFileOf(file), writeRequests(requestsOf(turns, ending)));
  return `Recording: ${file}, and what was asked: ${requestsFileOf(file)}`;
}

/** What the model was asked in all lives of a run. @param sprintDir the folder of a sprint or session. */
export async function requestsIn(sprintDir: string): Promise<Requests> {
  const { turns, ending = 'did not begin' } = await readRun(sprintDir);
  return requestsOf(turns, ending);
}

/** @returns no ending where it did not begin. */
async function readRun(sprintDir: string): Promise<{ turns: Turn[]; ending?: string }> {
  const { events } = await readJournal(journalPath(sprintDir));
  if (events.length === 0) return { turns: [] };
  const ending = fold(events).stopped?.stop ?? 'broke off';
  return { turns: await turnsIn(events, openPayloads(join(sprintDir, '.loop'))), ending };
}

async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, text);
  await rename(`${file}.part`, file);
}
