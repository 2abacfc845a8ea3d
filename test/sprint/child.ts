/**
 * A sprint in a process of its own that dies by `kill -9` at one append of its journal: before the line is written, when
 * half of it is, or after it is on disk. Without a number it runs to its end.
 * Arguments: sprint folder, repository, file of sessions, number of the event, when, and the person: `silent` never answers;
 * `early` skips each human action at once, and the process dies as soon as that answer is on disk. A saying, as JSON, is said
 * when the first builder is asked, or when the plan waits for approval where it is about the plan; the process dies as soon as
 * that is on disk.
 */
import { readFileSync } from 'node:fs';
import { runSprint } from '../../src/host/sprint.ts';
import { createRecorded } from '../../src/models/recorded.ts';
import { answerHumanAction, type Desk } from '../../src/engine/person/desk.ts';
import { say, saying } from '../../src/engine/person/say.ts';
import type { Event } from '../../src/engine/state/events.ts';
import { FakePerson, silent } from '../support/person.ts';
import { helpful } from '../support/sprint.ts';
import { dieAt, type When } from './die-at.ts';

const [sprintDir = '', repo = '', recording = '', at = '0', when = 'after', who = ''] = process.argv.slice(2);

void main();

async function main(): Promise<void> {
  await dieAt(Number(at), when as When);
  const person = who === 'silent' || who === 'early' ? silent : helpful(repo);
  let desk: Desk | undefined;
  await runSprint({
    sprintDir,
    model: createRecorded({ name: 'recording.json', text: readFileSync(recording, 'utf8') }),
    person,
    onOpen(open) {
      desk = open;
      if (person instanceof FakePerson) person.desk = open;
    },
    overrides: { evidence: 'any', approvePlan: isAboutPlan(who) },
    signal: new AbortController().signal,
    onEvent(event) {
      if (who === 'early' && desk) void skipAtOnce(event, desk);
      if (who.startsWith('{') && desk) void sayAtOnce(event, desk);
    },
    onProgress: () => undefined,
  });
}

async function sayAtOnce(event: Event, desk: Desk): Promise<void> {
  if (!(isAboutPlan(who) ? asksApproval(event) : asksBuilder(event))) return;
  await say(desk, saying.parse(JSON.parse(who)));
  process.kill(process.pid, 'SIGKILL');
}

function isAboutPlan(words: string): boolean {
  return /"kind":"(approve|change)"/.test(words);
}

function asksBuilder(event: Event): boolean {
  return event.type === 'step.begun' && event.step.kind === 'ask' && event.step.role === 'builder';
}

function asksApproval(event: Event): boolean {
  return (
    event.type === 'step.ended' && event.facts.some((fact) => fact.fact === 'human-action.asked' && fact.humanAction.kind === 'approval')
  );
}

async function skipAtOnce(event: Event, desk: Desk): Promise<void> {
  const asked = event.type === 'step.ended' ? event.facts.find((fact) => fact.fact === 'human-action.asked') : undefined;
  if (!asked) return;
  await answerHumanAction(desk, asked.humanAction.id, 'skip');
  process.kill(process.pid, 'SIGKILL');
}
