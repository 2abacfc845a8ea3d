/**
 * What to do next: the first row of the table that is due and has fuel (design §5). Pure and total (I3): the last row
 * is `close`, which is always due and may overdraw.
 */
import { Bug } from '../ground/errors.ts';
import type { ActionId, Decision, Tank } from '../state/events.ts';
import { canBurn } from '../state/fuel.ts';
import type { State } from '../state/state.ts';

/** One thing that could be done now. `burns` are the row's own tanks; the kernel adds `sprint`. */
export interface Due {
  target: string;
  burns: Tank[];
  why: string;
}

/** The part of an action that decides: pure. */
export interface Row {
  readonly id: ActionId;
  /** Not due once the money or token budget is reached. */
  readonly asksModel: boolean;
  due(state: State): Due[];
}

export function decide(state: State, table: readonly Row[]): Decision {
  const due = table.flatMap((row) => (mayRun(state, row) ? row.due(state).map((d) => ({ row, ...d })) : []));
  const fuelled = due.filter(({ row, burns }) => row.id === 'close' || canBurn(state.ledger, ['sprint', ...burns]));
  const [first, ...rest] = fuelled;
  if (!first) throw new Bug('no row is due, not even close');
  const behind = [...new Set(rest.map(({ row, target }) => name(row, target)))].slice(0, 12);
  return { action: first.row.id, target: first.target, why: first.why, burns: ['sprint', ...first.burns], behind };
}

/** A row that calls a model is not due once the budget is reached. */
function mayRun({ ledger }: State, row: Row): boolean {
  return !row.asksModel || ledger.budgetReached === null;
}

function name(row: Row, target: string): string {
  return target ? `${row.id} ${target}` : row.id;
}
