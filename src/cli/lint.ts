/** `loop lint`: what is wrong in the documents of a sprint folder, or in stages and pipelines, as the editor shows it, without a model. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { InputError } from '../engine/ground/errors.ts';
import { counted } from '../engine/ground/text.ts';
import { unlessMissing } from '../host/disk.ts';
import { readInputFile } from '../host/input-file.ts';
import { readDocument, requireFolder } from '../host/read-inputs.ts';
import { findingsOf } from '../language/findings.ts';
import type { Finding } from '../language/finding.ts';
import { placeOf } from '../language/place.ts';
import { aroundOf } from '../language/verification.ts';
import type { Command } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { pipelineFolderFindings } from './lint-pipelines.ts';
import { plain } from './plain.ts';
import type { Streams } from './run.ts';

/** @returns 4 where a start would be refused with these documents; with `strict` for a warning, too; else 0. @throws InputError */
export async function lint(
  { sprintDir, shelf, json, fix, strict }: Extract<Command, { name: 'lint' }>,
  { out, err }: Pick<Streams, 'out' | 'err'>,
): Promise<number> {
  const print = (line: string): void => (json ? err : out)(`${plain(line)}\n`);
  const isPipelines = basename(sprintDir) === shelf && !['VISION.md', 'PRD.md'].some((name) => existsSync(join(sprintDir, name)));
  if (fix && !isPipelines) throw new InputError('--fix rewrites stages and pipelines.', `Give it a folder called ${shelf}.`);
  if (isPipelines) await requireFolder(sprintDir);
  const found = isPipelines ? await pipelineFolderFindings(sprintDir, fix ? print : undefined) : await findings(sprintDir);
  out(json ? `${JSON.stringify(found.map(asJson), null, 2)}\n` : plain(`${[...found.map(lineOf), summary(found)].join('\n')}\n`));
  return found.some(({ severity }) => severity === 'error' || (strict && severity === 'warning')) ? exitCodes.input : exitCodes.delivered;
}

interface Placed extends Finding {
  /** Below the sprint's folder. */
  file: string;
}

async function findings(sprintDir: string): Promise<Placed[]> {
  await requireFolder(sprintDir);
  const texts = [
    { file: 'VISION.md', text: await readDocument(sprintDir, 'VISION.md') },
    { file: 'PRD.md', text: await readDocument(sprintDir, 'PRD.md') },
  ];
  for (const file of ['loop.config.yaml', 'services.yaml']) {
    const text = await readInputFile(sprintDir, file);
    if (text !== undefined) texts.push({ file, text });
  }
  const about = { prd: texts[1]?.text, services: texts.find(({ file }) => file === 'services.yaml')?.text, view: undefined };
  texts.push(...(await verifications(sprintDir)));
  return texts.flatMap(({ file, text }) => {
    const place = placeOf(join(sprintDir, file));
    const document = TextDocument.create(file, 'plaintext', 0, text);
    return place ? findingsOf(document, place.kind, aroundOf(about)).map((finding) => ({ ...finding, file })) : [];
  });
}

/** Those in the files below `.loop/verifications`. */
async function verifications(sprintDir: string): Promise<{ file: string; text: string }[]> {
  const folder = join(sprintDir, '.loop', 'verifications');
  const entries = (await unlessMissing(readdir(folder, { recursive: true, withFileTypes: true }))) ?? [];
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(sprintDir, join(parentPath, name)));
  const texts = await Promise.all(files.toSorted().map(async (file) => ({ file, text: await readInputFile(sprintDir, file) })));
  return texts.flatMap(({ file, text }) => (text === undefined ? [] : [{ file, text }]));
}

/** Lines and columns from 1, as editors show them. */
function asJson({ file, code, severity, range: { start, end }, message, next, fixes }: Placed) {
  const place = { line: start.line + 1, column: start.character + 1, endLine: end.line + 1, endColumn: end.character + 1 };
  return { file, ...place, severity, code, message, next, fixes: fixes.map(({ title }) => title) };
}

function lineOf({ file, code, severity, range: { start }, message, next }: Placed): string {
  return `${file}:${start.line + 1}:${start.character + 1}: ${severity} ${code}: ${message} ${next}`;
}

function summary(found: readonly Finding[]): string {
  const count = (severity: Finding['severity']): number => found.filter((one) => one.severity === severity).length;
  return found.length === 0
    ? 'Nothing was found.'
    : `${counted(count('error'), 'error')}, ${counted(count('warning'), 'warning')}, ${count('information')} for information.`;
}
