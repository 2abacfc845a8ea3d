/**
 * How the deliverable is used, as the Evaluator reports it: only what it did in this session, in a fresh checkout and with
 * success, by the engine's own record of its calls (I8). So no claim becomes an instruction for the person.
 */
import * as z from 'zod';
import type { Ports } from '../ports.ts';
import { textOf } from '../run/files.ts';
import { documentsOf } from '../state/documents.ts';
import type { State } from '../state/state.ts';
import type { Use } from '../work/assessment.ts';
import { doneCalls, type DoneCall } from './done-calls.ts';
import { ToolError } from './tool.ts';

/** One flat object, because providers refuse a union there. */
export const useInput = z.strictObject({
  what: z.string().min(1).max(400).describe('What the user gets by it, in one sentence'),
  command: z
    .string()
    .min(1)
    .max(4000)
    .optional()
    .describe('As you ran it, with files that are in the work, or that the documents or README.md tell the person to have'),
  exit_status: z.int().min(0).max(255).default(0).describe('Of a command that is meant to fail'),
  page: z.string().min(1).max(4000).optional().describe('An address or a file, as you opened it in the browser'),
  file: z.string().min(1).max(400).optional().describe('A file, as you read it with read_file'),
});
type UseInput = z.infer<typeof useInput>;

const kinds = ['command', 'page', 'file'] as const;

/** @throws ToolError when an entry does not name exactly one thing. */
export function useOf(entry: UseInput): Use {
  const named = kinds.flatMap((kind) => (entry[kind] === undefined ? [] : [{ kind, it: entry[kind].trim() }]));
  const [only] = named;
  if (!only || named.length > 1)
    throw new ToolError(`Each entry of how_to_use names one command, page or file; "${entry.what}" names ${named.length}.`);
  const exit = only.kind === 'command' && entry.exit_status > 0 ? { exit: entry.exit_status } : {};
  return { what: entry.what, ...only, ...exit };
}

/**
 * The uses, each page with what served it.
 * @throws ToolError when something was not done in this session; its text names what was done that is nearest to it.
 */
export async function usesDone(uses: readonly Use[], { state, ports }: { state: State; ports: Ports }): Promise<Use[]> {
  if (uses.length === 0) return [];
  const calls = state.open ? await doneCalls(state.open, ports.payloads) : [];
  const done = calls.flatMap(doneBy);
  const isDone = (use: Use): boolean => done.some(({ kind, it, exit }) => kind === use.kind && it === use.it && exit === use.exit);
  const claimed = uses.flatMap((use, index) => (isDone(use) ? [] : [{ use, n: index + 1 }]));
  if (claimed.length === 0) {
    await requireThere(uses, calls, state, ports);
    return uses.map((use) => served(use, uses, calls));
  }
  const lines = claimed.map(({ use, n }, i) => `${n}, ${beginningOf(use)}${i < mostNearest ? nearestWords(use, done) : ''}`);
  throw new ToolError(
    `how_to_use takes only what you did in this session, word for word and with its exit status. Not done: ${lines.join('; ')}. Do it now, or leave it out.`,
  );
}

/** Nobody opens a page that nothing serves. */
function served(use: Use, uses: readonly Use[], calls: readonly DoneCall[]): Use {
  const origin = originOf(use.it);
  if (use.kind !== 'page' || origin === undefined) return use;
  const opened = calls.filter(({ name }) => name === 'browser').map(({ input }) => callInput.parse(input));
  const serve = opened.findLast((call) => call.serve !== undefined && originOf(call.url) === origin)?.serve?.trim();
  return serve === undefined || uses.some(({ it }) => it === serve) ? use : { ...use, serve };
}

