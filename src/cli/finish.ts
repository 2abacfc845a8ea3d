import type { Command } from './arguments.ts';
import type { Streams } from './run.ts';
export async function finish(_command: Extract<Command, { name: 'finish' }>, _streams: Streams): Promise<number> {
  throw new Error('being written');
}
