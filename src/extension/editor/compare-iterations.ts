/** *Compare with the One Before* and *Compare with…*: the outputs of two iterations in the editor's own view of differences. */
import * as vscode from 'vscode';
import { beforeIt, comparable, type Comparable } from '../../views/model/compared-iterations.ts';
import { plain } from '../../views/model/display-text.ts';
import type { Opens } from '../../views/model/tree-node.ts';
import { openTexts } from './documents.ts';
import type { PipelineStore } from './pipeline-store.ts';
import { t } from '../../views/words.ts';

export type OpenedIteration = Extract<Opens, { kind: 'iteration' }>;

export async function compareBefore(pipelines: PipelineStore, opened: OpenedIteration): Promise<void> {
  const { all, one } = outputsFor(pipelines, opened);
  const before = one && beforeIt(all, one);
  if (one && before) return open(opened.dir, before, one);
  tellMissing(one ? t('no iteration before it in this stage left an output') : t('it left no output'));
}

export async function compareWith(pipelines: PipelineStore, opened: OpenedIteration): Promise<void> {
  const { all, one } = outputsFor(pipelines, opened);
  const others = all.filter((other) => other !== one);
  if (!one || others.length === 0) return tellMissing(one ? t('no other iteration of this run left an output') : t('it left no output'));
  const items = others.map((other) => ({
    label: plain(other.name, 80),
    description: other.words,
    detail: plain(other.reason, 160),
    other,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Loop: Compare {0}', plain(one.name, 80)),
    placeHolder: t('With which iteration?'),
    matchOnDetail: true,
  });
  if (!chosen) return;
  const [before, after] = [one, chosen.other].sort((a, b) => all.indexOf(a) - all.indexOf(b));
  if (before && after) await open(opened.dir, before, after);
}

function outputsFor({ shown }: PipelineStore, { dir, node, n }: OpenedIteration): { all: Comparable[]; one: Comparable | undefined } {
  const view = shown.find((run) => run.dir === dir)?.view;
  const all = view ? comparable(view) : [];
  return { all, one: all.find((other) => other.node === node && other.n === n) };
}

async function open(dir: string, before: Comparable, after: Comparable): Promise<void> {
  const side = ({ output, node, n }: Comparable) => ({ ref: output, name: `${node} ${n}.md` });
  await openTexts(dir, side(before), side(after), `${before.name} ↔ ${after.name}`);
}

function tellMissing(why: string): void {
  void vscode.window.showInformationMessage(t('Loop: there is nothing to compare: {0}.', why));
}
