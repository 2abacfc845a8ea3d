/** The six execution tools: a shell in the sandbox, and files of the worktree. */
import * as z from 'zod';
import { counted, excerpt, pieceOf } from '../ground/text.ts';
import { bash } from './bash-tool.ts';
import { edit, replacement } from './edits.ts';
import { ToolError, worldTool, type Surroundings } from './tool.ts';

/** Characters of one answer. */
const longest = 30_000;
const longestRead = 60_000;
const mostPaths = 500;
const mostMatches = 200;

const readFile = worldTool({
  name: 'read_file',
  description: `Read a text file of the worktree, whole or from a line on: ${longestRead} characters at most, with where to go on.`,
  input: z.strictObject({
    path: z.string().min(1),
    offset: z.int().min(0).optional().describe('Lines to skip'),
    limit: z.int().positive().optional().describe('Lines at most'),
  }),
  begins: false,
  run: async ({ path, ...range }, { ports }) => linesOf(await existing(ports, path), path, range),
});

const writeFile = worldTool({
  name: 'write_file',
  description: 'Write a file of the worktree, whole; folders are made as needed.',
  input: z.strictObject({ path: z.string().min(1), content: z.string() }),
  begins: false,
  async run({ path, content }, { ports }) {
    await ports.tree.write(path, content);
    return `Wrote ${path} (${content.length} characters).`;
  },
});

const editFile = worldTool({
  name: 'edit_file',
  description: 'Replace one occurrence of a text in a file; the text must occur exactly once.',
  input: z.strictObject({ path: z.string().min(1), ...edit.shape }),
  // The text does not show whether an edit was made: the result may hold what it replaced.
  begins: true,
  async run({ path, ...change }, { ports }) {
    if (!(await ports.tree.edit(path, (text) => replacement(text, change, path)))) throw missing(path);
    return `Edited ${path}.`;
  },
});

const globSearch = worldTool({
  name: 'glob_search',
  description: `List the files of the worktree that match a glob pattern, ${mostPaths} at most; ignored files are left out.`,
  input: z.strictObject({ pattern: z.string().min(1), path: z.string().optional().describe('Folder or file to search in') }),
  begins: false,
  async run({ pattern, path = '' }, { ports }) {
    const paths = await ports.tree.glob(pattern, path);
    const more = paths.length > mostPaths ? `\n[${paths.length - mostPaths} more]` : '';
    return paths.length === 0 ? 'No file matches.' : paths.slice(0, mostPaths).join('\n') + more;
  },
});

const grepSearch = worldTool({
  name: 'grep_search',
  description: `Search the text of the worktree with an extended regular expression. Returns path:line:text, for ${mostMatches} lines at most.`,
  input: z.strictObject({
    pattern: z.string().min(1),
    path: z.string().optional().describe('Folder or file to search in'),
    glob: z.string().optional().describe('Of paths in it; without / of names in any folder'),
  }),
  begins: false,
  async run({ pattern, path = '', glob }, { ports }) {
    const query = { pattern, under: path, limit: mostMatches + 1, ...(glob === undefined ? {} : { glob }) };
    const { lines, cut } = await ports.tree.grep(query);
    const shown = lines.length === 0 ? [] : [excerpt(lines.slice(0, mostMatches).join('\n'), longest)];
    if (lines.length > mostMatches) shown.push(`[more than ${mostMatches} matches; narrow path or glob]`);
    else if (cut !== undefined) shown.push(`[search cut at ${cut}; narrow path or glob]`);
    return shown.length === 0 ? 'Nothing matches.' : shown.join('\n');
  },
});

export const worldTools = [bash, readFile, writeFile, editFile, globSearch, grepSearch];

interface Range {
  offset?: number | undefined;
  limit?: number | undefined;
}

/** Whole lines, as many as an answer holds. */
function linesOf(text: string, path: string, { offset = 0, limit = Infinity }: Range): string {
  const lines = text.split('\n');
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  if (offset > 0 && offset >= count) return `[${path} has ${counted(count, 'line')}]`;
  const wanted = lines.slice(offset, offset + limit);
  let size = -1;
  const fitting = wanted.slice(0, count - offset).findIndex((line) => (size += line.length + 1) > longestRead);
  if (fitting < 0) return wanted.join('\n');
  const next = offset + Math.max(fitting, 1);
  if (fitting > 0) return `${wanted.slice(0, fitting).join('\n')}\n[lines ${offset + 1}–${next} of ${count}; go on with offset ${next}]`;
  const [first = ''] = wanted;
  const shown = pieceOf(first, 0, longestRead);
  const goOn = next < count ? `; go on with offset ${next}` : '';
  return `${shown}\n[line ${next} of ${count}, without its last ${first.length - shown.length} characters${goOn}]`;
}

async function existing(ports: Surroundings['ports'], path: string): Promise<string> {
  const text = await ports.tree.read(path);
  if (text === undefined) throw missing(path);
  return text;
}

function missing(path: string): ToolError {
  return new ToolError(`There is no file ${path}. Look with glob_search.`);
}
