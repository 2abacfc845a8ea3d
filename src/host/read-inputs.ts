/**
 * Reads the files that a sprint starts from: VISION.md, PRD.md, and if they exist ARCHITECTURE.md, services.yaml and
 * loop.config.yaml. Every problem in them is reported here, before branch and journal exist.
 */
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Config, Overrides } from '../engine/ground/config.ts';
import { resolveConfig } from '../engine/ground/resolve-config.ts';
import { InputError } from '../engine/ground/errors.ts';
import { minCharacters, whatToWrite, type SprintDocument } from '../engine/parse/documents.ts';
import { readRequirements, requireReadable, type Reading } from '../engine/parse/requirements.ts';
import { templateProblems } from '../engine/parse/template-text.ts';
import { parseServices, servicesFile } from '../engine/parse/services-file.ts';
import { unlessMissing } from './disk.ts';
import { readInputFile } from './input-file.ts';
import { machineDefaults } from './machine-defaults.ts';

export interface Inputs {
  /** The sprint's name in branch, report and trees. */
  name: string;
  /** Those that are there; a sprint that goes on has its own text of the others. */
  documents: { name: string; text: string }[];
  /** Of PRD.md. */
  reading: Reading;
  config: Config;
}

/**
 * @param goesOn whether the sprint was begun: its documents were read then, so that what is wrong with them now stops nothing, nor that
 * the branch that is checked out has none.
 * @throws InputError with the file and the next step.
 */
export async function readInputs(
  sprintDir: string,
  overrides: Overrides,
  machine = machineDefaults(),
  goesOn: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<Inputs> {
  await requireFolder(sprintDir);
  const vision = await readRequired(sprintDir, 'VISION.md', goesOn);
  const prd = await readRequired(sprintDir, 'PRD.md', goesOn);
  const architecture = await readInputFile(sprintDir, 'ARCHITECTURE.md');
  const config = resolveConfig(await readConfigFile(sprintDir), overrides, machine);
  const services = await readInputFile(sprintDir, servicesFile);
  if (services !== undefined) parseServices(servicesFile, services, config);
  const texts = { 'VISION.md': vision, 'PRD.md': prd, 'ARCHITECTURE.md': architecture, [servicesFile]: services };
  const documents = Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [{ name, text }]));
  const reading = readRequirements(prd ?? '');
  const [example] = templateProblems('VISION.md', vision ?? '');
  if ((example || reading.problems.some(({ refuses }) => refuses)) && !(await goesOn())) {
    if (example) throw new InputError(`VISION.md:${example.line}: ${example.message}.`, example.next);
    requireReadable('PRD.md', reading);
  }
  return { name: nameOf(sprintDir), documents, reading, config };
}

/** A sprint that went on when its start began may be over since. @throws InputError where a new one would open without one of them. */
export function requireDocuments(sprintDir: string, { documents }: Pick<Inputs, 'documents'>): void {
  for (const name of ['VISION.md', 'PRD.md'] as const) if (documents.every((one) => one.name !== name)) throw noSprint(sprintDir, name);
}

/** The repository's own limits. */
export async function readConfigFile(folder: string): Promise<{ name: string; text: string } | undefined> {
  const name = 'loop.config.yaml';
  const text = await readInputFile(folder, name);
  return text === undefined ? undefined : { name, text };
}

export async function requireFolder(sprintDir: string): Promise<void> {
  const found = await unlessMissing(stat(sprintDir));
  if (!found?.isDirectory()) throw new InputError(`There is no folder ${sprintDir}.`, 'Name the folder that holds VISION.md and PRD.md.');
}

/** @returns undefined where it is missing and the sprint goes on. */
async function readRequired(sprintDir: string, name: SprintDocument, goesOn: () => Promise<boolean>): Promise<string | undefined> {
  const found = await readInputFile(sprintDir, name);
  if (found === undefined && (await goesOn())) return undefined;
  if (found === undefined) throw noSprint(sprintDir, name);
  if (found.trim().length < minCharacters) {
    const what = `${join(sprintDir, name)} is empty or says next to nothing (${found.trim().length} characters).`;
    throw new InputError(what, whatToWrite[name]);
  }
  return found;
}

/** @throws InputError where it is missing or cannot be read. */
export async function readDocument(sprintDir: string, name: SprintDocument): Promise<string> {
  const found = await readInputFile(sprintDir, name);
  if (found === undefined) throw noSprint(sprintDir, name);
  return found;
}

function noSprint(sprintDir: string, name: SprintDocument): InputError {
  return new InputError(`${sprintDir} is not a sprint: it has no ${name}.`, whatToWrite[name]);
}

/** The folder's name; the parent's name where the folder is just called `sprint`. */
function nameOf(sprintDir: string): string {
  const own = basename(sprintDir);
  return own.toLowerCase() === 'sprint' ? basename(dirname(sprintDir)) : own;
}
