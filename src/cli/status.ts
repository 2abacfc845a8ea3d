/** `loop status`: shows the state of a sprint, read from its journal without the lock. */
import { InputError } from '../engine/ground/errors.ts';
import { shellQuoted } from '../engine/ground/shell-quoted.ts';
import { health } from '../engine/core/monitor.ts';
import { hoursOf } from '../engine/state/hours.ts';
import type { State } from '../engine/state/state.ts';
import { strategyOf } from '../engine/work/strategy.ts';
import { readSprint } from '../host/sprint.ts';
import type { Costs } from '../engine/picture/costs.ts';
import { pictureOf } from '../engine/picture/picture.ts';
import { titleOf } from '../engine/work/task.ts';
import { statusLines } from '../engine/render/status-lines.ts';
import type { Command } from './arguments.ts';
import { plain } from './plain.ts';
import { codeOfState } from './exit-codes.ts';

/** @returns the exit code for the sprint's state so far. */
export async function status({ sprintDir, json }: Extract<Command, { name: 'status' }>, out: (text: string) => void): Promise<number> {
  const state = await readSprint(sprintDir);
  if (!state) throw new InputError(`No sprint was started in ${sprintDir}.`, `Start one with: loop run ${shellQuoted(sprintDir)}`);
  out(json ? `${JSON.stringify(summary(state), null, 2)}\n` : `${plain(statusLines(state).join('\n'))}\n`);
  return codeOfState(state);
}

function summary(state: State) {
  const { opened, stopped, open, ledger, work } = state;
  const picture = pictureOf(state);
  return {
    sprint: opened.sprint,
    branch: opened.branch,
    stopped,
    doing: open?.decision ?? null,
    lastDecision: ledger.decisions.at(-1)?.decision ?? null,
    code: work.tree.code,
    tasks: picture.tasks.map(({ task, status: is }) => ({ id: task.id, status: is, title: titleOf(task), description: task.description })),
    verifications: picture.live.map(({ verification: { id }, status: is, trust }) => ({ id, status: is, trust })),
    requirements: picture.requirements.map(({ requirement, provenBy }) => ({ ...requirement, provenBy: provenBy?.id ?? null })),
    descoped: work.descoped,
    services: picture.services.map(({ service: { name }, probe }) => ({ name, up: probe?.up ?? null, why: probe?.why ?? '' })),
    humanActions: Object.values(ledger.humanActions),
    words: ledger.words,
    process: health(state),
    strategy: strategyOf(ledger),
    fuelLeft: picture.fuel.left,
    spend: ledger.spend,
    costs: costsJson(picture.costs),
    budget: ledger.budget,
    hoursRan: hoursOf(ledger.ran),
  };
}

function costsJson({ steps, roles, phases }: Costs) {
  const tasks = phases.flatMap((phase) => phase.tasks.map(({ of, spend }) => ({ of: of.id, spend })));
  return { steps, roles, phases: phases.map(({ of, spend }) => ({ of, spend })), tasks };
}
