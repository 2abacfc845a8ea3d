/**
 * What a sprint is started from: VISION.md, PRD.md, and where they are there ARCHITECTURE.md, services.yaml and
 * loop.config.yaml, read once. Everything wrong with them is said here, before branch and journal exist (exit 4).
 */
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { resolveConfig, type Config, type Overrides } from '../engine/ground/config.ts';
import { InputError } from '../engine/ground/errors.ts';
import { parseRequirements } from '../engine/parse/requirements.ts';
import { parseServices, servicesFile } from '../engine/parse/services-file.ts';
import type { Requirement } from '../engine/work/requirement.ts';
import { unlessMissing } from './disk.ts';
import { machineDefaults } from './machine-defaults.ts';

export interface Inputs {
  /** For branch, report and trees. */
  name: string;
  documents: { name: string; text: string }[];
  requirements: Requirement[];
  config: Config;
}

/** Lines of prose below which a Vision or PRD says nothing. */
const leastCharacters = 40;

/** @throws InputError naming the file and what to do. */
export async function readInputs(sprintDir: string, overrides: Overrides, machine = machineDefaults()): Promise<Inputs> {
  await requireFolder(sprintDir);
  const vision = await required(sprintDir, 'VISION.md', 'Write in it the outcome that someone should have, and for whom.');
  const prd = await required(sprintDir, 'PRD.md', 'Write in it, numbered, what must be true when the sprint is delivered.');
  const architecture = await text(sprintDir, 'ARCHITECTURE.md');
  const settings = await text(sprintDir, 'loop.config.yaml');
  const file = settings === undefined ? undefined : { name: 'loop.config.yaml', text: settings };
  const config = resolveConfig(file, overrides, machine);
  const services = await text(sprintDir, servicesFile);
  if (services !== undefined) parseServices(servicesFile, services, config);
  const documents = [
    { name: 'VISION.md', text: vision },
    { name: 'PRD.md', text: prd },
    ...(architecture === undefined ? [] : [{ name: 'ARCHITECTURE.md', text: architecture }]),
    ...(services === undefined ? [] : [{ name: servicesFile, text: services }]),
  ];
  return { name: nameOf(sprintDir), documents, requirements: parseRequirements('PRD.md', prd), config };
}

async function requireFolder(sprintDir: string): Promise<void> {
  const found = await unlessMissing(stat(sprintDir));
  if (!found?.isDirectory()) throw new InputError(`There is no folder ${sprintDir}.`, 'Name the folder that holds VISION.md and PRD.md.');
}

async function required(sprintDir: string, name: string, next: string): Promise<string> {
  const found = await text(sprintDir, name);
  if (found === undefined) throw new InputError(`${sprintDir} is not a sprint: it has no ${name}.`, next);
  if (found.trim().length < leastCharacters) {
    throw new InputError(`${join(sprintDir, name)} is empty or says next to nothing (${found.trim().length} characters).`, next);
  }
  return found;
}

async function text(sprintDir: string, name: string): Promise<string | undefined> {
  const bytes = await unlessMissing(readFile(join(sprintDir, name)));
  if (!bytes) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InputError(`${join(sprintDir, name)} is not UTF-8 text.`, 'Save it as UTF-8 and run the command again.');
  }
}

/** The folder's name, or its parent's where it is just called `sprint`. */
function nameOf(sprintDir: string): string {
  const own = basename(sprintDir);
  return own.toLowerCase() === 'sprint' ? basename(dirname(sprintDir)) : own;
}
