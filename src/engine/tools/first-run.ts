/**
 * Runs a script as soon as it is written, so that its writer sees in the same session whether it fails for its reason. The runs count
 * like any others: the row that runs verifications has nothing left to do for these.
 */
import { pieceOf } from '../ground/text.ts';
import { currentResult, isHonestRed } from '../judge/trust.ts';
import { isExpectedRed } from '../judge/unsettled.ts';
import { runVerifications } from '../run/batch.ts';
import type { Ground } from '../run/ground.ts';
import { askForServices, probeServices } from '../run/probe-services.ts';
import { isDown, probeOf, requiredBy } from '../services/services.ts';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import type { Service, ServiceProbe } from '../work/service.ts';
import type { Run, Script } from '../work/verification.ts';
import type { Reply } from './tool.ts';

export async function runWritten({ text, facts }: Reply, ground: Ground): Promise<Reply> {
  const { state } = ground;
  const written = facts.flatMap((fact) =>
    fact.fact === 'verification.written' && fact.verification.kind === 'script' ? [fact.verification] : [],
  );
  const probes = await probeUnknown(written, ground);
  const waitsFor = (script: Script): string[] =>
    requiredBy(state.work, script).flatMap((service) => (isUp(state, service, probes) ? [] : [service.name]));
  const ready = written.filter((script) => isNew(state, script) && waitsFor(script).length === 0);
  const runs = await runVerifications(ground, { verifications: ready, at: 'worktree', where: 'tree', code: state.work.tree.code });
  const lines = written.flatMap((script) => {
    const [run, waits] = [runs.find(({ verification }) => verification === script.id), waitsFor(script)];
    const words =
      waits.length > 0
        ? `It runs as soon as ${waits.join(' and ')} ${waits.length > 1 ? 'are' : 'is'} up.`
        : run && runWords(state, script, run);
    return words === undefined ? [] : [`${written.length > 1 ? `${script.id}: ` : ''}${words}`];
  });
  const probed = probes.map((probe): Fact => ({ fact: 'service.probed', probe }));
  const ran = runs.map((run): Fact => ({ fact: 'verification.ran', run }));
  return { text: [text, ...lines].join('\n'), facts: [...facts, ...probed, ...ran, ...askForServices(state, probes)] };
}

/** Runs of scripts that the last reply wrote which did not fail for their reason: their writer has not read that yet. */
export function unreadFailures(state: State): Run[] {
  return runsOfReply(state).filter((run) => run.verdict === 'red' && !isHonestRed(run));
}

/** The last run of each script that the last reply wrote. */
function runsOfReply({ open }: State): Run[] {
  const parts = [...(open?.parts ?? [])];
  const [reply] = parts.findLast(([, { begun }]) => begun?.kind === 'ask') ?? [];
  const facts = parts.flatMap(([id, { ended }]) => (reply !== undefined && id.startsWith(`${reply}/c`) ? (ended?.facts ?? []) : []));
  const runs = facts.flatMap((fact) => (fact.fact === 'verification.ran' ? [fact.run] : []));
  return [...new Map(runs.map((run) => [run.lineage, run])).values()];
}

/** The same text has told on this code what it can tell. */
function isNew(state: State, script: Script): boolean {
  return state.work.verifications[script.id]?.script !== script.script || !currentResult(state, script);
}

/** Of services about which nobody knows on this code whether they come up: some are there before the work is. */
async function probeUnknown(written: readonly Script[], ground: Ground): Promise<ServiceProbe[]> {
  const { state } = ground;
  const isUnknown = ({ name }: Service): boolean => probeOf(state, name) === undefined;
  const verifications = written.filter((script) => requiredBy(state.work, script).some(isUnknown));
  const { probes } = await probeServices(ground, { verifications, at: 'worktree', code: state.work.tree.code });
  return probes;
}

/** Without it a run tells nothing about the script. */
function isUp(state: State, service: Service, probes: readonly ServiceProbe[]): boolean {
  const latest = probes.find(({ name }) => name === service.name);
  return latest?.up ?? (probeOf(state, service.name)?.up === true && !isDown(state, service));
}

function runWords(state: State, script: Script, run: Run): string {
  return `${verdictWords(state, script, run)}${slowWords(run)}`;
}

/** Milliseconds from which a script is told to be slow. */
const slow = 20_000;

function slowWords({ duration }: Run): string {
  return duration < slow
    ? ''
    : ` It took ${Math.round(duration / 1000)} s, and runs again for each change and some thirty times to be proven: make it faster if it can be.`;
}

function verdictWords(state: State, script: Script, run: Run): string {
  if (run.verdict === 'green')
    return isExpectedRed(state, script)
      ? 'It ran: green, although its work is not built. It asks for what is there already.'
      : 'It ran: green.';
  if (run.verdict !== 'red')
    return `It ran: ${run.verdict === 'flaky' ? 'red once and green once' : `no result: ${run.why ?? 'nobody can tell'}`}.`;
  if (isHonestRed(run)) return `It ran: red, with its RED text: ${decisiveLine(script, run)}`;
  if (!run.redSeen)
    return `It ran: red, but not for its reason, so it proves nothing: its output lacks the RED text "${script.red}".\n${run.summary}`;
  return `It ran: red, but it proves nothing: ${run.summary}`;
}

const longestLine = 300;

function decisiveLine({ red }: Script, { excerpt, summary }: Run): string {
  const line = excerpt.split('\n').find((one) => one.includes(red)) ?? summary;
  return pieceOf(line.trim(), 0, longestLine);
}
