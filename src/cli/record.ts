/** `--record FILE`: the recording of a sprint or pipeline, written from its journal when the run stops, however it stops. */
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InputError, messageOf } from '../engine/ground/errors.ts';
import { unlessMissing } from '../host/disk.ts';
import { readJournal } from '../host/journal.ts';
import { openPayloads } from '../host/payloads.ts';
import { journalPath } from '../host/sprint.ts';
import { recordingMark, writeRecording } from '../models/write-recording.ts';

/** Asked before a sprint begins, so that no hour of it is lost. @throws InputError for a file that is not Loop's own recording. */
export async function requireRecordable(file: string): Promise<void> {
  const folder = await stat(dirname(file)).catch(() => undefined);
  if (!folder?.isDirectory())
    throw new InputError(`There is no folder ${dirname(file)} for the recording.`, 'Make it, or name another file with --record.');
  const there = await unlessMissing(readFile(file, 'utf8')).catch((error: unknown) => {
    throw new InputError(`${file} cannot be read: ${messageOf(error)}.`, 'Name another file with --record.');
  });
  if (there !== undefined && !there.startsWith(recordingMark))
    throw new InputError(`${file} is there already, and is no recording of Loop's.`, 'Name another file with --record.');
}

/** Writes the recording when the run stops, however it stops. @param to `sprintDir`: the folder of a sprint or session. */
export async function recorded<T>(
  running: Promise<T>,
  to: { sprintDir: string; record: string; print: (line: string) => void },
): Promise<T> {
  try {
    return await running;
  } finally {
    to.print(await writeRecordingOf(to.sprintDir, to.record).catch((error: unknown) => notWritten(to.record, error)));
  }
}

/** How the run ended is worth more than its recording. */
function notWritten(file: string, error: unknown): string {
  return `The recording ${file} could not be written: ${messageOf(error)}. Resume with --record and another file to have it.`;
}

/** @returns what became of it, for the person. */
async function writeRecordingOf(sprintDir: string, file: string): Promise<string> {
  const { events } = await readJournal(journalPath(sprintDir));
  if (events.length === 0) return 'Nothing was recorded: it did not begin.';
  const text = await writeRecording(events, openPayloads(join(sprintDir, '.loop')));
  await writeFile(`${file}.part`, text);
  await rename(`${file}.part`, file);
  return `Recording: ${file}`;
}
