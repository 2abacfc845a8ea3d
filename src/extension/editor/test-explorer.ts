/**
 * The verifications in the editor's own Test Explorer: shows the sprint's results as they come. While the sprint does not run,
 * the person can run verifications by hand, without a model. The controller is created only once a sprint has verifications.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { ShownResults } from '../../views/model/shown-results.ts';
import { caseItemId, selected, testCategories, type TestCategory } from '../../views/model/test-items.ts';
import type { CaseReport } from '../../views/model/case-reports.ts';
import type { SprintView } from '../../views/model/sprint-view.ts';
import type { TestReport, VerifiedView } from '../../views/model/test-report.ts';
import { t } from '../../views/words.ts';

export interface TestSurroundings {
  source: { readonly shown: { dir: string; view: SprintView | null; running: boolean } | null; readonly onDidChange: vscode.Event<void> };
  /** Resolves when all runs have ended; each result goes to `receive`. */
  verify(dir: string, only: string[]): Promise<unknown>;
  stop(dir: string): Promise<unknown>;
  /** Where verifications by hand run, to which the places of cases are relative; rejects when it is not there. */
  tree(dir: string): Promise<string>;
  tellFailure(error: unknown): void;
}

export class TestExplorer {
  private controller: vscode.TestController | undefined;
  private categories: TestCategory[] = [];
  private items = new Map<string, vscode.TestItem>();
  private readonly results = new ShownResults();
  /** Where those of the shown sprint run, which *Finish* changes; `folder` is undefined until it is known. */
  private tree: { dir: string; finished: SprintView['finished']; folder: string | undefined } | undefined;
  private byHand: { dir: string; run: vscode.TestRun } | undefined;

  constructor(private readonly around: TestSurroundings) {}

  register(context: Pick<vscode.ExtensionContext, 'subscriptions'>): void {
    const controllerDisposal = { dispose: (): void => this.controller?.dispose() };
    context.subscriptions.push(
      this.around.source.onDidChange(() => this.update()),
      controllerDisposal,
    );
  }

  /** A verification of the run by hand has begun. */
  begin(dir: string, verification: string): void {
    const item = this.itemOf(dir, verification);
    if (item) this.byHand?.run.started(item);
  }

  /** Takes a result of the run by hand. */
  receive(dir: string, { verification, report, output }: VerifiedView): void {
    const item = this.itemOf(dir, verification);
    if (!this.byHand || !item) return;
    const { run } = this.byHand;
    for (const { verifications } of this.categories) for (const one of verifications) if (one.id === verification) this.results.ran(one);
    run.appendOutput(`${verification}\r\n${output.replaceAll('\n', '\r\n')}\r\n`, undefined, item);
    this.showReport(run, item, report);
  }

  /** Runs these verifications, or all, as the person's click on them in the Test Explorer does. */
  async run(ids: readonly string[] | undefined): Promise<void> {
    const items = ids?.flatMap((id) => this.items.get(id) ?? []);
    if (this.controller) await this.runByHand(this.controller, new vscode.TestRunRequest(items), false);
  }

  /** Of the sprint that the run by hand is about, as long as it is shown: another one may have a verification of the same id. */
  private itemOf(dir: string, verification: string): vscode.TestItem | undefined {
    const isShown = this.byHand?.dir === dir && this.around.source.shown?.dir === dir;
    return isShown ? this.items.get(verification) : undefined;
  }

  private update(): void {
    const { shown } = this.around.source;
    const categories = shown?.view ? testCategories(shown.view) : [];
    if (categories.length === 0 && !this.controller) return;
    this.categories = categories;
    this.controller ??= this.create();
    const finished = shown?.view?.finished ?? null;
    if (shown && (this.tree?.dir !== shown.dir || this.tree.finished !== finished)) this.findTree(shown.dir, finished);
    this.showItems(this.controller, shown?.dir ?? '');
    this.mirror(this.controller);
  }

  /** Cases that are shown before the folder is known have no place in a file, so they are shown anew then. */
  private findTree(dir: string, finished: SprintView['finished']): void {
    const tree: TestExplorer['tree'] = { dir, finished, folder: undefined };
    this.tree = tree;
    this.around.tree(dir).then(
      (folder) => {
        tree.folder = folder;
        if (this.tree !== tree) return;
        this.results.forget();
        this.update();
      },
      // Nothing is known then, so the next change looks again.
      () => {
        if (this.tree === tree) this.tree = undefined;
      },
    );
  }

  private create(): vscode.TestController {
    const controller = vscode.tests.createTestController('loop.verifications', 'Loop');
    const { Run } = vscode.TestRunProfileKind;
    controller.createRunProfile(t('Run'), Run, (request) => this.runByHand(controller, request, false), true);
    controller.createRunProfile(t('Run Failed'), Run, (request) => this.runByHand(controller, request, true));
    return controller;
  }

  /** Reuses existing items: new ones would collapse the tree and lose the scroll position. */
  private showItems(controller: vscode.TestController, dir: string): void {
    this.items = new Map();
    const parents = this.categories.map(({ id, label, verifications }) => {
      const parent = controller.items.get(id) ?? controller.createTestItem(id, label);
      const children = verifications.map((verification) => {
        const uri = vscode.Uri.file(path.join(dir, '.loop', verification.file));
        const old = parent.children.get(verification.id);
        const item = old?.uri?.toString() === uri.toString() ? old : controller.createTestItem(verification.id, verification.label, uri);
        item.description = verification.description;
        item.range = new vscode.Range(0, 0, 0, 0);
        this.items.set(verification.id, item);
        return item;
      });
      replace(parent.children, children);
      return parent;
    });
    replace(controller.items, parents);
  }

