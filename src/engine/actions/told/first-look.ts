/** What discovery would look for first: the files that are there, and the usual tools of this machine. */
import type { Context } from '../../context.ts';
import { promptText } from '../../ground/prompts.ts';
import { isDocument, textsThere } from './shown-texts.ts';

/** Paths that are listed. */
const mostPaths = 80;
/** Asking for a version takes time, and some ask the network first: of the others it matters less. */
const versioned: readonly string[] = ['node', 'python3', 'go', 'cargo', 'java'];
const usualTools = [
  ...'node npm pnpm yarn bun deno python3 pytest uv poetry tox go cargo java javac mvn gradle'.split(' '),
  ...'ruby bundle php composer dotnet swift mix gcc cmake make just git curl jq'.split(' '),
];

export async function firstLook(context: Context): Promise<string> {
  const { ports, state, signal } = context;
  const paths = (await ports.tree.glob('**/*', '')).filter((path) => !isDocument(state, path));
  const more = paths.length > mostPaths ? [`and ${paths.length - mostPaths} more`] : [];
  const answers = await ports.machine.look(
    usualTools.map((name) => ({ kind: 'tool', name, ...(versioned.includes(name) ? { version: '0' } : {}) })),
    signal,
  );
  const tools = usualTools.flatMap((name, index) => {
    const answer = answers[index];
    return answer?.kind === 'tool' && answer.version !== null ? [`${name} ${answer.version}`.trim()] : [];
  });
  return promptText('first-look', {
    files: [...paths.slice(0, mostPaths), ...more].join('\n') || 'Nothing but the documents.',
    tools: tools.join(', ') || 'none of the usual ones',
    texts: await textsThere(context, { settings: true }),
  });
}
