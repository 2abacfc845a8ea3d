/**
 * QC writes the verifications: before the work where the PRD says enough, after it where the surface must exist first. It is
 * due for every requirement without a verification that is trusted or may yet be proven, whose proof sees too little, or for which
 * somebody found what no verification saw. It is also due for every verification that a fixer calls wrong: QC writes that one again,
 * red first as any, or answers that it is right.
 */
import type { Context } from '../context.ts';
import { approach } from '../render/approach.ts';
import { existingText } from '../render/existing-verifications.ts';
import { promptText } from '../ground/prompts.ts';
import { renderPlan } from '../render/plan-text.ts';
import { guardedText } from '../render/suite-words.ts';
import { canBurn, tank } from '../state/fuel.ts';
import { goesBy } from '../state/rules.ts';
import { factsIn, type State } from '../state/state.ts';
import { doubtedTogether, openDoubt, rewriteTank } from '../diagnose/doubt.ts';
import { undoneFor, standsInTheWay } from '../diagnose/broken-suites.ts';
import { mayBeProven } from '../judge/trust.ts';
import { isToBeMeasured, isTooWeak } from '../judge/strength.ts';
import { unseenFindings } from '../judge/unseen.ts';
import { liveVerifications } from '../state/covers.ts';
import { requirementsOf, type Verification } from '../work/verification.ts';
import type { Fact } from '../work/facts.ts';
import { isOpen } from '../work/task.ts';
import { authorWords, type Author } from '../work/tree.ts';
import type { Action } from './action.ts';
import type { Due } from '../core/decide.ts';
import { scriptExtensions } from '../work/script-language.ts';
import { declarationDoubts, type DeclarationDoubt } from '../diagnose/declaration.ts';
import { renderHistory } from '../render/history.ts';
import { renderServiceHistory } from '../render/service-history.ts';
import { servicesOf } from '../services/services.ts';
import { unreadFailures } from '../tools/first-run.ts';
import { helperTexts, writeHelper } from '../tools/write-helper.ts';
import { writeVerification } from '../tools/write-verification.ts';
import { installMissing } from './change.ts';
import { othersText } from './told/others-text.ts';
import { textsThere } from './told/shown-texts.ts';
import { textsToRewrite } from './told/texts-to-rewrite.ts';
import { evidenceOf, verificationValues } from './told/verification-values.ts';
import { unreportedFacts, runSession } from './session-action.ts';

export const writeVerifications: Action = {
  id: 'write-verifications',
  asksModel: true,
  afterQualifying: true,
  due(state) {
    const wanted = withoutVerification(state);
    if (wanted.length === 0) return inDoubt(state);
    return [
      {
        target: round(state),
        burns: [tank('generate', round(state))],
        why: `nothing that can be trusted, and sees enough, verifies ${wanted.join(', ')}`,
      },
      ...inDoubt(state),
    ];
  },
  async run(target, context) {
    const { state } = context;
    await installMissing(context);
    // Answered before a crash: the doubt is gone, and with it what this session is about.
    if (factsIn(context.open).some(({ fact }) => fact === 'context.amended' || fact === 'declaration.upheld')) return [];
    const declaration = declarationDoubts(state).find((doubt) => doubt.verification === target);
    if (declaration) return reviewDeclaration(context, declaration);
    const doubted = state.work.verifications[target];
    if (doubted) return review(context, doubted);
    const values = async () => ({
      extensions: scriptExtensions.map((extension) => `.${extension}`).join(' '),
      plan: renderPlan(state),
      files: await textsThere(context),
      wanted: withoutVerification(state).join(', '),
      unseen: unseenText(state),
      existing: existingText(state),
      texts: await textsToRewrite(context, withoutVerification(state)),
      run: promptText('verification-run'),
      helpers: await helpersText(context),
      guarded: guardedText(state),
      approach: approach(state, 'qc'),
    });
    return unreportedFacts(await runSession(context, { prompt: 'write-verifications', values }), () => []);
  },
};

function inDoubt(state: State): Due[] {
  const declarations = declarationDoubts(state).map((doubt) => ({
    target: doubt.verification,
    burns: [rewriteTank(doubt)],
    why: `the fixer of ${doubt.verification} says that a declaration is wrong`,
  }));
  return [...declarations, ...doubtedVerifications(state)];
}

function doubtedVerifications(state: State): Due[] {
  const doubted = liveVerifications(state.work).filter((one) => openDoubt(state, one) ?? standsInTheWay(state, one));
  return together(state, doubted).map(([lead, ...others]) => ({
    target: lead.id,
    burns: [lead, ...others].map(rewriteTank),
    why: [whyReviewed(state, lead), ...others.map(({ id }) => `${id} for the same reason`)].join(', '),
  }));
}

/** Verifications of one session; more would make it too long. */
const mostTogether = 8;

/** Scripts that one fixer doubted at once, so for one reason, are looked at in one session. */
function together(state: State, doubted: readonly Verification[]): [Verification, ...Verification[]][] {
  const groups: [Verification, ...Verification[]][] = [];
  const stepOf = (one: Verification): string | undefined =>
    one.kind === 'script' && canBurn(state.ledger, [rewriteTank(one)]) ? openDoubt(state, one)?.step : undefined;
  for (const one of doubted) {
    const step = goesBy(state.opened, 'doubts together') ? stepOf(one) : undefined;
    const group =
      step === undefined ? undefined : groups.find(([lead, ...others]) => stepOf(lead) === step && others.length + 1 < mostTogether);
    if (group) group.push(one);
    else groups.push([one]);
  }
  return groups;
}

