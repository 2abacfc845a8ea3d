/** Plays an example from its recording, in a new repository: real git, sandbox and browser, and nobody is asked anything. */
import { join } from 'node:path';
import type { Overrides } from '../src/engine/ground/config.ts';
import type { Model } from '../src/engine/ports.ts';
import type { Event } from '../src/engine/state/events.ts';
import type { Ending, State } from '../src/engine/state/state.ts';
import { preparePipeline } from '../src/host/pipelines/prepare.ts';
import { runPipeline } from '../src/host/pipelines/run-pipeline.ts';
import { runSprint } from '../src/host/sprint.ts';
import { nobody } from '../src/host/nobody.ts';
import { exampleRepository } from './example-repository.ts';
import { targetOf, type PipelineExample } from './pipeline-example.ts';
import { standIn } from './stand-in.ts';

export interface Played {
  ending: Ending;
  state: State;
  events: Event[];
}

/** @param repo folder that does not exist yet. */
export async function playSprint(example: string, repo: string, model: Model, overrides: Overrides = {}): Promise<Played> {
  exampleRepository(example, repo);
  const events: Event[] = [];
  const person = standIn(join(example, 'supplied'), repo);
  const played = await runSprint({
    sprintDir: join(repo, 'sprint'),
    model,
    person,
    onOpen: (desk) => void (person.desk = desk),
    overrides,
    signal: new AbortController().signal,
    onEvent: (event) => void events.push(event),
    onProgress: () => undefined,
  });
  return { ...played, events };
}

/** @param root a new repository of the example. */
export async function playPipeline(name: PipelineExample, root: string, model: Model): Promise<Played> {
  const session = targetOf(name);
  const events: Event[] = [];
  const played = await runPipeline({
    model,
    mock: false,
    root,
    session,
    prepared: await preparePipeline(root, session, {}, session),
    overrides: {},
    signal: new AbortController().signal,
    person: nobody,
    onEvent: (event) => void events.push(event),
    onProgress: () => undefined,
  });
  return { ...played, events };
}
