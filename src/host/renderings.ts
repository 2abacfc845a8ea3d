/**
 * Renderings below `.loop` (I1): plan, checklist, report, state.json, the verifications and every failure's log. They are
 * written from state when an action has ended; nothing is decided by what stands in them.
 */
import { withoutCommandLinks } from '../engine/ground/text.ts';
import type { Event } from '../engine/state/events.ts';
import type { Payloads } from '../engine/ports.ts';
import { renderChecklist } from '../engine/render/checklist.ts';
import { renderHistoryFile } from '../engine/render/history.ts';
import { renderIssues, renderNoIssues } from '../engine/render/issues.ts';
import { renderPlan } from '../engine/render/plan-text.ts';
import { renderReport } from '../engine/render/report.ts';
import type { State } from '../engine/state/state.ts';
import { fileOf } from '../engine/judge/open-edits.ts';
import type { Fact } from '../engine/work/facts.ts';
import { inOrder } from './in-order.ts';
import type { Shelf } from './shelf.ts';
import type { OwnFiles } from './verification-files.ts';

export interface Renderings {
  /** Queues the files that an event changed. They are written later, in order, so the sprint never waits. */
  follow(event: Event, state: State): void;
  /** Waits until all queued files are written. @throws the first failure */
  done(): Promise<void>;
}

export function createRenderings(shelf: Shelf, payloads: Payloads, verifications: OwnFiles): Renderings {
  const { add, done } = inOrder();
  const histories = new Map<string, string>();
  return {
    follow(event, state) {
      if (!('facts' in event)) return;
      const files = new Map<string, string | Promise<string>>(failureLogs(event.facts, payloads));
      if (!state.open) for (const [path, text] of [...overview(state), ...changedHistories(histories, state)]) files.set(path, text);
      const texts = state.open ? [] : Object.values(state.work.verifications).map((verification) => fileOf(state, verification));
      add(async () => {
        await write(shelf, files);
        // What it said no longer holds, and a person may have it open.
        if (files.has(planFile) && !files.has(issuesFile) && (await shelf.read(issuesFile)) !== undefined)
          await shelf.write(issuesFile, renderNoIssues(state));
        for (const file of texts) await verifications.render(file);
      });
    },
    done,
  };
}

async function write(shelf: Shelf, files: Map<string, string | Promise<string>>): Promise<void> {
  for (const [path, text] of files) await shelf.write(path, path.endsWith('.md') ? withoutCommandLinks(await text) : await text);
}

const planFile = 'IMPLEMENTATION_PLAN.md';
const issuesFile = 'ISSUES.md';

function overview(state: State): [string, string][] {
  const { opened, work, stopped, n } = state;
  const issues = renderIssues(state);
  return [
    [planFile, renderPlan(state)],
    ['VALUE_CHECKLIST.md', renderChecklist(state)],
    ...(stopped ? [['DELIVERY_REPORT.md', renderReport(state)] as [string, string]] : []),
    ...(issues === undefined ? [] : [[issuesFile, issues] as [string, string]]),
    ['state.json', `${JSON.stringify({ n, sprint: opened.sprint, branch: opened.branch, stopped, work }, null, 2)}\n`],
  ];
}

/** Histories of verifications that ever failed, where the text changed: fixes, proofs and green runs are added, too. */
function changedHistories(written: Map<string, string>, state: State): [string, string][] {
  return Object.values(state.work.verifications).flatMap((verification): [string, string][] => {
    if (!state.ledger.runs[verification.lineage]?.some((run) => run.verdict !== 'green')) return [];
    const path = `failures/${verification.id}/history.md`;
    const text = renderHistoryFile(state, verification);
    if (written.get(path) === text) return [];
    written.set(path, text);
    return [[path, text]];
  });
}

function failureLogs(facts: readonly Fact[], payloads: Payloads): [string, string | Promise<string>][] {
  const runs = facts.flatMap((f) => (f.fact === 'verification.ran' ? [f.run] : []));
  const red = runs.filter((run) => run.verdict !== 'green');
  return red.flatMap(({ verification, n, output }): [string, string | Promise<string>][] => {
    const log = payloads.get(output);
    return [
      [`failures/${verification}/${n}.log`, log],
      [`failures/${verification}/latest.log`, log],
    ];
  });
}
