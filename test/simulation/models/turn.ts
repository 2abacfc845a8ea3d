/**
 * The input of a simulated agent in one turn, and its answer. A program depends only on the request and the documents: after a
 * crash it has no other memory than the conversation.
 */
import type { AskRequest, ToolUse } from '../../../src/engine/ground/messages.ts';
import type { Brief, Feature } from '../brief.ts';
import type { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';

export type Call = [tool: string, input: unknown];
/** Tool calls; an empty list is a reply without calls. */
export type Answer = Call[];
export type Program = (turn: Turn) => Answer;
/** Programs by the tool that ends their session. */
export type Programs = Readonly<Record<string, Program>>;

/** An answered call of this session. */
export interface Done {
  tool: string;
  input: Record<string, unknown>;
  ok: boolean;
  text: string;
}

export interface Turn {
  request: AskRequest;
  brief: Brief;
  scenario: Scenario;
  random: Random;
  /** The target of the session: a task, a verification, a part. */
  target: string;
  /** How often this row was tried for the target. */
  attempt: number;
  /** The session's prompt. */
  prompt: string;
  /** Calls of this session that were answered, in order. */
  done: Done[];
  /** Records that the model claims something false. */
  recordLie(): void;
}

export function doneIn({ messages }: AskRequest): Done[] {
  const uses = new Map<string, ToolUse>();
  return messages.flatMap((message) => {
    if (message.role === 'assistant') {
      for (const block of message.content) if (block.type === 'tool_use') uses.set(block.id, block);
      return [];
    }
    return message.content.flatMap((block): Done[] => {
      if (block.type !== 'tool_result') return [];
      const use = uses.get(block.tool_use_id);
      const input = (use?.input ?? {}) as Record<string, unknown>;
      return [
        {
          tool: use?.name ?? '',
          input,
          ok: block.is_error !== true,
          text: typeof block.content === 'string' ? block.content : '',
        },
      ];
    });
  });
}

/** The result of the latest call of this tool with this path. */
export function lastText({ done }: Turn, tool: string, path: string): string | undefined {
  return done.findLast((d) => d.tool === tool && d.input['path'] === path)?.text;
}

/** Whether it may be called: of the tools that are shown, those that the prompt names, where it names some. */
export function has({ request, prompt }: Turn, tool: string): boolean {
  const [, named] = /only these may be called in this session: (.*?)\. /.exec(prompt) ?? [];
  return request.tools.some(({ name }) => name === tool) && (named?.includes(`\`${tool}\``) ?? true);
}

/** Features that a text names, in the order of the brief. */
export function featuresIn({ brief }: Turn, text: string): Feature[] {
  const named = new Set(text.match(/feature_\d+/g) ?? []);
  return brief.features.filter(({ name }) => named.has(name));
}

/** The features of a task: those that its description names. */
export function taskFeatures(turn: Turn): Feature[] {
  const line = turn.prompt.split('\n').find((text) => text.startsWith(`Task ${turn.target}:`)) ?? '';
  return featuresIn(turn, line);
}

/** The files of these features, each once. */
export function pathsOf(features: readonly Feature[]): string[] {
  return [...new Set(features.map(({ path }) => path))];
}
