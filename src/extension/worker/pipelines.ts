/** What the editor asks about pipelines, besides running them. */
import { basename, dirname, join } from 'node:path';
import { goesOn } from '../../engine/core/fold.ts';
import { InputError, messageOf } from '../../engine/ground/errors.ts';
import { inspectRepository } from '../../host/git/inspect.ts';
import { boundOf, preparePipeline, problemWords, type Prepared } from '../../host/pipelines/prepare.ts';
import { canName, sessionFolder, sessionsIn, whatChanged } from '../../host/pipelines/run-pipeline.ts';
import { listPipelines, originWords, shelvesOf } from '../../host/pipelines/shelves.ts';
import { openPayloads } from '../../host/payloads.ts';
import { readSprint } from '../../host/sprint.ts';
import { iterationText } from '../../views/model/iteration-text.ts';
import { t } from '../../views/words.ts';
import { pipelineView, type PipelineView } from '../../views/model/pipeline-view.ts';
import type { PipelineOffer, PipelinePreview, Requests } from '../protocol.ts';
import { runsElsewhere } from './elsewhere.ts';
import type { RunningSprint } from './running-sprint.ts';

export class Pipelines {
  /** What the person saw the worst case of, by the folder of its session: exactly this is run. */
  private readonly prepared = new Map<string, Prepared>();

  constructor(private readonly runOf: (dir: string) => RunningSprint | undefined) {}

  async offers({ folder, shelf }: Requests['pipelines']['params']): Promise<Requests['pipelines']['result']> {
    const { root } = await inspectRepository(folder);
    const shelves = shelvesOf(root, shelf);
    const nearest = shelves.folders.map(({ origin }) => origin);
    const listed = (await listPipelines(shelves)).toSorted((a, b) => nearest.indexOf(a.origin) - nearest.indexOf(b.origin));
    const pipelines = listed.map(({ name, origin, hides, description, problems }): PipelineOffer => {
      const first = problems.find(({ severity }) => severity === 'error');
      return {
        name,
        description,
        origin: originWords[origin],
        hides: hides.map((one) => originWords[one]),
        problem: first ? { words: problemWords(first), file: first.file, line: first.line } : null,
        // What is listed by its path is a folder or file that cannot be used.
        canRun: first === undefined && canName(name),
      };
    });
    return { root, pipelines };
  }

  /** @throws InputError with everything that is wrong in its files and inputs. */
  async inspect({ root, shelf, name, inputs, overrides }: Requests['pipeline-inspect']['params']): Promise<PipelinePreview> {
    const session = freeName(name, await sessionsIn(root));
    const prepared = await preparePipeline(root, name, overrides, session, { given: inputs, shelf });
    const { nodes, named, config, notes, repository } = prepared;
    const { models: asked, ...bound } = boundOf(prepared);
    const sprintDir = sessionFolder(repository.root, session);
    this.prepared.set(sprintDir, prepared);
    return {
      sprintDir,
      session,
      stages: nodes.map(({ id }) => id),
      bound,
      notes,
      network: config.network,
      asked,
      named: named.map(({ model }) => model),
      inputs: prepared.inputs.map(({ path }) => path),
      writes: [...new Set(nodes.flatMap(({ writes, output }) => [...writes, ...(output === undefined ? [] : [output])]))],
      branch: repository.branch,
    };
  }

  /** What the person confirmed for a new session; undefined for one that goes on. */
  take(sprintDir: string): Prepared | undefined {
    const prepared = this.prepared.get(sprintDir);
    this.prepared.delete(sprintDir);
    return prepared;
  }

  /** Nothing where the folder is in no repository, in which no pipeline could have run. */
  async runs({ folder }: Requests['pipeline-runs']['params']): Promise<Requests['pipeline-runs']['result']> {
    const repository = await inspectRepository(folder).catch((error: unknown) => {
      if (error instanceof InputError) return undefined;
      throw error;
    });
    if (!repository) return null;
    const { root } = repository;
    const runs: NonNullable<Requests['pipeline-runs']['result']>['runs'] = [];
    const unread: string[] = [];
    for (const session of await sessionsIn(root)) {
      const dir = sessionFolder(root, session);
      // A journal that cannot be read keeps no other run from being shown.
      const view = await this.read({ sprintDir: dir }).catch((error: unknown) => void unread.push(messageOf(error)));
      if (view) runs.push({ dir, view });
    }
    return { root, runs, unread };
  }

  async changed({ sprintDir, shelf }: Requests['pipeline-changed']['params']): Promise<string | null> {
    const state = await readSprint(sprintDir);
    return (state && (await whatChanged(sessionAt(sprintDir).root, state, shelf))) ?? null;
  }

  async read({ sprintDir }: Requests['pipeline-read']['params']): Promise<PipelineView | null> {
    const own = this.runOf(sprintDir)?.state;
    const state = own ?? (await readSprint(sprintDir));
    const view = state && pipelineView(state);
    if (!view) return null;
    return { ...view, elsewhere: own || !goesOn(state) ? null : await runsElsewhere(sprintDir) };
  }

  async iteration({ sprintDir, node, n }: Requests['iteration']['params']): Promise<string> {
    const state = this.runOf(sprintDir)?.state ?? (await readSprint(sprintDir));
    const payloads = openPayloads(join(sprintDir, '.loop'));
    const text = state && (await iterationText(state, node, n, (ref) => payloads.get(ref)));
    return text ?? `${t('This iteration is not in the journal of the session.')}\n`;
  }
}

/** Root of the checkout and name of the session, from the session's folder. @throws InputError */
export function sessionAt(sprintDir: string): { root: string; session: string } {
  const [root, session] = [dirname(dirname(dirname(sprintDir))), basename(sprintDir)];
  if (canName(session) && sessionFolder(root, session) === sprintDir) return { root, session };
  const [message, next] = [t("{0} is no folder of a pipeline's session.", sprintDir), t('Start a pipeline with "Loop: Run Pipeline…".')];
  throw new InputError(message, next);
}

/** The pipeline's own name, or the first of `<name>-2`, `<name>-3` … that no session has; of a long name, its beginning. */
export function freeName(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const free = `${name.slice(0, 40 - suffix.length)}${suffix}`;
    if (!taken.includes(free)) return free;
  }
}
