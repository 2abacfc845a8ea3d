/** Runs parts of the engine on a story's journal with fake ports, also after a simulated crash. */
import type { SessionSpec } from '../../../src/engine/agents/spec.ts';
import { createContext, type Context } from '../../../src/engine/context.ts';
import { fold } from '../../../src/engine/core/fold.ts';
import { createKernel, type Kernel } from '../../../src/engine/kernel.ts';
import { resume } from '../../../src/engine/resume.ts';
import { toolsNamed } from '../../../src/engine/tools/registry.ts';
import type { World } from '../../support/fakes.ts';
import { FakePerson } from '../../support/person.ts';
import type { Story } from './events.ts';
import { awaiting } from './parts.ts';

export interface Play {
  kernel: Kernel;
  context: Context;
  abort: AbortController;
}

/** Starts the engine from the world's journal. */
export function play(world: World): Play {
  const abort = new AbortController();
  const state = fold(world.journal.events);
  const kernel = createKernel({ state, ports: world.ports, signal: abort.signal, owner: 1, onEvent: () => undefined });
  const { person } = world.ports;
  if (person instanceof FakePerson) person.desk = kernel;
  return { kernel, context: createContext(kernel), abort };
}

/** Puts the story's journal and the payloads that it names into the world. */
export async function staged(world: World, story: Story): Promise<World> {
  for (const text of ['# Vision', '## 1. Totals', 'script of value/total', 'patch']) await world.payloads.put(text);
  world.journal.events.push(...story.events);
  return world;
}

/** Restarts the engine as after a crash: only the journal is left. */
export async function again(world: World): Promise<Play> {
  world.journal.crashAt = Infinity;
  const played = play(world);
  await resume(played.kernel);
  return played;
}

/** A builder's session on T1 is open and has no turn yet. */
export function building(world: World, story: Story = awaiting()): Play {
  story.begin('execute', 'T1', ['execute/T1']);
  world.journal.events.push(...story.events);
  return play(world);
}

export const spec: SessionSpec = {
  role: 'builder',
  purpose: 'execute/T1#1',
  system: 'You build.',
  prompt: () => 'Do T1.',
  tools: toolsNamed(['bash', 'read_file', 'write_file', 'edit_file', 'report_task_complete']),
  ends: ['report_task_complete'],
  web: false,
  place: 'worktree',
  hears: 'own',
};

export const reported = { task_id: 'T1' };
