/**
 * What a session really did: its calls and their results, by the engine's own record and never by the session's report (I8). It
 * is read from steps and payloads, so it is the same after a crash.
 */
import { askReply, type ToolUse } from '../ground/messages.ts';
import type { Payloads } from '../ports.ts';
import type { OpenAction } from '../state/state.ts';

export interface DoneCall extends Pick<ToolUse, 'name' | 'input'> {
  /** Exit status of the command that it ran; undefined when it was killed or ran none. */
  exit: number | undefined;
}

/** Calls of the open action that were done, in order; refused, failed and interrupted ones are left out. */
export async function doneCalls({ parts }: OpenAction, payloads: Payloads): Promise<DoneCall[]> {
  const done: DoneCall[] = [];
  for (const [id, { begun, ended }] of parts) {
    if (begun?.kind !== 'ask' || !ended?.result) continue;
    const { content } = askReply.parse(JSON.parse(await payloads.get(ended.result)));
    const uses = content.filter((block): block is ToolUse => block.type === 'tool_use');
    for (const [index, { name, input }] of uses.entries()) {
      const call = parts.get(`${id}/c${index + 1}`)?.ended;
      if (call?.outcome === 'done') done.push({ name, input, exit: call.exit });
    }
  }
  return done;
}
