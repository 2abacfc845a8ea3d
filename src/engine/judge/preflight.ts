/**
 * Which declared needs of the work the machine does not meet, and what to do about it. Pure (I3): the machine's answers are
 * parameters.
 */
import { withFullStop } from '../ground/text.ts';
import type { MachineAnswer, DeclaredNeed, Need } from '../work/needs.ts';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { concerns, deedOf, humanActionId, isUnresolved, type HumanAction } from '../work/human-action.ts';
import { isOpen, type Task } from '../work/task.ts';

export interface Finding {
  need: Need;
  why: string;
  requirements: readonly string[];
  /** What is missing, one clause. */
  lacks: string;
  /** What to do, sentences. */
  remedy: string;
}

/** @param answers in the order of the needs. */
export function preflight(declared: readonly DeclaredNeed[], answers: readonly MachineAnswer[]): Finding[] {
  return declared.flatMap(({ what, why, requirements }, index) => {
    const answer = answers[index];
    const lacks = answer && lackOf(what, answer);
    return lacks ? [{ need: what, why, requirements, ...lacks }] : [];
  });
}

/** One human action for each kind of need and set of requirements. A need that no open task waits for becomes a note. */
export function askForNeeds({ work, ledger }: State, findings: readonly Finding[]): Fact[] {
  const open = Object.values(work.tasks).filter(isOpen);
  const waiting = (f: Finding): Task[] => open.filter((t) => t.prdSection.some((id) => f.requirements.includes(id)));
  const notes = findings.filter((f) => waiting(f).length === 0).map((f) => `${withFullStop(f.lacks)} ${f.remedy}`);
  const asked = Object.values(ledger.humanActions).filter(isUnresolved);
  const isAsked = (f: Finding): boolean =>
    waiting(f).every((task) => asked.some((humanAction) => asksFor(humanAction, f.need) && concerns(humanAction, task)));
  const groups = grouped(findings.filter((f) => waiting(f).length > 0 && !isAsked(f)));
  return [
    ...groups.map((group, index): Fact => ({
      fact: 'human-action.asked',
      humanAction: humanActionFor(humanActionId(ledger.humanActions, index), group),
    })),
    ...(notes.length > 0 || ledger.notes.length > 0 ? [{ fact: 'needs.noted' as const, notes }] : []),
  ];
}

interface Lack {
  lacks: string;
  remedy: string;
}

/** What is missing; undefined if the need is met. An unknown version counts as met. */
export function lackOf(need: Need, answer: MachineAnswer): Lack | undefined {
  if (need.kind === 'variable' && answer.kind === 'variable') return variableLack(need.name, answer.is);
  if (need.kind === 'port' && answer.kind === 'port') return portLack(need, answer);
  if (need.kind === 'tool' && answer.kind === 'tool') return toolLack(need, answer.version);
  if (need.kind === 'file' && answer.kind === 'file' && !answer.there)
    return { lacks: `there is no ${need.path}`, remedy: `Put ${need.path} into your checkout.` };
  if (need.kind === 'disk' && answer.kind === 'disk' && answer.megabytes < need.megabytes)
    return {
      lacks: `${answer.megabytes} MB of disk are free, ${need.megabytes} MB are needed`,
      remedy: `Free ${need.megabytes - answer.megabytes} MB on the disk that holds Loop's state folder.`,
    };
  return undefined;
}

function variableLack(name: string, is: 'given' | 'not set' | 'not named'): Lack | undefined {
  if (is === 'given') return undefined;
  const pass = `Name it for the sprint's commands: --env ${name}, or the setting loop.environment.`;
  const again = 'Then stop the sprint and resume it: a running sprint does not see a change of its environment.';
  return is === 'not named'
    ? { lacks: `${name} is set, but commands do not get it`, remedy: `${pass} ${again}` }
    : {
        lacks: `${name} is not set`,
        remedy: `Set ${name} in the environment that Loop (or the editor) is started from: export ${name}=… ${pass} ${again}`,
      };
}

function portLack({ port, state }: Extract<Need, { kind: 'port' }>, answer: Extract<MachineAnswer, { kind: 'port' }>): Lack | undefined {
  if (state === 'free')
    return answer.listening && answer.reachable
      ? { lacks: `port ${port} is taken`, remedy: `End what listens on port ${port}.` }
      : undefined;
  if (!answer.reachable)
    return {
      lacks: `commands cannot reach port ${port} of this machine`,
      remedy: `Commands have a network of their own. With the network "registries", allow this port when you resume: --allow-host localhost:${port}, or the setting loop.allowedHosts. Else start a new sprint with it, or with the network "all".`,
    };
  return answer.listening ? undefined : { lacks: `nothing listens on port ${port}`, remedy: `Start what should listen on port ${port}.` };
}

function toolLack({ name, version }: Extract<Need, { kind: 'tool' }>, installed: string | null): Lack | undefined {
  const wanted = version === undefined ? name : `${name} ${version} or later`;
  const remedy = `Install ${wanted} in a folder of your PATH.`;
  if (installed === null) return { lacks: `commands do not find ${name}`, remedy };
  return version !== undefined && installed !== '' && isOlder(installed, version)
    ? { lacks: `${name} is ${installed}, ${version} or later is needed`, remedy }
    : undefined;
}

function isOlder(installed: string, wanted: string): boolean {
  const [have, least] = [installed, wanted].map((text) => text.split('.').map(Number));
  for (const [index, part] of (least ?? []).entries()) {
    const own = have?.[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}

function grouped(findings: readonly Finding[]): Finding[][] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = [finding.need.kind, ...[...finding.requirements].sort()].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()];
}

const titles: Record<Need['kind'], string> = {
  variable: 'Set variables',
  file: 'Supply files',
  port: 'Prepare ports',
  tool: 'Install tools',
  disk: 'Make room on the disk',
};

function humanActionFor(id: string, group: readonly Finding[]): HumanAction {
  const needs = group.map((f) => f.need);
  return deedOf({
    id,
    action: `${titles[needs[0]?.kind ?? 'file']}: ${group.map((f) => f.lacks).join('; ')}`,
    instructions: group.map((f, index) => `${index + 1}. ${f.remedy} It is needed for this: ${withFullStop(f.why)}`).join('\n'),
    paths: needs.flatMap((n) => (n.kind === 'file' ? [n.path] : [])),
    needs: needs.flatMap((n) => (n.kind === 'file' ? [] : [n])),
    requirements: [...(group[0]?.requirements ?? [])],
  });
}

/** Whether this action asks for the need already. */
function asksFor(humanAction: HumanAction, need: Need): boolean {
  if (humanAction.kind !== 'deed') return false;
  if (need.kind === 'file') return humanAction.paths.includes(need.path);
  return humanAction.needs.some((one) => JSON.stringify(one) === JSON.stringify(need));
}
