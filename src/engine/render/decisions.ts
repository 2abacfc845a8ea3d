/** What was decided for the person, or by them, and who decided it: for the delivery report. */
import { asCode, escaped } from '../ground/markdown.ts';
import { oneLine } from '../ground/text.ts';
import { isLockFile } from '../judge/notable-changes.ts';
import { openQuestions } from '../judge/open-points.ts';
import type { State } from '../state/state.ts';
import { readyWords, startWords } from '../services/service-words.ts';
import type { Amendment } from '../work/amendment.ts';
import type { Correction } from '../work/correction.ts';
import { isAgents, type HumanAction } from '../work/human-action.ts';
import type { Task } from '../work/task.ts';
import { authorWords } from '../work/tree.ts';
import { askedLines, assumptionLines, planLines } from './point-words.ts';
import { strategyChanges } from './process.ts';
import { revisionLines } from './revision-words.ts';

export function decisionLines(state: State): string[] {
  const { work, ledger } = state;
  return [
    ...assumptionLines(state),
    ...planLines(state),
    ...leftOpen(state),
    ...revisionLines(state),
    ...ledger.corrections.map(correctionLine),
    ...ledger.amendments.map((one) => `- ${amendmentWords(one)}`),
    ...strategyChanges(state),
    ...Object.values(work.tasks).flatMap(droppedLine),
    ...Object.values(ledger.humanActions)
      .filter((one) => !isAgents(one))
      .flatMap(skippedLine),
    ...askedLines(state, 'You'),
    ...ledger.advice.map((words) => `- You said how to go on: ${oneLine(words)}`),
    ...ledger.briefs.filter((b) => b.by === 'person').map((b) => `- You said of ${b.lineages.join(', ')}: ${oneLine(b.findings)}`),
  ].map(escaped);
}

/** What the documents leave open, and what the builders noted about it. */
function leftOpen(state: State): string[] {
  const notes = Object.values(state.work.tasks).flatMap((task) =>
    task.report?.notes
      ? [
          [
            `- Noted by the builder of ${task.id}: ${oneLine(task.report.notes)}`,
            ...saidSince(state, task).map((words) => `  - ${words}`),
          ].join('\n'),
        ]
      : [],
  );
  const questions = openQuestions(state).map((question) => `- Your documents leave open: ${oneLine(question)}`);
  const nobody = questions.length > 0 && notes.length === 0 ? ['- No builder noted what was taken there: look how it behaves.'] : [];
  return [...questions, ...notes, ...nobody];
}

/** What was done later to the files of a task by those who mend: its builder's note may be untrue since. */
function saidSince({ work: { tree, tasks }, ledger }: State, { id }: Task): string[] {
  const own = tree.commits.filter(({ author }) => author.kind === 'task' && author.task === id);
  const isTold = (path: string): boolean => !isLockFile(path) && !/(^|\/)README\.\w+$/i.test(path);
  const paths = new Set(own.flatMap(({ files }) => files.map(({ path }) => path).filter(isTold)));
  const last = own.at(-1)?.code ?? Infinity;
  return tree.commits.flatMap(({ code, author, step, files }) => {
    if (code <= last || !files.some(({ path }) => paths.has(path))) return [];
    const mender = author.kind === 'task' ? tasks[author.task] : undefined;
    const words =
      author.kind === 'fix'
        ? ledger.fixes[author.lineage]?.find((fix) => fix.step === step)?.fixApplied
        : mender?.source !== 'plan' && mender?.report?.summary;
    return words ? [`Since then, by ${author.kind === 'fix' ? `the ${authorWords(author)}` : authorWords(author)}: ${oneLine(words)}`] : [];
  });
}

/** `QC declared anew: service api. Why: …`. */
export function amendmentWords({ declared: { install, suites = [], services = [], needs = [] }, by, why }: Amendment): string {
  const what = [
    ...(install === undefined ? [] : [install === '' ? 'nothing is installed' : `the install ${asCode(install)}`]),
    ...suites.map(({ name, command }) => `suite ${name} (${asCode(command)})`),
    ...services.map((service) => `service ${service.name} (${asCode(startWords(service))}, ready at ${readyWords(service)})`),
    ...needs.map((one) => `a need: ${oneLine(one.why)}`),
  ];
  return `${by === 'QC' ? 'QC' : 'A course correction'} declared anew: ${what.join(', ')}. Why: ${oneLine(why)}`;
}

const kinds: Record<Correction['kind'], string> = {
  restructure: 'corrected, and the plan was changed',
  new_tasks: 'corrected, and tasks were added',
  rewrite_verifications: 'corrected, and verifications were reviewed',
  amend: 'corrected, and what discovery declared was amended',
  descope: 'corrected, and something was dropped',
  escalate: 'corrected, and you were asked',
  unreported: 'to be corrected, and nobody said how',
};

function correctionLine({ kind, diagnosis, guidance, decisions }: Correction): string {
  const rest = guidance.trim() === '' ? '' : ` From then on: ${oneLine(guidance)}`;
  return `- After ${decisions} decisions the course was ${kinds[kind]}. Why: ${oneLine(diagnosis)}${rest}`;
}

function droppedLine({ id, status, dropped, replacedBy }: Task): string[] {
  if (status !== 'descoped') return [];
  const instead = replacedBy ? `, ${replacedBy.join(', ')} instead` : '';
  return [`- ${id} was dropped${instead}: ${oneLine(dropped ?? 'no reason was recorded')}`];
}

function skippedLine({ status, action, kind }: HumanAction): string[] {
  if (kind === 'choice') return [];
  return status === 'skipped' ? [`- You went on without: ${oneLine(action)}`] : [];
}
