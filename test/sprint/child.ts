/**
 * A sprint in a process of its own that dies by `kill -9` at one append of its journal: before the line is written, when
 * half of it is, or after it is on disk. Without a number it runs to its end.
 * Arguments: sprint folder, repository, file of sessions, number of the event, when, and `silent` for a person who never answers.
 */
import { readFileSync } from 'node:fs';
import { runSprint } from '../../src/host/sprint.ts';
import { createRecorded } from '../../src/models/recorded.ts';
import { silent } from '../support/silent.ts';
import { helpful } from '../support/sprint.ts';
import { dieAt, type When } from './die-at.ts';

const [sprintDir = '', repo = '', recording = '', at = '0', when = 'after', who = ''] = process.argv.slice(2);

void main();

async function main(): Promise<void> {
  await dieAt(Number(at), when as When);
  await runSprint({
    sprintDir,
    model: createRecorded({ name: 'recording.json', text: readFileSync(recording, 'utf8') }),
    person: who === 'silent' ? silent : helpful(repo),
    overrides: {},
    signal: new AbortController().signal,
    onEvent: () => undefined,
    onProgress: () => undefined,
  });
}
