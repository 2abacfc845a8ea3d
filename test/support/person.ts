/** Simulated persons, who answer human actions at the desk, as in the editor and at the terminal. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Interruption } from '../../src/engine/ground/errors.ts';
import { answerHumanAction, type Answer, type Desk } from '../../src/engine/person/desk.ts';
import type { AbortSignal, Person } from '../../src/engine/ports.ts';
import type { HumanAction } from '../../src/engine/work/human-action.ts';

export class FakePerson implements Person {
  /** Ids of the human actions that they were asked for. */
  readonly asked: string[] = [];
  /** What was missing, each time they were asked again. */
  readonly told: string[] = [];
  /** The desk of the sprint, while the sprint is open. */
  desk: Desk | undefined;

  constructor(
    readonly available = false,
    readonly answer: (asked: HumanAction, tasks: readonly string[]) => Answer | Promise<Answer> = () => 'skip',
  ) {}

  async ask(asked: HumanAction, tasks: readonly string[], _signal: AbortSignal): Promise<void> {
    this.asked.push(asked.id);
    if (asked.missing !== '') this.told.push(asked.missing);
    const answer = await this.answer(asked, tasks);
    if (!this.desk) throw new Error('no sprint is open');
    await answerHumanAction(this.desk, asked.id, answer);
  }
}

/** Supplies the requested files and answers "done"; skips anything that is not a deed. */
export function supplying(from: string, repo: string): FakePerson {
  return new FakePerson(true, (asked) => {
    if (asked.kind !== 'deed') return 'skip';
    for (const path of asked.paths) cpSync(join(from, path), join(repo, path));
    return 'done';
  });
}

/** No person is available. */
export const absent: Person = {
  available: false,
  ask: () => Promise.reject(new Error('nobody is here')),
};

/** A person is available but never answers. */
export const silent: Person = {
  available: true,
  ask: (_asked, _tasks, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Interruption('cancelled', 'nobody asks any more')));
    }),
};
