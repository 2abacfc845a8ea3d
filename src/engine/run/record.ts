/** The engine's own record of a run (I8, I9): exit status, whole output as a payload, excerpt, kind, signature, cases. */
import { summaryOfCases } from '../diagnose/cases.ts';
import { classify } from '../diagnose/classify.ts';
import { casesOf, type Cases } from '../diagnose/reports/read-cases.ts';
import { excerptOf, runText, textOfDead, type RunText } from '../diagnose/run-text.ts';
import { signature, summarize } from '../diagnose/signature.ts';
import type { CaseSummary } from '../work/case.ts';
import type { Finished } from '../work/job.ts';
import type { ServiceProbe } from '../work/service.ts';
import { isScript, type Run, type Runnable } from '../work/verification.ts';
import type { Judged } from './alone.ts';
import type { Ground } from './ground.ts';

/** What a run is recorded for: where it ran, and the code number that it counts for. */
export type RecordedFor = Pick<Run, 'where' | 'code'>;

export function record(ground: Ground, verification: Runnable, recordedFor: RecordedFor, judged: Judged): Promise<Run> {
  return recordOf(ground, verification, { ...recordedFor, ...judged, text: runText(ground.state.work, verification, judged.done) });
}

/** Records a verification as red without running it, because its service is down where it would run. No result if the machine caused that. */
export async function recordDead(ground: Ground, verification: Runnable, recordedFor: RecordedFor, probe: ServiceProbe): Promise<Run> {
  const text = textOfDead(probe, await ground.ports.payloads.get(probe.output));
  const done = { exit: null, timedOut: false, duration: 0, output: '' };
  const verdict = probe.machine
    ? { verdict: 'none' as const, why: `service ${probe.name} is down: ${probe.why}` }
    : { verdict: 'red' as const };
  return recordOf(ground, verification, { ...recordedFor, ...verdict, done, text });
}

interface Recording extends RecordedFor, Omit<Judged, 'done'> {
  done: Pick<Finished, 'exit' | 'timedOut' | 'stopped' | 'duration' | 'output' | 'reports' | 'root' | 'seed'>;
  text: RunText;
}

async function recordOf(
  { state, ports }: Ground,
  verification: Runnable,
  { where, code, verdict, looks, why, done, text }: Recording,
): Promise<Run> {
  const { exit, timedOut, stopped, duration } = done;
  const facts = { exit, timedOut, output: text.own, script: await ports.payloads.get(verification.script) };
  const kind = verdict === 'green' ? undefined : text.isDead ? 'service_down' : classify(facts);
  const cases = text.isDead ? undefined : casesOf({ ...done, output: text.own }, verdict !== 'green');
  const whole = kind ? text.whole : done.output;
  const { id, lineage, script } = verification;
  return {
    verification: id,
    lineage,
    script,
    n: (state.ledger.runs[lineage]?.length ?? 0) + 1,
    where,
    code,
    world: state.ledger.world,
    exit,
    timedOut,
    ...(stopped === undefined ? {} : { stopped }),
    ...(looks === undefined ? {} : { looks }),
    ...(why === undefined ? {} : { why }),
    ...(done.seed === undefined || verdict === 'green' ? {} : { seed: done.seed }),
    duration: Math.round(duration),
    output: await ports.payloads.put(whole),
    excerpt: excerptOf({ own: text.own, whole }, 4000),
    verdict,
    redSeen: isScript(verification) && done.output.includes(verification.red),
    ...(kind ? { kind } : {}),
    summary: why ?? (kind ? summarize(facts, kind, cases) : ''),
    signature: kind && verdict !== 'none' ? signature(facts, kind, cases) : '',
    ...(cases ? { cases: await storeCases(ports.payloads, cases) } : {}),
  };
}

async function storeCases(payloads: Ground['ports']['payloads'], cases: Cases): Promise<CaseSummary> {
  return summaryOfCases(cases, await payloads.put(JSON.stringify(cases.cases)));
}
