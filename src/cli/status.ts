/** `loop status`: where a sprint stands, read from its journal without the lock. */
import { coverage } from '../engine/judge/ending.ts';
import { InputError } from '../engine/ground/errors.ts';
import { left } from '../engine/state/fuel.ts';
import { health } from '../engine/core/monitor.ts';
import type { State } from '../engine/state/state.ts';
import { probeOf, servicesOf, downFor, waitWords } from '../engine/services/services.ts';
import { trustOf } from '../engine/judge/trust.ts';
import { liveChecks } from '../engine/state/covers.ts';
import { openEdit } from '../engine/judge/edits.ts';
import { statusOf } from '../engine/judge/status.ts';
import type { Check } from '../engine/work/check.ts';
import { askWords, isUnresolved } from '../engine/work/pause.ts';
import type { ServiceProbe } from '../engine/work/service.ts';
import { tokensOf } from '../engine/work/spend.ts';
import { strategyOf } from '../engine/work/strategy.ts';
import { readSprint } from '../host/sprint.ts';
import { behindWords, decisionWords } from '../engine/render/explanation.ts';
import { standing } from '../engine/render/standing.ts';
import { healthWords, strategyWords } from '../engine/render/process.ts';
import type { Command } from './arguments.ts';
import { plain } from './plain.ts';
import { codeOfState } from './exit-codes.ts';

/** @returns the exit code that the sprint has earned so far. */
export async function status(
  { sprintDir, json }: Extract<Command, { name: 'status' }>,
  out: (text: string) => void,
): Promise<number> {
  const state = await readSprint(sprintDir);
  if (!state) throw new InputError(`No sprint was started in ${sprintDir}.`, `Start one with: loop run ${sprintDir}`);
  out(json ? `${JSON.stringify(summary(state), null, 2)}\n` : `${plain(inWords(state).join('\n'))}\n`);
  return codeOfState(state);
}

function summary(state: State) {
  const { opened, stopped, open, ledger, work } = state;
  return {
    sprint: opened.sprint,
    branch: opened.branch,
    stopped,
    doing: open?.decision ?? null,
    lastDecision: ledger.decisions.at(-1)?.decision ?? null,
    code: work.tree.code,
    tasks: Object.values(work.tasks).map(({ id, status: is, description }) => ({ id, status: is, description })),
    verifications: liveChecks(work).map((c) => ({ id: c.id, status: statusOf(state, c), trust: trustOf(state, c) })),
    requirements: coverage(state).map(({ requirement, by }) => ({ ...requirement, provenBy: by?.id ?? null })),
    services: servicesOf(work).map((s) => ({
      name: s.name,
      up: probeOf(state, s.name)?.up ?? null,
      why: probeOf(state, s.name)?.why ?? '',
    })),
    humanActions: Object.values(ledger.pauses),
    process: health(state),
    strategy: strategyOf(ledger),
    fuelLeft: left(ledger, 'sprint'),
    spend: ledger.spend,
    budget: ledger.budget,
  };
}

function inWords(state: State): string[] {
  const { opened, stopped, ledger, work } = state;
  const last = ledger.decisions.at(-1)?.decision;
  const waiting = Object.values(ledger.pauses).filter(isUnresolved);
  return [
    `Sprint ${opened.sprint} on ${opened.branch}: ${stopped ? stopped.stop : state.open ? `in the middle of ${state.open.decision.action}` : 'between two decisions'}`,
    ...(stopped?.reasons ?? []).map((r) => `  - ${r}`),
    ...(last
      ? [
          `Last decision: ${decisionWords(last)}, because ${last.why}`,
          `Behind it: ${last.behind.map(behindWords).join(', ') || 'nothing'}`,
        ]
      : []),
    `Process: ${healthWords(state)}`,
    `Strategy: ${strategyWords(state)}`,
    '',
    ...Object.values(work.tasks).map((t) => `${t.status.padEnd(8)} ${t.id}  ${t.description}`),
    '',
    ...liveChecks(work).map((c) => `${c.id}: ${standing(state, c)}, ${aboutCheck(state, c)}`),
    '',
    ...servicesOf(work).map((s) => serviceLine(s.name, probeOf(state, s.name))),
    ...waiting.flatMap((p) => askWords(p).map((line, index) => (index === 0 ? `Needs you: ${line}` : line))),
    `Fuel ${left(ledger, 'sprint')} of ${ledger.sizes['sprint'] ?? 0}; ${tokensOf(ledger.spend).toLocaleString('en-US')} tokens, $${ledger.spend.usd.toFixed(2)} of $${ledger.budget.usd.toFixed(2)}`,
  ];
}

function aboutCheck(state: State, check: Check): string {
  const dead = downFor(state, check);
  const trust = dead ? waitWords(dead) : trustOf(state, check).trusted ? 'trusted' : 'not trusted';
  const whose = check.by === 'person' ? ', yours' : '';
  return `${trust}${whose}${openEdit(state, check) ? ', edited: adopt or discard' : ''}`;
}

function serviceLine(name: string, probe: ServiceProbe | undefined): string {
  const words = !probe ? 'not started yet' : probe.up ? 'came up' : `down: ${probe.why}`;
  return `Service ${name}: ${words}`;
}
