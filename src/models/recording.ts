/**
 * Parses a recording: the turns that a recorded model plays. It is YAML or JSON, written by hand:
 *
 *   recording: 1
 *   base: recording.yaml          # optional: another recording beside it, whose sessions come after these
 *   sessions:
 *     - role: builder
 *       purpose: execute/T1#1     # `*` is any run of characters; without `#n` it is every attempt;
 *       turns:                    # the first session that matches and has the turn wins
 *         - text: I write the file.                       # optional
 *           calls:                                        # optional
 *             - bash: { command: npm test }               # the tool's name and its input,
 *             - tool: write_file                          # or at length
 *               input: { path: cli.js, content: { $file: files/cli.js } }   # a text beside the recording
 *           usage: { input: 1200, output: 300, cacheRead: 0, cacheWrite: 0 }   # optional; else estimated from the text
 *           stop: max_tokens      # optional; else tool_use or end_turn
 *         - calls: [report_task: { summary: done }]
 *           repeat: true          # optional, on the last turn: every later turn is the same
 */
import { isNode, LineCounter, parseDocument, type Document } from 'yaml';
import * as z from 'zod';
import { askReply, type AskReply, type Usage } from '../engine/ground/messages.ts';
import { InputError, messageOf } from '../engine/ground/errors.ts';

export interface Recording {
  name: string;
  sessions: RecordedSession[];
}
export interface RecordedSession {
  role: string;
  purpose: string;
  /** The line where it begins in the file, from 1. */
  line: number;
  turns: RecordedTurn[];
}
export interface RecordedTurn {
  text: string;
  calls: { name: string; input: unknown }[];
  /** Figures from the recording; the missing ones are estimated. */
  usage: { [Figure in keyof Usage]?: Usage[Figure] | undefined };
  stop?: AskReply['stop'] | undefined;
  repeat: boolean;
}

/**
 * @param readFile reads a file by its path relative to the recording; throws if there is none.
 * @throws InputError with file and line.
 */
export function parseRecording(file: { name: string; text: string }, readFile: (relative: string) => string): Recording {
  const source = open(file);
  const parsed = recording.safeParse(source.document.toJS());
  const issue = parsed.error?.issues[0];
  if (issue) throw source.problem(issue.path, `${issue.path.join('.') || 'the recording'}: ${issue.message}`);
  const { sessions = [], base } = parsed.data ?? {};
  const own = sessions.map((session, s) => ({
    ...session,
    line: source.lineOf(['sessions', s]),
    turns: session.turns.map((each, t) => ({
      ...each,
      calls: each.calls.map(({ name, input }, c) => {
        const path = ['sessions', s, 'turns', t, 'calls', c];
        return { name, input: resolveFiles(input, (relative) => readBeside(source, path, relative, readFile)) };
      }),
    })),
  }));
  return { name: file.name, sessions: [...own, ...(base === undefined ? [] : sessionsOf(source, base, readFile))] };
}

/** A base may have no base itself, so that two recordings cannot name each other. */
function sessionsOf(source: Source, name: string, readFile: (relative: string) => string): RecordedSession[] {
  const text = readBeside(source, ['base'], name, readFile);
  if (open({ name, text }).document.has('base')) throw source.problem(['base'], `${name} has a base itself`);
  return parseRecording({ name, text }, readFile).sessions;
}

const call = z.record(z.string(), z.unknown()).transform((value, context): RecordedTurn['calls'][number] => {
  const { tool, input, ...rest } = value;
  const [name, ...others] = Object.keys(value);
  if (typeof tool === 'string' && Object.keys(rest).length === 0) return { name: tool, input: input ?? {} };
  if (name !== undefined && others.length === 0) return { name, input: value[name] ?? {} };
  context.addIssue('a call is either `<tool>: { <input> }` or `tool: <name>` with `input: { … }`');
  return z.NEVER;
});

const tokens = z.int().nonnegative();
const turn = z.strictObject({
  text: z.string().default(''),
  calls: z.array(call).default([]),
  usage: z.strictObject({ input: tokens, output: tokens, cacheRead: tokens, cacheWrite: tokens }).partial().default({}),
  stop: askReply.shape.stop.optional(),
  repeat: z.boolean().default(false),
});

const session = z.strictObject({
  role: z.string().min(1),
  purpose: z.string().min(1),
  turns: z
    .array(turn)
    .min(1)
    .superRefine((turns, context) => {
      const early = turns.slice(0, -1).findIndex((each) => each.repeat);
      if (early >= 0) context.addIssue({ code: 'custom', path: [early, 'repeat'], message: 'only the last turn may repeat' });
    }),
});

const recording = z.strictObject({ recording: z.literal(1), base: z.string().min(1).optional(), sessions: z.array(session) });

type Path = readonly PropertyKey[];
interface Source {
  document: Document;
  lineOf(path: Path): number;
  problem(path: Path, what: string): InputError;
}

const next = 'Correct the recording there; its format is described at the top of src/models/recording.ts.';

function open({ name, text }: { name: string; text: string }): Source {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const broken = document.errors[0];
  if (broken) throw new InputError(`${name}:${broken.linePos?.[0].line ?? 1}: ${broken.message.split('\n')[0] ?? ''}`, next);
  const lineOf = (path: Path): number => {
    // A missing field has no line, so the deepest existing part of the path is used.
    for (let depth = path.length; depth >= 0; depth--) {
      const node = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return counter.linePos(node.range[0]).line;
    }
    return 1;
  };
  return { document, lineOf, problem: (path, what) => new InputError(`${name}:${lineOf(path)}: ${what}.`, next) };
}

/** Replaces every `{ $file: path }` in a value with the file's text. */
function resolveFiles(value: unknown, read: (relative: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => resolveFiles(each, read));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [key, relative] = entries[0] ?? [];
  if (entries.length === 1 && key === '$file' && typeof relative === 'string') return read(relative);
  return Object.fromEntries(entries.map(([name, each]) => [name, resolveFiles(each, read)]));
}

function readBeside(source: Source, path: Path, relative: string, readFile: (relative: string) => string): string {
  if (/^[/\\]|^[a-z]:|(^|[/\\])\.\.([/\\]|$)/i.test(relative)) {
    throw source.problem(path, `"${relative}" does not lie beside the recording`);
  }
  try {
    return readFile(relative);
  } catch (error) {
    throw source.problem(path, `"${relative}" cannot be read: ${messageOf(error)}`);
  }
}
