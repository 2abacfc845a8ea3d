/** A Messages API that plays a recording for programs: they do not tell whose turn it is, so the sprint's journal does. */
import { join } from 'node:path';
import type { AskRequest, AssistantBlock, Message } from '../../src/engine/ground/messages.ts';
import { readJournal } from '../../src/host/journal.ts';
import { createRecorded } from '../../src/models/recorded.ts';
import type { Session } from '../support/greeter.ts';
import { startMessagesServer, type Answer, type Peer } from './messages-server.ts';
import type { WireBlock } from './messages-wire.ts';

/** @param sprintDir the folder of the sprint that runs. */
export function startPlayedServer(sessions: readonly Session[], sprintDir: () => string): Promise<Peer> {
  const model = createRecorded({ name: 'recording', text: JSON.stringify({ recording: 1, sessions }) });
  return startMessagesServer({
    async answer({ body }): Promise<Answer> {
      const asked = await lastAsk(sprintDir());
      if (!asked) return { status: 400, message: 'Nothing is asked.' };
      const { role, purpose } = asked;
      // A program may make the calls of one reply in several turns of the sprint's.
      const turn = (body['messages'] as Message[]).filter((message) => message.role === 'assistant').length + 1;
      const request = { role, purpose, turn, model: 'played', maxTokens: 1000, system: '', tools: [], messages: [] };
      const { content, stop } = await model.ask(request, () => undefined, new AbortController().signal);
      return { content: content.map((block) => named(block, body)) as WireBlock[], stop, piece: 400 };
    },
  });
}

async function lastAsk(sprintDir: string): Promise<Pick<AskRequest, 'role' | 'purpose'> | undefined> {
  const { events } = await readJournal(join(sprintDir, '.loop', 'journal.jsonl'));
  return events.flatMap((event) => (event.type === 'step.begun' && event.step.kind === 'ask' ? [event.step] : [])).at(-1);
}

/** Claude Code puts the name of the server before the name of a tool. */
function named(block: AssistantBlock, { tools }: Record<string, unknown>): AssistantBlock {
  if (block.type !== 'tool_use') return block;
  const name = (tools as { name: string }[]).find((tool) => tool.name.endsWith(`__${block.name}`))?.name;
  return { ...block, name: name ?? block.name };
}
