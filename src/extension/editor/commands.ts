/** Maps every command of `names.ts` to its handler. */
import * as vscode from 'vscode';
import { aboutSprint, onSprint } from './about-sprint.ts';
import { openHelp, showAsText } from './accessibility.ts';
import type { HistoryPanels } from './history-panel.ts';
import type { Opens } from '../../views/model/tree-node.ts';
import { plain } from '../../views/model/display-text.ts';
import { runOfRow } from '../../views/model/pipeline-nodes.ts';
import { verificationLooks } from '../../views/model/looks.ts';
import { verificationOfItem } from '../../views/model/test-items.ts';
import type { ChangedDocuments } from './changed-documents.ts';
import { cleanUp } from './clean-up.ts';
import { compareBefore, compareWith, type OpenedIteration } from './compare-iterations.ts';
import { newPipeline, newStage } from './create-pipeline.ts';
import { iterationIn, openChange, openDocument, openIteration, openSession } from './documents.ts';
import { tryExample } from './example.ts';
import { finishPipeline, finishSprint } from './finish-command.ts';
import type { HumanActionPrompts } from './human-action-prompts.ts';
import { reporting } from './notifications.ts';
import { commands, type CommandName } from './names.ts';
import type { OwnEdits } from './own-edits.ts';
import type { TestExplorer } from './test-explorer.ts';
import { changeTask } from './plan-commands.ts';
import type { ProposedWording } from './proposed-wording.ts';
import { openReport } from './open-report.ts';
import { openWorktree, reviewChange } from './review-command.ts';
import { pauseSprint, retryTask, skipTask, tellAgents } from './say-commands.ts';
import { readAndPick, resumePipeline, runPipeline, stopPipeline, type PipelineSurroundings } from './run-pipeline.ts';
import { queueSprints } from './queue-sprints.ts';
import { switchSprint } from './switch-sprint.ts';
import { createAndTell, resumeSprint, startSprint, tryAgain, type StartSurroundings } from './start-sprint.ts';
import { plural, t } from '../../views/words.ts';

import type { WordThreads } from './word-threads.ts';

export interface CommandSurroundings extends StartSurroundings, PipelineSurroundings {
  actions: HumanActionPrompts;
  edits: OwnEdits;
  documents: ChangedDocuments;
  wording: ProposedWording;
  panels: HistoryPanels;
  tests: TestExplorer;
  context: vscode.ExtensionContext;
  threads: WordThreads;
  extensionUri: vscode.Uri;
  log(): vscode.LogOutputChannel;
}

type Handler = (argument: unknown) => Promise<void>;

export function registerCommands(around: CommandSurroundings): vscode.Disposable {
  const registered = Object.entries(handlersOf(around)).map(([name, handler]) =>
    vscode.commands.registerCommand(commands[name as CommandName], (argument: unknown) => reporting(() => handler(argument), around.log())),
  );
  const sayHere = vscode.commands.registerCommand(commands.sayHere, (reply: vscode.CommentReply) => {
    const said = around.threads.say(reply);
    void reporting(() => said, around.log());
    // Passed on where it was refused, since the editor keeps what was written only then.
    return said;
  });
  return vscode.Disposable.from(...registered, sayHere);
}

