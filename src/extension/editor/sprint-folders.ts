/** Finds the sprint folders of the workspace, which have a VISION.md or a PRD.md, and in which order they were worked on. */
import * as path from 'node:path';
import * as vscode from 'vscode';

const ignored = '**/{node_modules,.git,.loop,dist,out,build,vendor}/**';
const maxFolders = 100;

export interface SprintFolder {
  dir: string;
  /** The engine's name of the sprint: the folder's name, or its parent's if the folder is called `sprint`. */
  name: string;
  /** Path for display: below its workspace folder, with that folder's name if there are several. */
  where: string;
  /** The document that the folder lacks; a sprint cannot start without it. */
  missing: (typeof documents)[number] | null;
}

const documents = ['VISION.md', 'PRD.md'] as const;

/** Sorted by path. Empty without a workspace folder. */
export async function findSprintFolders(): Promise<SprintFolder[]> {
  const uris = await Promise.all(documents.map((name) => vscode.workspace.findFiles(`**/${name}`, ignored, maxFolders)));
  const dirs = uris.map((some) => new Set(some.filter((uri) => uri.scheme === 'file').map((uri) => path.dirname(uri.fsPath))));
  return [...new Set(dirs.flatMap((set) => [...set]))]
    .sort()
    .map((dir) => ({ ...sprintFolder(dir), missing: documents.find((_, index) => !dirs[index]?.has(dir)) ?? null }));
}

/** `loop.hasFolders`, on which the first words of the Sprint view depend: whether there is a folder to start in. */
export class KnownFolders {
  private known: SprintFolder[] = [];

  constructor(private readonly keys: { set(name: 'hasFolders', value: boolean): void }) {}

  async find(): Promise<SprintFolder[]> {
    this.known = await findSprintFolders();
    this.keys.set('hasFolders', this.known.length > 0);
    return this.known;
  }

  knows(dir: string): boolean {
    return this.known.some((folder) => folder.dir === dir);
  }

  follow(): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher('**/{VISION,PRD}.md', false, true, false);
    const look = (): void => void this.find();
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(look),
      watcher.onDidDelete(look),
      followGone((isGone) => void (this.known.some(({ dir }) => isGone(dir)) && look())),
    );
  }
}

/** Calls back where a folder of the workspace is deleted, moved or renamed: of what lies in it the editor tells nothing then. */
export function followGone(onGone: (isGone: (dir: string) => boolean) => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**', true, true, false);
  const isIn = (parent: string, dir: string): boolean => dir === parent || dir.startsWith(parent + path.sep);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidDelete(({ fsPath }) => onGone((dir) => isIn(fsPath, dir))),
  );
}

export function sprintFolder(dir: string): Omit<SprintFolder, 'missing'> {
  const relative = vscode.workspace.asRelativePath(dir);
  const base = path.basename(dir);
  const name = base.toLowerCase() === 'sprint' ? path.basename(path.dirname(dir)) : base;
  return { dir, name, where: relative === dir ? base : relative };
}

/** The folders that have a journal, the one that was written last first. */
export async function byLastWork(folders: SprintFolder[]): Promise<SprintFolder[]> {
  const times = await Promise.all(folders.map(async (folder) => ({ folder, time: await journalTime(folder.dir) })));
  const known = times.filter((t): t is { folder: SprintFolder; time: number } => t.time !== undefined);
  return known.sort((a, b) => b.time - a.time).map(({ folder }) => folder);
}

/** Whether a folder lies in an open workspace folder, and so is trusted like it. */
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
