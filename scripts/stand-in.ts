/** Acts in the person's place while an example is played: puts the files that it asks for into the checkout, and skips all else. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { answerHumanAction, type Desk } from '../src/engine/person/desk.ts';
import type { Person } from '../src/engine/ports.ts';

export interface StandIn extends Person {
  /** The desk of the sprint, while the sprint is open. */
  desk: Desk | undefined;
}

/** @param supplied folder with what only a person has. */
export function standIn(supplied: string, repo: string, print: (line: string) => void = () => undefined): StandIn {
  const person: StandIn = {
    desk: undefined,
    available: true,
    async ask(asked) {
      if (asked.missing !== '') print(`  Not yet: ${asked.missing}`);
      else if (asked.kind === 'deed') {
        print(`  Only a person can do this: ${asked.action}`);
        for (const path of asked.paths) {
          cpSync(join(supplied, path), join(repo, path));
          print(`  The stand-in puts ${path} into the checkout and says: I have done it.`);
        }
      }
      if (person.desk) await answerHumanAction(person.desk, asked.id, asked.kind === 'deed' ? 'done' : 'skip');
    },
  };
  return person;
}