  /** Shows the journal's new results, and invalidates results of older code or of another script. */
  private mirror(controller: vscode.TestController): void {
    const verifications = this.categories.flatMap((category) => category.verifications);
    for (const id of this.results.outdated(verifications)) controller.invalidateTestResults(this.items.get(id));
    const news = this.results.news(verifications).flatMap(({ id, latest: { report } }) => {
      const item = this.items.get(id);
      return item ? [{ item, report }] : [];
    });
    if (news.length === 0) return;
    const run = controller.createTestRun(new vscode.TestRunRequest(news.map(({ item }) => item)), t('Sprint'), false);
    for (const { item, report } of news) this.showReport(run, item, report);
    run.end();
  }

  private async runByHand(controller: vscode.TestController, request: vscode.TestRunRequest, failed: boolean): Promise<void> {
    const { shown } = this.around.source;
    const refusal = this.refusal();
    const include = request.include?.map((item) => this.runnableOf(item));
    const only = selected(this.categories, { include, exclude: request.exclude?.map(({ id }) => id) ?? [], failed });
    if (refusal !== undefined || !shown || only.length === 0) {
      void vscode.window.showInformationMessage(`Loop: ${refusal ?? t('there is no such verification to run.')}`);
      return;
    }
    const run = controller.createTestRun(request, t('By hand'));
    this.byHand = { dir: shown.dir, run };
    const cancelled = run.token.onCancellationRequested(() => void this.around.stop(shown.dir));
    for (const id of only) {
      const item = this.items.get(id);
      if (item) run.enqueued(item);
    }
    try {
      await this.around.verify(shown.dir, only);
    } catch (error) {
      if (!run.token.isCancellationRequested) this.around.tellFailure(error);
    } finally {
      this.byHand = undefined;
      cancelled.dispose();
      run.end();
    }
  }

  /** The id of what can run: a case runs with its verification. */
  private runnableOf({ id, parent }: vscode.TestItem): string {
    return parent && this.items.has(parent.id) ? parent.id : id;
  }

  /** Shows a result, with its cases as children. Cases are evidence and do not change the verdict (I8). */
  private showReport(run: vscode.TestRun, item: vscode.TestItem, report: TestReport): void {
    const { controller } = this;
    const children = (controller && report.cases?.map((one, i) => this.childOf(controller, item, one, i))) ?? [];
    replace(item.children, children);
    for (const [i, child] of children.entries()) reportCase(run, child, report, i);
    reportOutcome(run, item, report);
  }

  private childOf(controller: vscode.TestController, item: vscode.TestItem, { name, place }: CaseReport, i: number): vscode.TestItem {
    const { tree } = this;
    const uri = place && tree?.folder !== undefined ? vscode.Uri.file(path.join(tree.folder, place.file)) : undefined;
    const id = caseItemId(item.id, i, name);
    const old = item.children.get(id);
    const child = old && old.uri?.toString() === uri?.toString() ? old : controller.createTestItem(id, name, uri);
    child.sortText = String(i).padStart(4, '0');
    if (place && uri) child.range = new vscode.Range(place.line - 1, 0, place.line - 1, 0);
    return child;
  }

  private refusal(): string | undefined {
    if (this.around.source.shown?.running === true)
      return t('the sprint is running and runs its verifications itself. Wait until it ends, or stop it first.');
    return this.byHand && t('verifications are running already. Wait until they end, or cancel them.');
  }
}

function reportOutcome(run: vscode.TestRun, item: vscode.TestItem, report: TestReport): void {
  if (report.outcome === 'passed') run.passed(item, report.duration);
  else if (report.outcome === 'skipped') run.skipped(item);
  else run.failed(item, messageOf(item, report), report.duration);
}

/** The editor shows a parent with the state of its worst child, so a green verification reports no failed case. */
function reportCase(run: vscode.TestRun, item: vscode.TestItem, { cases, outcome }: TestReport, i: number): void {
  const one = cases?.[i];
  const duration = one?.duration ?? undefined;
  if (one?.outcome === 'passed') run.passed(item, duration);
  else if (one?.outcome !== 'failed' || outcome === 'passed') run.skipped(item);
  else run.failed(item, messageOf(item, { ...one, line: one.place?.line ?? 1 }), duration);
}

function messageOf(
  { uri }: vscode.TestItem,
  { message: text, diff, line }: Pick<TestReport, 'message' | 'diff' | 'line'>,
): vscode.TestMessage {
  const message = diff ? vscode.TestMessage.diff(text, diff.expected, diff.actual) : new vscode.TestMessage(text);
  if (uri) message.location = new vscode.Location(uri, new vscode.Position(line - 1, 0));
  return message;
}

/** Changes only the difference: the editor's own `replace` removes all items first, which collapses them. */
function replace(collection: vscode.TestItemCollection, items: readonly vscode.TestItem[]): void {
  const kept = new Set(items.map(({ id }) => id));
  const removed = [...collection].filter(([id]) => !kept.has(id));
  for (const [id] of removed) collection.delete(id);
  for (const item of items) if (collection.get(item.id) !== item) collection.add(item);
}
