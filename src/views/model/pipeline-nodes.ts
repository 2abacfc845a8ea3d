/** The Pipelines tree: runs, their stages, and the iterations of each with what they decided. */
import type { ActivityView } from './activity.ts';
import { clockWords, countWords, durationWords, modelName, plain, usdWords } from './display-text.ts';
import { activityLooks, decisionLooks, finishedLooks, stageLooks, stopLooks, type Look } from './looks.ts';
import type { IterationView, PipelineView, StageView } from './pipeline-view.ts';
import { activityNode, idSuffix } from './sprint-nodes.ts';
import { narrow, node, paragraphs, type TreeNode } from './tree-node.ts';
import { plural, t } from '../words.ts';

/** A run with what only this window knows of it. */
export interface ShownPipeline {
  /** Folder of its session. */
  dir: string;
  view: PipelineView;
  /** This window runs it now. */
  running: boolean;
  activity: ActivityView | null;
  /** Why its last run in this window broke off, in words. */
  broke: string | null;
}

/** A run that this window has started, whose session may not be open yet. */
export interface StartedPipeline extends Omit<ShownPipeline, 'view'> {
  view: PipelineView | null;
}

/** The newest first. */
export function pipelineNodes(runs: readonly ShownPipeline[]): TreeNode[] {
  return runs.toSorted((a, b) => b.view.openedAt - a.view.openedAt).map((run, index) => runNode(run, index === 0));
}

/** The session's folder of a run's row. */
export function runOfRow(id: string): string | undefined {
  return id.startsWith(runPrefix) ? id.slice(runPrefix.length) : undefined;
}

const runPrefix = 'run/';

/** Whether this window can go on with it. A mock needs its fixtures, which only the command line takes. */
export function canResume({ view, running }: Pick<ShownPipeline, 'view' | 'running'>): boolean {
  const isOpen = view.finished === null && (view.ending === null || view.ending.resumes);
  return isOpen && !running && view.elsewhere === null && !view.mock;
}

/** Whether it has a branch to merge, squash, keep or drop, and does not run. */
export function canFinish({ view, running }: Pick<ShownPipeline, 'view' | 'running'>): boolean {
  return !running && view.elsewhere === null && view.finished === null;
}

/** How a run stands, in two or three words. */
export function runLook({ view, running }: Pick<StartedPipeline, 'view' | 'running'>): Look {
  if (view === null) return { ...activityLooks.running, words: t('starting') };
  if (view.elsewhere) return activityLooks.elsewhere;
  if (running) return activityLooks.running;
  if (view.finished) return finishedLooks[view.finished];
  return view.ending ? stopLooks[view.ending.stop] : activityLooks.interrupted;
}

/** The name of its session, by which its folder is called, too. */
export function runName({ dir, view }: Pick<StartedPipeline, 'dir' | 'view'>): string {
  return view?.session ?? dir.split(/[\\/]/).at(-1) ?? dir;
}

/** `evening, plan 2 · $0.41`, for the status bar; empty where none runs. */
export function pipelineStatus(running: readonly Pick<StartedPipeline, 'dir' | 'view'>[]): string {
  const [one, ...more] = running;
  if (!one) return '';
  if (more.length > 0) return t('{0} pipelines run', running.length);
  if (one.view === null) return plain([runName(one), t('starting')].join(', '), 60);
  const { session, stages, spend } = one.view;
  const at = stages.flatMap(({ id, now }) => (now ? [`${id} ${now.n}`] : []));
  return `${plain([session, ...at].join(', '), 60)} · ${usdWords(spend.usd)}`;
}

function runNode(run: ShownPipeline, isNewest: boolean): TreeNode {
  const { dir, view, running, broke } = run;
  const look = runLook(run);
  const done = view.stages.reduce((sum, { iterations }) => sum + iterations.length, 0);
  const words = [look.words, plural(done, '{0} iteration', '{0} iterations'), usdWords(view.spend.usd)];
  const reasons = running ? [] : [...(broke === null ? [] : [broke]), ...(view.ending?.reasons ?? [])];
  return node(`${runPrefix}${dir}`, narrow(view.session), {
    description: [...words, ...(view.session === view.pipeline ? [] : [view.pipeline])].join(' · '),
    icon: look,
    tooltip: paragraphs(
      t('Pipeline {0}, session {1}: {2}', view.pipeline, view.session, look.words),
      view.mock && t('A mock: no model was asked, and its decisions are made up. It goes on at the command line, with --mock DIR.'),
      t('{0} of {1} left.', view.fuel.left, plural(view.fuel.size, '{0} iteration', '{0} iterations')),
      t(
        '{0} of {1}, {2} of {3} tokens.',
        usdWords(view.spend.usd),
        usdWords(view.spend.budgetUsd),
        countWords(view.spend.tokens),
        countWords(view.spend.budgetTokens),
      ),
      t('Branch {0}', view.branch),
    ),
    spoken: t(
      'Pipeline {0}, session {1}, {2}, {3}',
      view.pipeline,
      view.session,
      look.words,
      plural(done, '{0} iteration', '{0} iterations'),
    ),
    context: contextOf(run),
    expanded: isNewest || running || view.elsewhere !== null,
    children: [...reasons.map((reason, index) => reasonNode(dir, reason, index)), ...view.stages.map((stage) => stageNode(run, stage))],
  });
}