function handlersOf(around: CommandSurroundings): Record<Exclude<CommandName, 'sayHere'>, Handler> {
  const { store, key, actions, edits } = around;
  return {
    start: () => startSprint(around),
    queue: () => queueSprints(around),
    tryExample: () => tryExample(around.context, around.engine()),
    switchSprint: () => switchSprint(store, around.engine()),
    cleanUp: () => cleanUp(around.engine()),
    openWorktree: () => openWorktree(store, around.engine()),
    create: () => createAndTell(around.engine()),
    stop: () => store.stop(),
    resume: (argument) => resumeSprint(around, aboutSprint(argument)),
    finish: (argument) => onSprint(store, argument, () => finishSprint(store, around.engine())),
    runPipeline: () => runPipeline(around),
    stopPipeline: (argument) => stopPipeline(around, runIn(argument)),
    resumePipeline: (argument) => resumePipeline(around, runIn(argument)),
    finishPipeline: (argument) => chooseFinish(around, runIn(argument)),
    compareBefore: (argument) => onIteration(argument, (one) => compareBefore(around.pipelines, one)),
    compareWith: (argument) => onIteration(argument, (one) => compareWith(around.pipelines, one)),
    newStage: () => newStage(around),
    newPipeline: () => newPipeline(around),
    setKey: async () => void (await key.ask()),
    removeKey: () => key.remove(),
    history: (argument) => showHistory(around, argument),
    runVerifications: (argument) => around.tests.run(verificationsIn(argument)),
    review: () => reviewChange(store, around.engine()),
    report: (argument) => onSprint(store, argument, () => openReport(store)),
    explain: () => explainDecision(around),
    follow: (argument) => followSession(around, argument),
    help: () => openHelp(),
    asText: (argument) => showAsText(store, around.panels, argument),
    tryAgain: (argument) => tryAgain(around, aboutSprint(argument)),
    log: async () => around.log().show(true),
    skipTask: (argument) => skipTask(store, around.engine(), aboutOf(argument)),
    retryTask: (argument) => retryTask(store, around.engine(), aboutOf(argument)),
    approvePlan: () => actions.approve(),
    changeTask: (argument) => changeTask(store, around.engine(), aboutOf(argument)),
    pause: () => pauseSprint(store, around.engine()),
    amend: () => around.documents.ask(),
    reviewWording: () => around.wording.review(),
    acceptWording: () => around.wording.accept(),
    declineWording: () => around.wording.decline(),
    tell: (argument) => tellAgents(store, around.engine(), aboutOf(argument)),
    adoptEdit: (argument) => onVerification(around, argument, (dir, verification) => edits.adopt(dir, verification)),
    discardEdit: (argument) => onVerification(around, argument, (dir, verification) => edits.discard(dir, verification)),
    answer: (argument) => actions.choose(typeof argument === 'string' ? argument : undefined),
    actionDone: (argument) => onHumanAction(argument, (id) => actions.done(id)),
    actionShow: (argument) => onHumanAction(argument, (id) => actions.show(id)),
    actionSkip: (argument) => onHumanAction(argument, (id) => actions.skip(id)),
    open: (argument) => openNode(around, argument as Opens),
  };
}

async function chooseFinish(around: CommandSurroundings, dir: string | undefined): Promise<void> {
  const none = t('Loop: no pipeline here has a branch to finish.');
  const chosen = dir ?? (await readAndPick(around.pipelines, 'finishable', t('Loop: Finish Pipeline'), none))?.dir;
  if (chosen !== undefined) await finishPipeline(around.pipelines, around.engine(), chosen);
}

/** A run's row, or the folder of its session, which a notification passes. */
function runIn(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  const id = typeof argument === 'object' && argument !== null && 'id' in argument ? argument.id : undefined;
  return typeof id === 'string' ? runOfRow(id) : undefined;
}

/** Runs on a click on a tree row. */
async function openNode(around: CommandSurroundings, opens: Opens): Promise<void> {
  const sprintDir = 'dir' in opens ? opens.dir : around.store.shown?.dir;
  if (sprintDir === undefined) return;
  switch (opens.kind) {
    case 'history':
      return around.panels.show({ sprintDir, verification: opens.verification });
    case 'patch':
      return openChange(around.engine(), { sprintDir, ref: opens.ref, title: opens.title });
    case 'retry':
      return tryAgain(around);
    case 'session':
      return openSession({ sprintDir, ref: opens.step, title: opens.title });
    case 'human-action':
      return around.actions.choose(opens.id);
    case 'iteration':
      return openIteration(opens);
  }
}