function whyReviewed(state: State, verification: Verification): string {
  const last = undoneFor(state, verification).at(-1);
  return openDoubt(state, verification) || !last
    ? `${verification.id} may be wrong`
    : `${authorWords(last)} broke ${verification.id}, and was taken back`;
}

/** What one reply holds of these is taken whole, and read before the session ends where it was refused. */
const writers = [writeHelper.name, writeVerification.name];

async function review(context: Context, verification: Verification): Promise<Fact[]> {
  if (verification.kind === 'suite') return reviewSuite(context, verification);
  const values = () => reviewValues(context, verification);
  const isInDoubt = (): boolean => doubtedTogether(context.state, verification.id).some((one) => openDoubt(context.state, one));
  const goesOn = (refused: readonly string[]): boolean =>
    isInDoubt() || refused.some((name) => writers.includes(name)) || unreadFailures(context.state).length > 0;
  const finished = (): boolean => !isInDoubt();
  return unreportedFacts(await runSession(context, { prompt: 'review-verification', values, goesOn, finished }), () => []);
}

async function reviewValues(context: Context, verification: Verification): Promise<Record<string, string>> {
  const [lead = verification, ...also] = doubtedTogether(context.state, verification.id);
  const others = await othersText(context, lead, also);
  return {
    ...(await verificationValues(context, lead)),
    run: promptText('verification-run'),
    claim: claimAgainst(context.state, lead),
    others: others === '' ? '' : promptText('review-others', { others }),
  };
}

function claimAgainst(state: State, verification: Verification): string {
  const doubt = openDoubt(state, verification)?.answer;
  return doubt?.kind === 'doubt' ? doubt.evidence : '';
}

/** QC decides whether what was declared is wrong, because a fixer of a verification or a service says so. */
async function reviewDeclaration(context: Context, { lineage, verification: target, answer }: DeclarationDoubt): Promise<Fact[]> {
  const { work, ledger } = context.state;
  const known = work.verifications[target];
  const probe = ledger.probes[lineage]?.findLast(({ up }) => !up);
  const run = ledger.runs[lineage]?.findLast(({ verdict }) => verdict === 'red');
  const { install, suites, needs } = work.context ?? { install: '', suites: [], needs: [] };
  const values = {
    target,
    declared: JSON.stringify({ install, suites, services: servicesOf(work), needs }, null, 2),
    claim: answer.evidence,
    evidence: run ? evidenceOf(run) : [probe?.why, probe?.excerpt].filter(Boolean).join('\n\n') || 'No run was recorded.',
    history: known ? renderHistory(context.state, known) : renderServiceHistory(context.state, target.replace(/^service /, '')),
  };
  return unreportedFacts(await runSession(context, { prompt: 'review-declaration', values }), () => []);
}

/** QC decides whether a requirement contradicts the suite, because a fixer says so or work was taken back for it. */
async function reviewSuite(context: Context, verification: Verification): Promise<Fact[]> {
  const { state } = context;
  const claim = claimAgainst(state, verification);
  const last = state.ledger.runs[verification.lineage]?.findLast((run) => run.verdict === 'red');
  const undone = undoneFor(state, verification).map((author) => `- ${undoneWords(state, author)}`);
  const values = {
    ...(await verificationValues(context, verification)),
    evidence: last ? `${last.summary}\n\n${last.excerpt}` : 'No run was recorded.',
    history: renderHistory(state, verification, last),
    guarded: guardedText(state),
    claim: [...(claim ? [`A fixer says: ${claim}`] : []), ...undone].join('\n'),
  };
  return unreportedFacts(await runSession(context, { prompt: 'review-suite', values }), () => []);
}

function undoneWords({ work }: State, author: Author): string {
  if (author.kind === 'task') return `Work of task ${author.task} was taken back: ${work.tasks[author.task]?.description ?? ''}`;
  const own = work.verifications[author.verification];
  return `A fix that turned ${author.verification} green was taken back. That verifies ${own ? `${requirementsOf(own).join(', ')}: ${own.title}` : 'nothing any more'}`;
}

/** `plan` while tasks are open; `settled` once deferred requirements have to be verified. */
function round({ work }: State): string {
  return Object.values(work.tasks).some(isOpen) ? 'plan' : 'settled';
}

function withoutVerification(state: State): string[] {
  const { work } = state;
  const verifications = liveVerifications(work);
  const unseen = unseenFindings(state).flatMap(({ requirements }) => requirements);
  const waits = (id: string): boolean => work.deferred.includes(id) && round(state) === 'plan';
  return work.requirements
    .map((r) => r.id)
    .filter((id) => !waits(id))
    .filter(
      (id) =>
        (isTooWeak(state, id) && !isToBeMeasured(state, id)) ||
        unseen.includes(id) ||
        !verifications.some((v) => requirementsOf(v).includes(id) && mayBeProven(state, v)),
    );
}

async function helpersText({ state, ports }: Context): Promise<string> {
  const texts = await helperTexts(Object.keys(state.work.helpers), { state, ports });
  return texts.map(({ name, text }) => `${name}:\n\n\`\`\`\n${text}\n\`\`\``).join('\n\n') || 'None yet.';
}

/** What was found while these stayed green. */
function unseenText(state: State): string {
  const lines = unseenFindings(state).map(
    ({ requirements, what, by }) => `- ${requirements.join(', ')}, not seen by ${by.join(', ')}: ${what}`,
  );
  return lines.join('\n') || 'Nothing.';
}
