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
const sourced = z.object({ scriptSource: z.string() });

/** Files of the tree that are looked at, and characters of one. */
const mostFiles = 2000;
const longestFile = 1_000_000;

interface Script {
  path: string;
  text: string;
  /** Where the script begins in the text; undefined where it is all of it. */
  from?: number;
}

/** @returns writes down what was reached until now. */
export async function followReach(
  connection: Connection,
  { root, folder }: { root: string; folder: string },
): Promise<() => Promise<void>> {
  const scripts = new Map<string, Script | undefined>();
  const known = new Set<string>();
  let files: Script[] | undefined;
  const scriptOf = async (id: string): Promise<Script | undefined> => {
    if (scripts.has(id)) return scripts.get(id);
    const { scriptSource: source } = sourced.parse(await connection.send('Debugger.getScriptSource', { scriptId: id }));
    files ??= textsOf(root);
    const script = scriptIn(files, source);
    scripts.set(id, script);
    return script;
  };
  await connection.send('Debugger.enable');
  // A page may ask for a pause; nobody is there to end it.
  await connection.send('Debugger.setSkipAllPauses', { skip: true });
  await connection.send('Profiler.enable');
  await connection.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  mkdirSync(folder, { recursive: true });
  return async () => {
    const { result } = coverage.parse(await connection.send('Profiler.takePreciseCoverage'));
    for (const { scriptId, functions } of result) {
      const script = await scriptOf(scriptId).catch(() => undefined);
      if (!script) continue;
      const { path, text } = script;
      const fresh = reachedPlaces(text, inText(script, functions))
        .map((place) => `${path}:${place}`)
        .filter((place) => !known.has(place));
      for (const place of fresh) known.add(place);
      if (fresh.length > 0) appendFileSync(join(folder, `page-${process.pid}`), `${fresh.join('\n')}\n`);
    }
  };
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
