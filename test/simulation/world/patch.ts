/** Patches in a small part of git's format: one hunk for each file, without context lines. */
import type { ChangedFile } from '../../../src/engine/work/tree.ts';
import type { Files } from './work.ts';

export function changesOf(before: Files, after: Files): { files: ChangedFile[]; patch: string } {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => before[path] !== after[path]);
  const files = paths.sort().map((path): ChangedFile => {
    const kind = before[path] === undefined ? 'added' : after[path] === undefined ? 'deleted' : 'modified';
    return { path, kind };
  });
  return { files, patch: files.map(({ path }) => filePatch(path, before[path], after[path])).join('') };
}

/** The place of a change, with the lines before and after it. */
export interface Region {
  start: number;
  removed: string[];
  added: string[];
}

export function regionOf(before: string, after: string): Region {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return { start, removed: a.slice(start, a.length - end), added: b.slice(start, b.length - end) };
}

/** Reverts a change in a text that may have changed since. In a conflict the lines from before the change win. */
export function reverted(text: string, before: string, after: string): string {
  if (text === after) return before;
  const { start, removed, added } = regionOf(before, after);
  const lines = text.split('\n');
  const at =
    added.length === 0 ? Math.min(start, lines.length) : lines.findIndex((_, i) => added.every((line, k) => lines[i + k] === line));
  if (at >= 0) return [...lines.slice(0, at), ...removed, ...lines.slice(at + added.length)].join('\n');
  const rest = lines.filter((line) => line === '' || !added.includes(line));
  return [...rest.slice(0, start), ...removed, ...rest.slice(start)].join('\n');
}

function filePatch(path: string, before: string | undefined, after: string | undefined): string {
  const { start, removed, added } = regionOf(before ?? '', after ?? '');
  const names = [before === undefined ? '/dev/null' : `a/${path}`, after === undefined ? '/dev/null' : `b/${path}`];
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  const place = `@@ -${start + 1},${removed.length} +${start + 1},${added.length} @@`;
  return [`diff --git a/${path} b/${path}`, `--- ${names[0]}`, `+++ ${names[1]}`, place, ...lines, ''].join('\n');
}
