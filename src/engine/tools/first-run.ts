/**
 * Runs a script as soon as it is written, so that its writer sees in the same session whether it fails for its reason. The runs count
 * like any others: the row that runs verifications has nothing left to do for these.
 */
import { currentResult, isHonestRed } from '../judge/trust.ts';
import { isExpectedRed } from '../judge/unsettled.ts';
import { runVerifications } from '../run/batch.ts';
import type { Ground } from '../run/ground.ts';
import { isDown, probeOf, requiredBy } from '../services/services.ts';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import type { Run, Script } from '../work/verification.ts';
import type { Reply } from './tool.ts';

export async function runWritten({ text, facts }: Reply, ground: Ground): Promise<Reply> {
  const { state } = ground;
  const written = facts.flatMap((fact) =>
    fact.fact === 'verification.written' && fact.verification.kind === 'script' ? [fact.verification] : [],
  );
  const ready = written.filter((script) => isNew(state, script) && hasServices(state, script));
  const runs = await runVerifications(ground, { verifications: ready, at: 'worktree', where: 'tree', code: state.work.tree.code });
  const lines = ready.flatMap((script) => {
    const run = runs.find(({ verification }) => verification === script.id);
    return run ? [`${ready.length > 1 ? `${script.id}: ` : ''}${runWords(state, script, run)}`] : [];
  });
  const ran = runs.map((run): Fact => ({ fact: 'verification.ran', run }));
  return { text: [text, ...lines].join('\n'), facts: [...facts, ...ran] };
}

/** The same text has told on this code what it can tell. */
function isNew(state: State, script: Script): boolean {
  return state.work.verifications[script.id]?.script !== script.script || !currentResult(state, script);
}

/** A service that is not there yet tells nothing about the script. */
function hasServices(state: State, script: Script): boolean {
  return requiredBy(state.work, script).every((service) => probeOf(state, service.name)?.up === true && !isDown(state, service));
}

function runWords(state: State, script: Script, run: Run): string {
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
  return line.trim().slice(0, longestLine);
}
