/** That a script was written again after it had met work, how often, and after what: it may ask for less since. For the report. */
import { firstWords, oneLine } from '../ground/text.ts';
import type { State } from '../state/state.ts';
import { isOneOf, type Run, type Script } from '../work/verification.ts';

/** `Written again twice, last after a doubt: the PRD says 5.`; empty where it was not. */
export function rewriteWords(state: State, verification: Script): string {
  const { lineage, script } = verification;
  const { scripts, runs } = state.ledger;
  // Helpers alone say nothing new about the work.
  const texts = (scripts[lineage] ?? []).filter((text) => text === script || !isOneOf([text], verification));
  const before = texts.slice(0, -1).filter((text) => hasMetWork(runs[lineage] ?? [], text) || doubtOf(state, verification, text));
  const last = before.at(-1);
  if (last === undefined) return '';
  const why = reasonOf(state, verification, last);
  const times = before.length === 1 ? 'once' : before.length === 2 ? 'twice' : `${before.length} times`;
  if (why === '') return `Written again ${times}.`;
  return `Written again ${times},${before.length > 1 ? ' last' : ''} after ${firstWords(`${oneLine(why).replace(/\.$/, '')}.`, longestReason)}`;
}

/** Characters of a reason. */
const longestReason = 240;

/** A draft that its writer mended before there was work is no news. */
function hasMetWork(runs: readonly Run[], text: string): boolean {
  return runs.some(({ script, code }) => script === text && code !== 0);
}

/** What is recorded of this text that asked for another one; empty where nothing is. */
function reasonOf(state: State, verification: Script, text: string): string {
  const { assessments, proofs, measures } = state.ledger;
  const doubt = doubtOf(state, verification, text);
  if (doubt !== undefined) return `a doubt: ${doubt}`;
  const isOfText = (one: { lineage: string; script: string }): boolean => one.lineage === verification.lineage && one.script === text;
  const failed = proofs.findLast((one) => isOfText(one) && one.kind === 'control' && one.outcome === 'not-red');
  if (failed) return `it failed the control: ${failed.why}`;
  const found = [...assessments.vrcs.flatMap(({ gaps }) => gaps), ...assessments.evaluations.flatMap(({ findings }) => findings)];
  const finding = found.findLast(({ unseen }) => unseen?.by.includes(verification.id) && unseen.scripts.includes(text));
  if (finding) return `it did not see what was found: ${finding.description}`;
  if (measures.some(isOfText)) return 'it was measured which faults it sees';
  return '';
}

/** What was said of exactly this text, and not answered by its writer. */
function doubtOf({ ledger }: State, { lineage }: Script, text: string): string | undefined {
  for (const { answer, upheld } of (ledger.fixes[lineage] ?? []).toReversed())
    if (answer.kind === 'doubt' && answer.script === text && upheld === undefined) return answer.evidence;
  return undefined;
}
