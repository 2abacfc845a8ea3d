/** Writes the documents of a new sprint: from the template, from words, or from a folder of a specification. Overwrites nothing. */
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import prdTemplate from '../../media/templates/PRD.md';
import visionTemplate from '../../media/templates/VISION.md';
import { InputError, messageOf } from '../engine/ground/errors.ts';
import { draftOfFiles, draftOfWords, type Draft, type Source, type SpecificationFile } from '../engine/parse/draft.ts';
import { readRequirements } from '../engine/parse/requirements.ts';
import { readingWarnings, readingWords } from '../engine/render/words.ts';
import { unlessMissing, writeWhole } from './disk.ts';
import { readInputFile } from './input-file.ts';

/** Far more than a specification has. */
const mostFiles = 200;
const skipped = new Set(['.git', 'node_modules', '.loop']);

/** @returns what the source became, one line each. @throws InputError where nothing can be read, or a document is there already. */
export async function newSprint(sprintDir: string, source: Source): Promise<string[]> {
  const draft = await draftOf(source);
  const documents = [
    { name: 'VISION.md', text: draft.vision },
    { name: 'PRD.md', text: draft.prd },
    ...(draft.architecture === '' ? [] : [{ name: 'ARCHITECTURE.md', text: draft.architecture }]),
  ];
  for (const { name } of documents)
    if (await unlessMissing(lstat(join(sprintDir, name))))
      throw new InputError(`${join(sprintDir, name)} is there already.`, 'Give the sprint another folder, or edit what is there.');
  try {
    await mkdir(sprintDir, { recursive: true });
    for (const { name, text } of documents) await writeWhole(join(sprintDir, name), Buffer.from(text), true);
  } catch (error) {
    throw new InputError(`Cannot write in ${sprintDir} (${messageOf(error)}).`, 'Mend that, or give another folder.');
  }
  if (source.kind === 'template') return ['VISION.md and PRD.md explain themselves. Replace their examples.'];
  const reading = readRequirements(draft.prd);
  return [...draft.notes, `PRD.md was read as ${readingWords(reading)}.`, ...readingWarnings(reading)];
}

async function draftOf(source: Source): Promise<Draft> {
  if (source.kind === 'template') return { vision: visionTemplate, prd: prdTemplate, architecture: '', notes: [] };
  if (source.kind === 'words') return draftOfWords(source.words);
  const found = await unlessMissing(lstat(source.path));
  if (!found) throw new InputError(`${source.path} is not there.`, 'Name a markdown file, or the folder of a specification.');
  if (!found.isDirectory()) return draftOfFiles([await fileAt(dirname(source.path), basename(source.path))]);
  const paths = await pathsIn(source.path);
  const files: SpecificationFile[] = [];
  for (const path of paths.filter(isMarkdown)) files.push(await fileAt(source.path, path));
  return draftOfFiles(
    files,
    paths.filter((path) => !isMarkdown(path)),
  );
}

async function fileAt(folder: string, path: string): Promise<SpecificationFile> {
  const text = await readInputFile(folder, path);
  if (text === undefined) throw new InputError(`${join(folder, path)} is not there any more.`, 'Try again.');
  return { path, text };
}

function isMarkdown(path: string): boolean {
  return /\.(md|markdown)$/i.test(path);
}

/** All files below it, those of the folder itself first. */
async function pathsIn(root: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  const sorted = entries.filter(({ name }) => !skipped.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const paths = sorted.filter((one) => !one.isDirectory()).map(({ name }) => join(below, name));
  for (const { name } of sorted.filter((one) => one.isDirectory())) paths.push(...(await pathsIn(root, join(below, name))));
  if (paths.length > mostFiles)
    throw new InputError(`${root} has more than ${mostFiles} files.`, 'Choose the folder of one specification, or its file.');
  return paths;
}
