/** What a page downloads, and where it lies then. A later one of the same name takes the place of the earlier one. */
import { join, relative } from 'node:path';
import * as z from 'zod';

/** Each sandbox has an empty /tmp of its own. */
export const temporaryDownloads = '/tmp/downloads';

const shapes = {
  begun: z.object({ guid: z.string(), suggestedFilename: z.string() }),
  progress: z.object({ guid: z.string(), state: z.string(), filePath: z.string().optional() }),
};

export interface DownloadPlace {
  folder: string;
  /** Paths in it are told relative to this folder; left out, they are absolute. */
  root?: string;
}

export class Downloads {
  /** Names of those that are not complete, by the browser's id. */
  private readonly open = new Map<string, string>();
  /** Ids of those that nobody waits for any more. */
  private readonly slow = new Set<string>();
  private ended: string[] = [];

  constructor(private readonly place: DownloadPlace = { folder: temporaryDownloads }) {}

  /** Whether one comes that is worth waiting for. */
  get areComing(): boolean {
    return this.open.size > this.slow.size;
  }

  take(method: string, params: unknown): void {
    if (method === 'Browser.downloadWillBegin') {
      const { data } = shapes.begun.safeParse(params);
      if (data) this.open.set(data.guid, data.suggestedFilename);
    } else if (method === 'Browser.downloadProgress') {
      const { data } = shapes.progress.safeParse(params);
      if (data && data.state !== 'inProgress') this.end(data);
    }
  }

  /** They took too long. */
  giveUp(): void {
    for (const id of this.open.keys()) this.slow.add(id);
  }

  /** What was downloaded since `forget`, and what is not complete yet. */
  lines(): string[] {
    return [...this.ended, ...[...this.open.values()].map((name) => `the download of ${JSON.stringify(name)} is not complete yet`)];
  }

  /** Those in a text that was read are told no more. */
  forget(text: string): void {
    const read = new Set(text.split('\n'));
    this.ended = this.ended.filter((line) => !read.has(line));
  }

  private end({ guid, state, filePath }: z.infer<typeof shapes.progress>): void {
    const name = this.open.get(guid);
    if (name === undefined) return;
    this.open.delete(guid);
    this.slow.delete(guid);
    const { folder, root } = this.place;
    const path = filePath ?? join(folder, name);
    const told = root === undefined ? path : relative(root, path);
    this.ended.push(
      state === 'completed' ? `downloaded ${JSON.stringify(name)} as ${told}` : `the download of ${JSON.stringify(name)} was cancelled`,
    );
  }
}
