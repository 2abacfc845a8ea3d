/** An iteration of a pipeline as a document to read: what it decided and why, what it did, and what it left. */
import { clip, sentence } from '../../engine/ground/text.ts';
import { verdictWords } from '../../engine/render/pipeline-words.ts';
import type { State } from '../../engine/state/state.ts';
import { verdictOn, type Iteration, type PipelineRun } from '../../engine/work/pipeline.ts';
import { durationWords, inert, plain } from './display-text.ts';
import type { GetPayload } from './history-entries.ts';
import { fenced, quoted } from './sessions.ts';
import { t } from '../words.ts';

/** @returns undefined where there is no such iteration. */
export async function iterationText(state: State, node: string, n: number, get: GetPayload): Promise<string | undefined> {
  const run = state.ledger.pipeline;
  const iteration = run?.iterations.find((one) => one.node === node && one.n === n);
  if (!run || !iteration) return undefined;
  const { status, by, duration, output } = iteration;
  const { items_completed: items, files_touched: files } = status.work;
  const parts = [
    t('# {0}, iteration {1}: {2}', node, n, status.decision),
    [t('{0}, session {1}', run.plan.name, state.opened.sprint), tellers[by], durationWords(duration)].join(' · '),
    t('Why: {0}', sentence(plain(status.reason, 2000))),
    status.summary.trim() === '' ? '' : t('## What happened\n\n{0}', quoted(status.summary)),
    section(t('Done'), items),
    section(t('Files'), files),
    section(t('Errors'), status.errors),
    await verdictText(run, iteration, get),
    t('## Output\n\n{0}', output === null ? t('It left none.') : await outputText(output, get)),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const tellers: Record<Iteration['by'], string> = {
  tool: t('decided by its tool'),
  file: t('decided by its status file'),
  engine: t('decided by Loop'),
};

/** Characters; a comparison shows all of it. */
const limit = 200_000;

const missing = t('(this text is missing from .loop/payloads)');

/** As it is, since it is most often markdown itself. */
async function outputText(ref: string, get: GetPayload): Promise<string> {
  return inert(clip(await get(ref).catch(() => missing), limit)).trimEnd();
}

function section(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `## ${title}\n\n${items.map((item) => `- ${plain(item, 1000)}`).join('\n')}`;
}

async function verdictText(run: PipelineRun, iteration: Iteration, get: GetPayload): Promise<string> {
  const verdict = verdictOn(run, iteration);
  if (!verdict) return '';
  const printed = await get(verdict.output).catch(() => missing);
  return t(
    '## Verification of its stop\n\nIts stop: {0}.{1}',
    verdictWords(run, iteration),
    printed.trim() === '' ? '' : `\n\n${fenced(printed)}`,
  );
}
