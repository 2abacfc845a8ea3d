/**
 * Which lines of the tree's scripts a page runs, by V8's precise coverage, written down as other programs do (`sandbox/reach.ts`). Only
 * a script with the text of a file of the tree, or of one that stands in a page of it, is told: what a build made has lines that nobody
 * can tell. Of a page whose script runs, all is reached but its scripts.
 */
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { reachedPlaces } from '../sandbox/reached-places.ts';
import type { Connection } from './connection.ts';

const coverage = z.object({
  result: z.array(
    z.object({
      scriptId: z.string(),
      functions: z.array(z.object({ ranges: z.array(z.object({ startOffset: z.number(), endOffset: z.number(), count: z.number() })) })),
    }),
  ),
});
const identified = z.object({ id: z.string() });
const sourced = z.object({ scriptSource: z.string() });

/** Files of the tree that are looked at, and characters of one. */
const mostFiles = 2000;
const longestFile = 1_000_000;
/** Milliseconds. */
const longestAsk = 2000;

interface Script {
  path: string;
  text: string;
  /** Where the script begins in the text; undefined where it is all of it. */
  from?: number;
}

/** Follows all tabs. Those that one process shows have one isolate, and whoever asks first is told of the scripts of all of them. */
export class PageReach {
  private readonly tabs = new Set<Connection>();
  /** By isolate and id. */
  private readonly scripts = new Map<string, Script | undefined>();
  private readonly known = new Set<string>();
  private files: Script[] | undefined;

  /** @param folder where it writes down what pages reach. */
  constructor(
    private readonly root: string,
    private readonly folder: string,
  ) {
    mkdirSync(folder, { recursive: true });
  }

  async add(tab: Connection): Promise<void> {
    this.tabs.add(tab);
    await Promise.all([
      tab.send('Debugger.enable'),
      // A page may ask for a pause; nobody is there to end it.
      tab.send('Debugger.setSkipAllPauses', { skip: true }),
      tab.send('Profiler.enable'),
      tab.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true }),
    ]);
  }

  forget(tab: Connection): void {
    this.tabs.delete(tab);
  }

  /** Writes down what was reached until now. */
  async take(): Promise<void> {
    const isolates = new Map<Connection, string>();
    // One that is busy or crashed tells nothing now; what it reached is told by a later call.
    const asked = [...this.tabs].map(async (tab) => ({
      tab,
      told: await tab.send('Runtime.getIsolateId', {}, longestAsk).catch(() => undefined),
    }));
    for (const { tab, told } of await Promise.all(asked)) {
      const { data } = identified.safeParse(told);
      if (data) isolates.set(tab, data.id);
    }
    for (const [tab, id] of isolates) {
      const { data } = coverage.safeParse(await this.ask(tab, 'Profiler.takePreciseCoverage'));
      const beside = [...isolates.keys()].filter((other) => isolates.get(other) === id);
      for (const { scriptId, functions } of data?.result ?? []) this.write(await this.scriptOf(id, scriptId, beside), functions);
    }
  }

  /** @returns undefined where the tab was closed by now. */
  private async ask(tab: Connection, method: string): Promise<unknown> {
    try {
      return await tab.send(method);
    } catch (error) {
      if (this.tabs.has(tab)) throw error;
      return undefined;
    }
  }

  private write(script: Script | undefined, functions: Covered): void {
    if (!script) return;
    const fresh = reachedPlaces(script.text, inText(script, functions))
      .map((place) => `${script.path}:${place}`)
      .filter((place) => !this.known.has(place));
    for (const place of fresh) this.known.add(place);
    if (fresh.length > 0) appendFileSync(join(this.folder, `page-${process.pid}`), `${fresh.join('\n')}\n`);
  }

  /** Only the tab that runs it tells its text. */
  private async scriptOf(isolate: string, scriptId: string, tabs: readonly Connection[]): Promise<Script | undefined> {
    const key = `${isolate}:${scriptId}`;
    if (this.scripts.has(key)) return this.scripts.get(key);
    const asked = tabs.map(async (tab) => sourced.parse(await tab.send('Debugger.getScriptSource', { scriptId })).scriptSource);
    const source = await Promise.any(asked).catch(() => undefined);
    if (source === undefined) return undefined;
    this.files ??= textsOf(this.root);
    const script = scriptIn(this.files, source);
    this.scripts.set(key, script);
    return script;
  }
}

/** The file with this text, or the one page that holds it: of several nobody knows which was opened. */
function scriptIn(files: readonly Script[], source: string): Script | undefined {
  if (source.trim() === '') return undefined;
  const file = files.find(({ path, text }) => !isPage(path) && text === source);
  if (file) return file;
  const [page, ...others] = files.filter(({ path, text }) => isPage(path) && text.includes(`>${source}<`));
  return page && others.length === 0 ? { ...page, from: page.text.indexOf(`>${source}<`) + 1 } : undefined;
}

type Covered = Parameters<typeof reachedPlaces>[1];

function inText({ text, from }: Script, functions: Covered): Covered {
  if (from === undefined) return functions;
  const scripts = [...text.matchAll(/(<script\b[^>]*>)([^]*?)<\/script>/gi)].map(({ index, 1: head = '', 2: body = '' }) => ({
    startOffset: index + head.length,
    endOffset: index + head.length + body.length,
    count: 0,
  }));
  const moved = functions.map(({ ranges }) => ({
    ranges: ranges.map(({ startOffset, endOffset, count }) => ({ startOffset: startOffset + from, endOffset: endOffset + from, count })),
  }));
  return [{ ranges: [{ startOffset: 0, endOffset: text.length, count: 1 }] }, { ranges: scripts }, ...moved];
}

function isPage(path: string): boolean {
  return /\.html?$/i.test(path);
}

function textsOf(root: string): Script[] {
  return filesBelow(root)
    .slice(0, mostFiles)
    .flatMap((path) => {
      const text = readFileSync(path, 'utf8');
      return text.length > longestFile ? [] : [{ path, text }];
    });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', '.git'].includes(entry.name) ? [] : filesBelow(path);
    return entry.isFile() && /\.([cm]?js|html?)$/i.test(entry.name) ? [path] : [];
  });
}
