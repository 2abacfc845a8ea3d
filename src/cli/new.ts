/** `loop new`: a sprint's folder from the template, from words, or from a specification; says what became of what. */
import { resolve } from 'node:path';
import { shellQuoted } from '../engine/ground/shell-quoted.ts';
import type { Source } from '../engine/parse/draft.ts';
import { newSprint } from '../host/new-sprint.ts';
import type { Command } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { plain } from './plain.ts';
import type { Streams } from './run.ts';

/** @throws InputError where nothing can be read, or a document is there already. */
export async function makeSprint({ sprintDir, words, from }: Extract<Command, { name: 'new' }>, { out }: Streams): Promise<number> {
  const lines = await newSprint(sprintDir, sourceOf(words, from));
  const next = `Read VISION.md and PRD.md in ${sprintDir}; then: loop run ${shellQuoted(sprintDir)}`;
  out(plain(`${[...lines, next].join('\n')}\n`));
  return exitCodes.delivered;
}

function sourceOf(words: string | undefined, from: string | undefined): Source {
  if (from !== undefined) return { kind: 'path', path: resolve(from) };
  return words === undefined ? { kind: 'template' } : { kind: 'words', words };
}
