/** `loop lint` of a folder of pipelines: each stage and pipeline in it, and with `--fix` all that needs no thought rewritten. */
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { counted } from '../engine/ground/text.ts';
import type { Problem, TextFix } from '../engine/ground/problem.ts';
import { replaceFile, unlessMissing } from '../host/disk.ts';
import { readInputFile } from '../host/input-file.ts';
import { lintFolder, shelvesAround } from '../host/pipelines/shelves.ts';
import type { Finding } from '../language/finding.ts';
import { findingsAt } from '../language/yaml/findings-at.ts';
import { findingsOf } from '../language/findings.ts';
import { placeOf } from '../language/place.ts';
import { nothingKnown } from '../language/verification.ts';
import { isPipelineKind } from '../language/yaml/pipeline-findings.ts';

/** A rewriting may show what else is to be rewritten; each is seen once. */
const mostRounds = 5;

/** @param folder of stages and pipelines. @param print told of each file that was rewritten; undefined where none may be. */
export async function pipelineFolderFindings(
  folder: string,
  print: ((line: string) => void) | undefined,
): Promise<(Finding & { file: string })[]> {
  const shelves = shelvesAround(folder);
  let problems = await lintFolder(shelves, folder);
  const rounds = print ? mostRounds : 0;
  for (let round = 0; round < rounds && problems.some(({ fix }) => fix); round += 1) {
    for (const [file, own] of byFile(problems)) await rewrite(file, own, (line) => print?.(`${relative(folder, file)}: ${line}`));
    problems = await lintFolder(shelves, folder);
  }
  // A secret may stand in a document in which nothing else is wrong.
  const documents = (await documentsIn(folder)).map((file): [string, Problem[]] => [file, []]);
  const found = [...new Map([...documents, ...byFile(problems)])].map(async ([file, own]) => {
    const document = TextDocument.create(file, 'plaintext', 0, await textOf(file));
    const place = placeOf(file, basename(folder));
    const all = place ? findingsOf(document, place.kind, { ...nothingKnown, problems: own }) : findingsAt(document, own);
    return all.map((finding) => ({ ...finding, file: relative(folder, file) }));
  });
  return (await Promise.all(found))
    .flat()
    .sort((a, b) => (a.file === b.file ? a.range.start.line - b.range.start.line : a.file < b.file ? -1 : 1));
}

function byFile(problems: readonly Problem[]): Map<string, Problem[]> {
  const files = new Map<string, Problem[]>();
  for (const problem of problems) files.set(problem.file, [...(files.get(problem.file) ?? []), problem]);
  return files;
}

/** Stages and pipelines that can be read; of the others their problems tell. */
async function documentsIn(folder: string): Promise<string[]> {
  const entries = (await unlessMissing(readdir(folder, { recursive: true, withFileTypes: true }))) ?? [];
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const documents = files.filter((file) => {
    const place = placeOf(file, basename(folder));
    return place !== undefined && isPipelineKind(place.kind) && place.sprintDir === folder;
  });
  const isText = await Promise.all(documents.map((file) => textOf(file).then(Boolean, () => false)));
  return documents.filter((_, index) => isText[index]);
}

async function textOf(file: string): Promise<string> {
  const found = await unlessMissing(lstat(file));
  return found?.isFile() ? ((await readInputFile(dirname(file), basename(file))) ?? '') : '';
}

/** A link is left alone: what it leads to may be no file of this folder. */
async function rewrite(file: string, problems: readonly Problem[], print: (line: string) => void): Promise<void> {
  const fixes = problems.flatMap(({ fix }) => fix ?? []);
  const found = await unlessMissing(lstat(file));
  if (fixes.length === 0 || !found?.isFile()) return;
  const text = await textOf(file);
  await replaceFile(file, Buffer.from(applied(text, fixes)), { durable: false });
  print(`${counted(fixes.length, 'place')} rewritten.`);
}

/** What overlaps an earlier one is left for the next round. */
function applied(text: string, fixes: readonly TextFix[]): string {
  const edits = fixes.flatMap((fix) => fix.edits).sort((a, b) => a.from - b.from || a.to - b.to);
  let at = 0;
  let result = '';
  for (const { from, to, text: instead } of edits) {
    if (from < at) continue;
    result += text.slice(at, from) + instead;
    at = to;
  }
  return result + text.slice(at);
}