/** For `when` clauses: `run-running`, `run-resume-finish`, `run-finish`, `run`. */
function contextOf(run: ShownPipeline): string {
  if (run.running) return 'run-running';
  return `run${canResume(run) ? '-resume' : ''}${canFinish(run) ? '-finish' : ''}`;
}

function reasonNode(dir: string, reason: string, index: number): TreeNode {
  return node(`reason/${dir}/${index}`, reason, { icon: { icon: 'dash', colour: null }, tooltip: [reason], spoken: reason });
}

function stageNode(run: ShownPipeline, stage: StageView): TreeNode {
  const { id, iterations, beside, rule, most, model, why } = stage;
  const isWorking = run.running || run.view.elsewhere !== null;
  const look = stage.standing === 'now' && !isWorking ? activityLooks.interrupted : stageLooks[stage.standing];
  const children = [...iterations.map((one) => iterationNode(run, stage, one)), ...nowNodes(run, stage)];
  const row = rowOfDecisions(iterations);
  return node(`stage/${run.dir}/${id}${idSuffix(children.length > 0)}`, id, {
    description: [...(row === '' ? [] : [row]), t('{0} of at most {1}', iterations.length, most)].join(' · '),
    icon: look,
    tooltip: paragraphs(
      `${id}: ${look.words}${why === '' ? '' : `: ${why}`}`,
      stage.stage !== id && t('Runs the stage {0}.', stage.stage),
      beside.length > 0 && t('Side by side with {0}.', beside.join(', ')),
      t('Ends {0}.', rule),
      model !== null && t('Asks {0}, which its file names.', modelName(model)),
      row !== '' && t('Decisions: {0}', row),
    ),
    spoken: t(
      'Stage {0}, {1}, {2} of at most {3}{4}',
      id,
      look.words,
      iterations.length,
      plural(most, '{0} iteration', '{0} iterations'),
      row === '' ? '' : `: ${row}`,
    ),
    context: 'stage',
    expanded: true,
    children,
  });
}

const shownDecisions = 6;

/** What the last iterations decided, in order: whether a stage still moves is seen, not claimed. */
function rowOfDecisions(iterations: readonly IterationView[]): string {
  const words = iterations.slice(-shownDecisions).map(decisionWords);
  return [...(iterations.length > shownDecisions ? ['…'] : []), ...words].join(', ');
}

function decisionWords({ decision, verdict }: IterationView): string {
  return verdict?.passed === false ? t('{0} that does not count', decision) : decisionLooks[decision].words;
}

function iterationNode({ dir }: ShownPipeline, { id }: StageView, iteration: IterationView): TreeNode {
  const { n, decision, reason, summary, by, duration, verdict, output } = iteration;
  const look =
    verdict?.passed === false ? { ...decisionLooks[decision], icon: 'warning', colour: 'charts.yellow' } : decisionLooks[decision];
  return node(iterationId(dir, id, n), `${n} ${decisionWords(iteration)}`, {
    description: summary.trim() === '' ? reason : summary,
    icon: look,
    tooltip: paragraphs(
      t('{0}, iteration {1}: {2}{3}. It took {4}.', id, n, decision, by === 'engine' ? t(', told by Loop') : '', durationWords(duration)),
      reason,
      summary,
      verdict && t('Its stop: {0}.', verdict.words),
      output === null && t('It left no output.'),
    ),
    spoken: t('{0}, iteration {1}, {2}: {3}', id, n, decisionWords(iteration), reason),
    context: `iteration${output === null ? '' : '-output'}${n > 1 ? '-later' : ''}`,
    opens: { kind: 'iteration', dir, node: id, n },
  });
}

/** Also the id of an iteration under way, so that its row stays when it has ended. */
function iterationId(dir: string, id: string, n: number): string {
  return `iteration/${dir}/${id}/${n}`;
}

function nowNodes({ dir, running, view, activity }: ShownPipeline, { id, now, iterations }: StageView): TreeNode[] {
  if (!now) return [];
  const isIteration = now.n > iterations.length;
  const under = running || view.elsewhere !== null ? t('under way') : t('interrupted');
  const lines = activity?.lines ?? [];
  const label = isIteration ? `${now.n} ${under}` : now.words;
  return [
    node(isIteration ? iterationId(dir, id, now.n) : `now/${dir}/${id}`, label, {
      description: [...(isIteration ? [] : [under]), ...(activity ? [clockWords(activity.elapsed)] : [])].join(' · '),
      icon: running ? { icon: 'play-circle', colour: 'charts.blue' } : { icon: 'debug-pause', colour: null },
      tooltip: [`${now.words}: ${id}${isIteration ? t(', iteration {0}', now.n) : ''}`],
      spoken: `${id}, ${label}`,
      context: now.session === null ? '' : 'session',
      opens: now.session === null ? null : { kind: 'session', step: now.session, title: `${id} ${now.n}`, dir },
      expanded: true,
      children: lines.map(activityNode).map((line) => ({ ...line, id: `${line.id}/${dir}` })),
    }),
  ];
}
