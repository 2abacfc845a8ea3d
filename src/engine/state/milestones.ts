/** Milestones, by which progress is measured (I5). A part of the ledger, updated in place. */

/** Parts of the ledger. */
interface Reaching {
  readonly decisions: readonly unknown[];
  readonly milestones: string[];
  lastMilestone: number;
  skipped: string[];
}

/** A milestone counts once: a gate first passed, a task first settled, a lineage first green; a suite was green before. */
export function reach(ledger: Reaching, milestone: string): void {
  if (ledger.milestones.includes(milestone)) return;
  ledger.milestones.push(milestone);
  ledger.lastMilestone = ledger.decisions.length;
}

/** A skip that came too late is over with it: what the documents ask for later is something else. */
export function reachTask(ledger: Reaching, task: string): void {
  ledger.skipped = ledger.skipped.filter((id) => id !== task);
  reach(ledger, `task ${task}`);
}
