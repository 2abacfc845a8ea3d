/** Which folders of the workspace are sprints: those with a VISION.md or a PRD.md; and which one was worked on last. */
import * as path from 'node:path';
import * as vscode from 'vscode';

const ignored = '**/{node_modules,.git,.loop,dist,out,build,vendor}/**';
const mostFolders = 100;

export interface SprintFolder {
  dir: string;
  /** As the engine calls the sprint: the folder's name, or its parent's where it is just called `sprint`. */
  name: string;
  /** As a person knows it: below its workspace folder, with that folder's name where there are several. */
  where: string;
  /** The one of its two documents that is not there; a sprint cannot start without it. */
  missing: (typeof documents)[number] | null;
}

const documents = ['VISION.md', 'PRD.md'] as const;

/** Sorted by path. Empty without a workspace folder. */
export async function findSprintFolders(): Promise<SprintFolder[]> {
  const found = await Promise.all(documents.map((name) => vscode.workspace.findFiles(`**/${name}`, ignored, mostFolders)));
  const dirs = found.map((uris) => new Set(uris.filter((uri) => uri.scheme === 'file').map((uri) => path.dirname(uri.fsPath))));
  return [...new Set(dirs.flatMap((set) => [...set]))]
    .sort()
    .map((dir) => ({ ...sprintFolder(dir), missing: documents.find((_, index) => !dirs[index]?.has(dir)) ?? null }));
}

export function sprintFolder(dir: string): Omit<SprintFolder, 'missing'> {
  const relative = vscode.workspace.asRelativePath(dir);
  const own = path.basename(dir);
  const name = own.toLowerCase() === 'sprint' ? path.basename(path.dirname(dir)) : own;
  return { dir, name, where: relative === dir ? own : relative };
}

/** The folder whose journal was written last, if one has a journal. */
export async function lastWorkedOn(folders: SprintFolder[]): Promise<SprintFolder | undefined> {
  const times = await Promise.all(folders.map(async (folder) => ({ folder, time: await journalTime(folder.dir) })));
  const known = times.filter((t): t is { folder: SprintFolder; time: number } => t.time !== undefined);
  return known.sort((a, b) => b.time - a.time)[0]?.folder;
}

/** Inside an open workspace folder, and therefore trusted with it. */
export function isInWorkspace(dir: string): boolean {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(dir)) !== undefined;
}

export async function exists(file: string): Promise<boolean> {
  return vscode.workspace.fs.stat(vscode.Uri.file(file)).then(
    () => true,
    () => false,
  );
}

async function journalTime(dir: string): Promise<number | undefined> {
  return vscode.workspace.fs.stat(vscode.Uri.file(path.join(dir, '.loop', 'journal.jsonl'))).then(
    (stat) => stat.mtime,
    () => undefined,
  );
}
