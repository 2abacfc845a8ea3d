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
import type { Ground } from './ground.ts';

/** What a run is recorded for: where it ran, and the code number that it counts for. */
export type RecordedFor = Pick<Run, 'where' | 'code'>;

export function record(
  ground: Ground,
  verification: Runnable,
  recordedFor: RecordedFor,
  done: Finished,
  verdict: Run['verdict'],
): Promise<Run> {
  return recordOf(ground, verification, { ...recordedFor, done, verdict, text: runText(ground.state.work, verification, done) });
}

/** Records a verification as red without running it, because its service is down where it would run. */
export async function recordDead(ground: Ground, verification: Runnable, recordedFor: RecordedFor, probe: ServiceProbe): Promise<Run> {
  const text = textOfDead(probe, await ground.ports.payloads.get(probe.output));
  const done = { exit: null, timedOut: false, duration: 0, output: '' };
  return recordOf(ground, verification, { ...recordedFor, done, verdict: 'red', text });
}

interface Recording extends RecordedFor {
  verdict: Run['verdict'];
  done: Pick<Finished, 'exit' | 'timedOut' | 'duration' | 'output' | 'reports' | 'root'>;
  text: RunText;
}

async function recordOf({ state, ports }: Ground, verification: Runnable, { where, code, verdict, done, text }: Recording): Promise<Run> {
  const { exit, timedOut, duration } = done;
  const facts = { exit, timedOut, output: text.own };
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
    duration: Math.round(duration),
    output: await ports.payloads.put(whole),
    excerpt: excerptOf({ own: text.own, whole }, 4000),
    verdict,
    redSeen: isScript(verification) && done.output.includes(verification.red),
    ...(kind ? { kind } : {}),
    summary: kind ? summarize(facts, kind, cases) : '',
    signature: kind ? signature(facts, kind, cases) : '',
    ...(cases ? { cases: await storeCases(ports.payloads, cases) } : {}),
  };
}

async function storeCases(payloads: Ground['ports']['payloads'], cases: Cases): Promise<CaseSummary> {
  return summaryOfCases(cases, await payloads.put(JSON.stringify(cases.cases)));
}
