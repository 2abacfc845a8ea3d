/** Which folders of the workspace are sprints: those that hold VISION.md and PRD.md; and which one was worked on last. */
import * as path from 'node:path';
import * as vscode from 'vscode';

const ignored = '**/{node_modules,.git,.loop,dist,out,build,vendor}/**';
const mostFolders = 100;

export interface SprintFolder {
  dir: string;
  /** Last path segment: the sprint's name. */
  name: string;
  /** As a person knows it: below its workspace folder, with that folder's name where there are several. */
  where: string;
}

/** Sorted by path. Empty without a workspace folder. */
export async function findSprintFolders(): Promise<SprintFolder[]> {
  const [visions, prds] = await Promise.all(
    ['VISION.md', 'PRD.md'].map((name) => vscode.workspace.findFiles(`**/${name}`, ignored, mostFolders)),
  );
  const withPrd = new Set(prds?.map((uri) => path.dirname(uri.fsPath)));
  const dirs = (visions ?? []).filter((uri) => uri.scheme === 'file').map((uri) => path.dirname(uri.fsPath));
  return dirs
    .filter((dir) => withPrd.has(dir))
    .sort()
    .map(sprintFolder);
}

export function sprintFolder(dir: string): SprintFolder {
  const relative = vscode.workspace.asRelativePath(dir);
  return { dir, name: path.basename(dir), where: relative === dir ? path.basename(dir) : relative };
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
