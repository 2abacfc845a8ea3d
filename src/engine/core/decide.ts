/**
 * Decides what to do next: the first row of the table that is due and has fuel. Pure and total (I3): the last row, `close`, is
 * always due and may overdraw its tank.
 */
import { Bug } from '../ground/errors.ts';
import type { Decision, Tank } from '../state/events.ts';
import { isClosing, type ActionId } from '../state/rows.ts';
import { canBurn, tank } from '../state/fuel.ts';
import { isOutOfTime } from '../state/hours.ts';
import type { State } from '../state/state.ts';
import { isQualified } from '../work/gate.ts';

/** One thing that could be done now. `burns` are the row's own tanks; `decide` adds `sprint`. */
export interface Due {
  target: string;
  burns: Tank[];
  why: string;
}

/** The pure part of an action, which tells when it is due. */
export interface Row {
  readonly id: ActionId;
  /** Not due once a budget is reached: money, tokens or time. */
  readonly asksModel: boolean;
  /** Not due before all gates are passed, nor while a change waits to be settled. */
  readonly afterQualifying: boolean;
  due(state: State): Due[];
}

export function decide(state: State, table: readonly Row[]): Decision {
  const due = table.flatMap((row) => dueOf(row, state).map((one) => ({ row, ...one })));
  const fuelled = due.filter(({ row, burns }) => isClosing(row.id) || canBurn(state.ledger, [sprint, ...burns]));
  const [first, ...rest] = fuelled;
  if (!first) throw new Bug('no row is due, not even close');
  const behind = [...new Set(rest.map(({ row, target }) => nameOf(row, target)))].slice(0, 12);
  return { action: first.row.id, target: first.target, why: first.why, burns: [sprint, ...first.burns], behind };
}

/** What a row could do now, with or without fuel for it. */
export function dueOf(row: Row, state: State): Due[] {
  const { ledger } = state;
  const isOver = (row.asksModel && ledger.budgetReached !== null) || (isOutOfTime(ledger) && !mayBeginLate(row.id));
  const isBlocked = isOver || (row.afterQualifying && !isQualified(state));
  return isBlocked ? [] : row.due(state);
}

/** What may begin when the time is over: to keep or undo the open change, to wait for the person, to stop. */
function mayBeginLate(action: ActionId): boolean {
  return action === 'settle' || action === 'wait' || isClosing(action);
}

const sprint = tank('sprint');

function nameOf(row: Row, target: string): string {
  return target ? `${row.id} ${target}` : row.id;
}
