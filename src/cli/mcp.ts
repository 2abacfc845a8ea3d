/**
 * `loop mcp`: answers questions about sprints on standard input and output, for any agent, by the Model Context Protocol
 * (https://modelcontextprotocol.io). It only reads: nothing can be started, approved or changed through it.
 */
import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { InputError } from '../engine/ground/errors.ts';
import { questions } from '../host/questions.ts';
import { ownVersion } from './own-version.ts';
import { plain } from './plain.ts';

/** Ends with its input. @param folder the one below which sprints are looked for. */
export async function mcp(folder: string): Promise<number> {
  const server = new McpServer({ name: 'loop', title: 'Loop', version: await ownVersion() });
  for (const question of questions) {
    const { name, title, description, input } = question;
    server.registerTool(
      name,
      { title, description, inputSchema: input, annotations: { readOnlyHint: true, openWorldHint: false } },
      (asked) => answerOrWhyNot(() => question.answer([folder], asked)),
    );
  }
  const ended = new Promise<void>((resolve) => void process.stdin.once('end', resolve).once('close', resolve));
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
  return 0;
}

async function answerOrWhyNot(answer: () => Promise<string>): Promise<CallToolResult> {
  try {
    return said(await answer());
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { ...said(`${error.message} ${error.next}`), isError: true };
  }
}

function said(text: string): CallToolResult {
  return { content: [{ type: 'text', text: plain(text) }] };
}