/** The row of what is done now passes its session; from the palette the person picks one, the newest first. */
async function followSession(around: CommandSurroundings, argument: unknown): Promise<void> {
  const opens = openedBy(argument);
  const sprintDir = opens?.kind === 'session' && opens.dir !== undefined ? opens.dir : around.store.shown?.dir;
  if (sprintDir === undefined) return;
  if (opens?.kind === 'session') return openSession({ sprintDir, ref: opens.step, title: opens.title });
  const sessions = await around.engine().request('sessions', { sprintDir });
  if (sessions.length === 0) {
    void vscode.window.showInformationMessage(t('Loop: no agent has worked in this sprint yet.'));
    return;
  }
  const items = sessions.map((session) => ({
    label: `${session.isUnderWay ? '$(sync) ' : ''}${plain(session.words, 100)}`,
    description: `${session.role} · ${new Date(session.at).toLocaleTimeString()} · ${plural(session.turns, '{0} turn', '{0} turns')} · ${session.outcome}`,
    session,
  }));
  const title = t('Loop: Follow a Session');
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: t('Whose work do you want to read?'),
    matchOnDescription: true,
  });
  if (chosen) await openSession({ sprintDir, ref: chosen.session.step, title: chosen.session.words.replace(': ', ' ') });
}

/** A menu passes the verification's row, a lens those of its requirement; the palette passes nothing. Of several the person picks one. */
async function showHistory({ store, panels }: CommandSurroundings, argument: unknown): Promise<void> {
  const { shown } = store;
  if (!shown?.view) return;
  const verifications = shown.view.categories.flatMap((category) => category.verifications);
  const among = verificationsIn(argument);
  const offered = verifications.filter(({ id }) => among?.includes(id) ?? true);
  const items = offered.map((v) => ({ label: v.id, description: verificationLooks[v.status].words, detail: plain(v.title) }));
  const title = t('Loop: failure history of which verification?');
  const known = verificationIn(argument, verifications) ?? (among && offered.length === 1 ? offered[0]?.id : undefined);
  const verification = known ?? (await vscode.window.showQuickPick(items, { title }))?.label;
  if (verification !== undefined) panels.show({ sprintDir: shown.dir, verification });
}

async function explainDecision({ store }: CommandSurroundings): Promise<void> {
  const sprintDir = store.shown?.dir;
  // The number makes the address unique: an open document would keep showing an older decision.
  const ref = String(store.shown?.view?.decisions ?? 0);
  if (sprintDir !== undefined) await openDocument({ sprintDir, what: 'decision', ref, title: t('Last decision.md') });
}

async function onIteration(argument: unknown, run: (iteration: OpenedIteration) => Promise<void>): Promise<void> {
  const opens = argument instanceof vscode.Uri ? iterationIn(argument) : openedBy(argument);
  if (opens?.kind === 'iteration') await run(opens);
}

async function onHumanAction(argument: unknown, run: (id: string) => Promise<void>): Promise<void> {
  const opens = openedBy(argument);
  if (opens?.kind === 'human-action') await run(opens.id);
}

async function onVerification(
  { store }: CommandSurroundings,
  argument: unknown,
  run: (sprintDir: string, verification: string) => Promise<void>,
): Promise<void> {
  const { shown } = store;
  const verification = verificationIn(argument, shown?.view?.categories.flatMap((category) => category.verifications) ?? []);
  if (shown && verification !== undefined) await run(shown.dir, verification);
}

/** A tree passes its node; the Test Explorer passes an item of the verification, or of one of its cases. */
function verificationIn(argument: unknown, verifications: readonly { id: string }[]): string | undefined {
  const opens = openedBy(argument);
  if (opens?.kind === 'history') return opens.verification;
  const id = typeof argument === 'object' && argument !== null && 'id' in argument ? argument.id : undefined;
  return verifications.find((verification) => typeof id === 'string' && verification.id === verificationOfItem(id))?.id;
}

/** Ids that a lens above a requirement passes. */
function verificationsIn(argument: unknown): string[] | undefined {
  const ids = typeof argument === 'object' && argument !== null && 'verifications' in argument ? argument.verifications : undefined;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : undefined;
}

/** What a word from this row is about. */
function aboutOf(argument: unknown): string | undefined {
  const about = typeof argument === 'object' && argument !== null && 'about' in argument ? argument.about : undefined;
  return typeof about === 'string' && about !== '' ? about : undefined;
}

function openedBy(argument: unknown): Opens | null {
  return typeof argument === 'object' && argument !== null && 'opens' in argument ? (argument as { opens: Opens | null }).opens : null;
}
