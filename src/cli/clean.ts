/** `loop clean`: lists what Loop left on the disk, with sizes, and removes what the person picks. */
import { createInterface } from 'node:readline/promises';
import { InputError } from '../engine/ground/errors.ts';
import { keptWords, leftoverWords, lossWords, sizeWords } from '../engine/render/left-over.ts';
import { findLeftovers, removeLeftovers, type CleanUp } from '../host/clean/clean-up.ts';
import type { Command } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { plain } from './plain.ts';
import type { Streams } from './run.ts';
import { answerTo } from './terminal-person.ts';

/** @returns the exit code: 1 where something could not be removed. @throws InputError */
export async function clean({ folder, remove, json }: Extract<Command, { name: 'clean' }>, { out, err }: Streams): Promise<number> {
  const print = (line: string): void => out(`${plain(line)}\n`);
  const found = await findLeftovers(folder);
  if (json && remove.length === 0) {
    out(`${JSON.stringify(found, null, 2)}\n`);
    return exitCodes.delivered;
  }
  if (remove.length === 0) for (const line of describe(found)) print(line);
  const picked = remove.length > 0 ? remove : await askWhich(found);
  const ids = picked.includes('all') ? found.leftovers.map(({ id }) => id) : picked;
  if (ids.length === 0) return exitCodes.delivered;
  const { bytes, problems } = await removeLeftovers(folder, ids);
  if (json) out(`${JSON.stringify({ bytes, problems }, null, 2)}\n`);
  else print(`Freed ${sizeWords(bytes)}.`);
  for (const problem of problems) err(`${plain(problem)}\n`);
  return problems.length > 0 ? exitCodes.failed : exitCodes.delivered;
}

function describe({ leftovers, kept }: CleanUp): string[] {
  return [
    ...(leftovers.length === 0 ? ['Nothing is left over here.'] : []),
    ...leftovers.flatMap(({ id, kind, name, path, bytes }) => [
      `${id}  ${sizeWords(bytes).padStart(7)}  ${leftoverWords[kind]}: ${name}`,
      `    ${path}`,
      `    Lost with it: ${lossWords[kind]}`,
    ]),
    ...kept.map(({ name, bytes, why }) => `stays     ${sizeWords(bytes).padStart(7)}  ${name}: ${keptWords[why]}`),
    ...(leftovers.length === 0 ? [] : ['Remove with: loop clean --remove ID, more than once, or --remove all']),
  ];
}

async function askWhich({ leftovers }: CleanUp): Promise<string[]> {
  if (!process.stdin.isTTY || leftovers.length === 0) return [];
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await answerTo(terminal, 'Remove which? Ids, "all", or Enter for none: ');
    const ids = answer.split(/[\s,]+/).filter((word) => word !== '');
    const unknown = ids.find((id) => id !== 'all' && !leftovers.some((one) => one.id === id));
    if (unknown !== undefined)
      throw new InputError(`"${unknown}" is none of them. Nothing was removed.`, 'Give the ids at the beginning of the lines.');
    return ids;
  } finally {
    terminal.close();
  }
}