/** With a variable in the place of its port, too. */
function originOf(url = ''): string | undefined {
  return /^https?:\/\/[^/?#]+/i.exec(url.trim())?.[0];
}

/**
 * What the documents or README.md name is the person's own, such as the file that the work reads.
 * @throws ToolError when a use names a file that only a command beside it made: the person does not have that one.
 */
async function requireThere(uses: readonly Use[], calls: readonly DoneCall[], state: State, { tree, payloads }: Ports): Promise<void> {
  const named = uses.flatMap(({ it }) => it.split(/[\s"'=<>|;]+/).map(plainPath));
  const made = calls
    .flatMap(({ name, input }) => (name === 'bash' ? [callInput.parse(input).command?.trim() ?? ''] : []))
    .filter((command) => !uses.some(({ it }) => it === command))
    .flatMap((command) => [...command.matchAll(writes)].map(([, path = '']) => plainPath(path)));
  const paths = [...new Set(made)].filter((path) => named.includes(path));
  if (paths.length === 0) return;
  const work = await tree.glob('**/*', '');
  const readmes = await Promise.all(work.filter((path) => /^README\.\w+$/i.test(path)).map((path) => textOf(tree, path)));
  const told = [...(await Promise.all(documentsOf(state).map(({ ref }) => payloads.get(ref)))), ...readmes.map((text) => text ?? '')];
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const names = new Set(told.flatMap((text) => text.split(/[^\w.-]+/)).map((word) => word.replace(/\.+$/, '')));
  const isTold = (path: string): boolean => names.has(nameOf(path));
  const missing = paths.filter((path) => !isTold(path) && !work.some((one) => `/${one}`.endsWith(`/${nameOf(path)}`)));
  if (missing.length > 0)
    throw new ToolError(
      `You made ${missing.join(', ')} here; the person does not have it. Use a file of the work, or make the command that writes it an entry, too.`,
    );
}

/** Where a shell writes a file; no number, which code compares with, has a letter behind a dot or a slash. */
const writes = /(?:>|\btee )\s*["']?(?!\/dev\/)([\w./-]*[./][\w-]*[a-z][\w./-]*)/gi;

function plainPath(path: string): string {
  return path.replace(/^\.\//, '');
}

type Done = Pick<Use, 'kind' | 'it' | 'exit'>;

const callInput = z.object({ command: z.string(), url: z.string(), serve: z.string(), path: z.string() }).partial();

/** A command counts when it ended, with its exit status, or when the page that it was started for answered. */
function doneBy({ name, input, exit }: DoneCall): Done[] {
  const { command, url, serve, path } = callInput.parse(input);
  const ended = name === 'bash' && command !== undefined && exit !== undefined;
  if (ended) return [{ kind: 'command', it: command.trim(), ...(exit > 0 ? { exit } : {}) }];
  const uses: [Use['kind'], string | undefined][] = [
    ['command', name === 'browser' ? serve : undefined],
    ['page', name === 'browser' ? url : undefined],
    ['file', name === 'read_file' ? path : undefined],
  ];
  return uses.flatMap(([kind, it]) => (it === undefined ? [] : [{ kind, it: it.trim() }]));
}

/** Entries of a refusal that are told what is nearest to them: the session knows what it did. */
const mostNearest = 3;

/** Characters of an entry, and of what is nearest to it. */
const shown = { entry: 30, nearest: 50 };

function beginningOf({ kind, it, exit }: Done): string {
  return `${kind} ${quoted(it, 0, shown.entry)}${exitWords(exit)}`;
}

/** What was done that begins and ends most like it, from shortly before the place where the two part. */
function nearestWords({ kind, it }: Use, done: readonly Done[]): string {
  const alike = (one: Done): number => alikeBefore(it, one.it) + alikeBehind(it, one.it);
  const [nearest] = done.filter((one) => one.kind === kind).toSorted((a, b) => alike(b) - alike(a));
  if (!nearest) return ` (no ${kind} was done)`;
  const from = it === nearest.it ? 0 : Math.max(0, alikeBefore(it, nearest.it) - shown.nearest / 2);
  return ` (nearest: ${quoted(nearest.it, from, shown.nearest)}${exitWords(nearest.exit)})`;
}

/** Characters with which both begin. */
function alikeBefore(one: string, other: string): number {
  let count = 0;
  while (count < Math.min(one.length, other.length) && one[count] === other[count]) count += 1;
  return count;
}

/** Characters with which both end. */
function alikeBehind(one: string, other: string): number {
  let count = 0;
  while (count < Math.min(one.length, other.length) && one.at(-1 - count) === other.at(-1 - count)) count += 1;
  return count;
}

function quoted(text: string, from: number, most: number): string {
  const part = text.slice(from, from + most);
  return JSON.stringify(`${from > 0 ? '…' : ''}${part}${from + most < text.length ? '…' : ''}`);
}

function exitWords(exit: number | undefined): string {
  return exit === undefined ? '' : ` (exit status ${exit})`;
}
