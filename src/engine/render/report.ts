/**
 * DELIVERY_REPORT.md: first what its reader needs (report-head.ts), then all that is known to be wrong and was decided, then the
 * proof. A rendering (I1).
 */
import type { Strength } from '../judge/strength.ts';
import { ending, finalOf, whyNotProven, type CleanResult } from '../judge/ending.ts';
import { brokenByVerifications } from '../judge/guarded-suites.ts';
import { pictureOf, type CoveredRequirement, type Picture } from '../picture/picture.ts';
import type { StandingVerification } from '../picture/verifications.ts';
import { descopedLines } from './descoped-words.ts';
import { decisionLines } from './decisions.ts';
import { howToUseLines } from './how-to-use.ts';
import { installLines } from './install-words.ts';
import { renderIssues } from './issues.ts';
import { knownWrong } from './known-wrong.ts';
import { withoutOthers } from './left-open.ts';
import { planReviewLines } from './plan-review.ts';
import { headLines, promisesInHead } from './report-head.ts';
import { rewriteWords } from './rewrite-words.ts';
import { saidLines } from './said.ts';
import { standingWords } from './standing.ts';
import { trendLines } from './trend.ts';
import { blindSpots, strengthLine } from './trust-words.ts';
import { suiteLines } from './suite-words.ts';
import { notableLines } from './notable-words.ts';
import { networkLines } from './traffic-words.ts';
import { spentOf, tank } from '../state/fuel.ts';
import { hoursOf, hoursWords } from '../state/hours.ts';
import { actionWords } from '../state/rows.ts';
import { documentsOf } from '../state/documents.ts';
import type { State } from '../state/state.ts';
import { personWrote, taskWords } from './words.ts';
import { asCode, escaped, inWords, literally } from '../ground/markdown.ts';
import { counted, firstWords, oneLine, withoutCommandLinks } from '../ground/text.ts';
import { longestTitle, titleOf } from '../work/task.ts';
import type { Evaluation, Vrc } from '../work/assessment.ts';
import { isPersons, isRunnable, type Run, type Verification } from '../work/verification.ts';
import { askWords, isUnresolved } from '../work/human-action.ts';
import { tokensOf, type Spend } from '../work/spend.ts';

export function renderReport(state: State): string {
  const picture = pictureOf(state);
  const { stop } = ending(state, picture.requirements);
  const wrong = knownWrong(picture);
  const decided = decisionLines(state);
  const lines = [
    `# Delivery report: ${state.opened.sprint}`,
    '',
    ...headLines(picture, stop, { wrong, decided }),
    ...section('Known to be wrong', wrong.length > 0 ? wrong : ['Nothing is known.']),
    ...section('Decided for you', decided.length > 0 ? decided : ['Nothing is recorded.']),
    ...sectionWith('What you said', saidLines(state).map(escaped)),
    ...section('How to use it', howToUseLines(state)),
    ...section('Requirements', requirementLines(picture)),
    ...sectionWith('Constraints', constraintLines(state)),
    ...sectionWith('Other verifications', otherLines(picture)),
    ...sectionWith('What the proofs do not see', unseenLines(picture)),
    ...sectionWith('Issues', issueLines(state)),
    ...sectionWith('Tests and checks that were there before', suiteLines(state).map(escaped)),
    ...section('Work', workLines(picture)),
    ...sectionWith('Changes that decide how tests run', notableLines(state)),
    ...sectionWith('Installs', installLines(state)),
    ...sectionWith('Network', networkLines(state)),
    ...section('Judged', judgedLines(picture)),
    ...sectionWith('Assessed on the way', trendLines(state, assessedBefore(state)).map(inWords)),
    ...section('Cost', costLines(picture)),
    ...section(
      'Inputs',
      documentsOf(state).map(({ name, ref }) => `- ${name}, SHA-256 ${ref}`),
    ),
    '',
  ];
  return withoutCommandLinks(lines.join('\n'));
}

function constraintLines({ work }: State): string[] {
  const lines = work.constraints.map(({ title, line }) => `- PRD.md:${line}: ${oneLine(title)}`);
  return lines.length === 0
    ? []
    : ['Every agent was told to build and judge by these. No verification proves them, so look at them yourself:', '', ...lines];
}

function section(title: string, lines: string[]): string[] {
  return ['', `## ${title}`, '', ...(lines.length > 0 ? lines : ['Nothing.'])];
}

/** A section that is left out where it has nothing to say. */
function sectionWith(title: string, lines: string[]): string[] {
  return lines.length > 0 ? section(title, lines) : [];
}

/** Each requirement with every verification of it, how strong its proof is, and its tasks. */
function requirementLines(picture: Picture): string[] {
  const { state, requirements } = picture;
  const told = new Set<string>();
  const above = promisesInHead(picture).map(({ id }) => id);
  const lines = requirements.map((one) => {
    const { id } = one.requirement;
    const title = above.includes(id) ? firstWords(one.requirement.title, longestTitle) : one.requirement.title;
    const proof = one.provenBy ? [] : [`  - Not proven: ${inWords(whyNotProven(state, id))}`];
    const covers = coverLines(state, one, told);
    return [`- [${one.provenBy ? 'x' : ' '}] **${id}** ${title}`, ...proof, ...covers, ...tasksFor(picture, id)].join('\n');
  });
  const explained = requirements.some(({ strength }) => strength) ? [strengthMeaning, ''] : [];
  return [...explained, ...lines, ...descopedLines(state)];
}

const strengthMeaning =
  'How much a proof notices was measured: small faults were put into the work, one at a time, and the verifications that reach them ran again. _Strong_: three faults or more, and nearly all of them were noticed. _Fair_: more than half were noticed (small faults, and those in code that others use too, count less), or fewer than three could be tried, or the proof is about a text. _Weak_: so many went unnoticed that the requirement may be broken and nobody sees it. _Judged_: no command can tell it, so an agent that used the work did.';

/** @param told ids of those of which all was said under an earlier requirement */
function coverLines(state: State, { verifications, provenBy, strength }: CoveredRequirement, told: Set<string>): string[] {
  const lines = verifications.map((one) => {
    const { verification } = one;
    if (verification.kind !== 'criterion') {
      const isFirst = !told.has(verification.id);
      told.add(verification.id);
      return isFirst ? verificationLines(state, one, '  ') : `  - ${link(state, verification)}: ${coverWords(one)}`;
    }
    const met = verification.id === provenBy?.id ? 'judged met' : 'criterion';
    return `  - ${link(state, verification)}: ${[met, inWords(criterionEvidence(state, verification.id))].filter(Boolean).join(', ')}`;
  });
  return [...lines, ...(strength ? [`  - Strength: ${literally(strengthLine(askedOf(state, strength)))}`] : [])];
}

/** What would make a proof strong is said where somebody asked for that, or has to do something about it. */
function askedOf({ config }: State, strength: Strength): Strength {
  return strength.level === 'weak' || config.evidence === 'strong' ? strength : { ...strength, stronger: '' };
}

/** `passed, trusted`, or how it stands and what its proof lacks. */
function coverWords(one: StandingVerification): string {
  if (one.isProven) return 'passed, trusted';
  if (one.status !== 'passed') return standingWords(one);
  if (!one.trust.trusted) return 'passed, not trusted';
  const { runs, current } = one;
  const clean = runs.findLast((run) => run.where === 'clean' && run.verdict !== 'none' && isLike(run, current));
  if (!clean) return 'passed, not run in a clean checkout yet';
  return clean.verdict === 'green' ? 'passed, its control has no result' : `passed, ${clean.verdict} in a clean checkout`;
}

/** Of the same script, on the same tree. */
function isLike(one: Run, other: Run | undefined): boolean {
  return one.script === other?.script && one.code === other.code;
}

/** What stands deep is what a command printed: code already. */
function issueLines(state: State): string[] {
  const lines = (renderIssues(state) ?? '')
    .trim()
    .replace(/^# .*\n+/, '')
    .replaceAll(/^## /gm, '### ');
  return lines === '' ? [] : lines.split('\n').map((line) => (line.startsWith('      ') ? line : escaped(line)));
}

/** Of a weak one all: who reads why it does not count may add to what sees it. What is no fault stands with the requirement. */
function unseenLines(picture: Picture): string[] {
  const { requirements } = picture;
  const told = withoutOthers(picture).map((one, n) => (one.strength?.level === 'weak' ? (requirements[n] ?? one) : one));
  const lines = blindSpots(told.filter(({ strength }) => strength && strength.unseen.length > 0));
  return lines.length === 0 ? [] : [unseenMeaning, '', ...lines.map(literally)];
}

const unseenMeaning =
  'Each line names requirements, and one small fault that was put into the work and that no verification of theirs which met it noticed: what stood there then, for what stands there now. Some of them change nothing for a user. Those of another requirement may notice it; where a proof is not weak, lines in which one saw a fault are left out.';

/** A link to the script or the criterion's text, where that is committed beside the report. */
function link(state: State, { id, ext }: Verification): string {
  return brokenByVerifications(state).length > 0 ? asCode(id) : `[${id}](verifications/${id}.${ext})`;
}

function tasksFor({ tasks }: Picture, id: string): string[] {
  const own = tasks.filter(({ task }) => task.prdSection.includes(id));
  return own.length === 0 ? [] : [`  - Tasks: ${own.map(({ task, status }) => `${task.id} (${taskWords[status]})`).join(', ')}`];
}

/** Those that are said under no requirement. */
function otherLines({ state, live, requirements }: Picture): string[] {
  const covering = new Set(requirements.flatMap(({ verifications }) => verifications.map(({ verification }) => verification.id)));
  return live
    .filter(({ verification }) => isRunnable(verification) && !covering.has(verification.id))
    .map((one) => verificationLines(state, one, ''));
}

/** With a line below it where it was written again. */
function verificationLines(state: State, one: StandingVerification, indent: string): string {
  const again = one.verification.kind === 'script' ? rewriteWords(state, one.verification) : '';
  return [`${indent}- ${verificationLine(state, one)}`, ...(again === '' ? [] : [`${indent}  - ${inWords(again)}`])].join('\n');
}

/** What it shows, its standing on the final tree, and why it is trusted; where it is not green there, also when it last was. */
function verificationLine(state: State, one: StandingVerification): string {
  const { verification, status, lastGreen, trust } = one;
  const own = verification.kind === 'script' ? coverWords(one) : standingWords(one);
  const words = status === 'passed' ? own : `${own}; ${lastGreen}`;
  const why = status === 'passed' && verification.kind === 'script' ? `: ${inWords(trust.why)}` : '';
  return `${link(state, verification)}, ${inWords(verification.title)} (${words}${why})${editNote(one)}`;
}

/** Whether the person wrote the verification, and which edit of it waits for their answer. */
function editNote({ verification, edit }: StandingVerification): string {
  const whose = isPersons(verification) ? `. ${personWrote}` : '';
  return edit ? `${whose.replace(/\.$/, '')}. An edit of it waits for your word, and did not run: ${edit.kept}` : whose;
}

function criterionEvidence(state: State, id: string): string {
  return finalOf(state).evaluation?.criteria.find(({ verification }) => verification === id)?.evidence ?? '';
}

function workLines({ state: { work, ledger, opened }, tasks: all }: Picture): string[] {
  const tasks = all.map(({ task, status }) => `- ${task.id} (${taskWords[status]}): ${inWords(titleOf(task))}`);
  const commits = work.tree.commits
    .filter(({ files }) => files.length > 0)
    .map(({ commit, author, files }) => {
      const what = author.kind === 'task' ? author.task : `fix ${author.verification}`;
      return `- \`${commit.slice(0, 10)}\` ${what}: ${files.map((f) => asCode(f.path)).join(', ')}`;
    });
  const humanActions = Object.values(ledger.humanActions).flatMap((p) => [
    `- You: ${inWords(p.action)} (${p.status === 'not-needed' ? 'not needed any more' : p.status})`,
    ...(isUnresolved(p) ? askWords(p, undefined).slice(1) : []),
  ]);
  const services = Object.entries(ledger.started).map(
    ([name, { ours, why }]) =>
      `- Service ${name} in Docker: ${ours ? 'started by Loop' : `not started by Loop, ${inWords(why).replace(/\.$/, '')}`}`,
  );
  return [
    `Branch \`${opened.branch}\`, from \`${opened.base.commit.slice(0, 10)}\`.`,
    '',
    ...tasks,
    ...humanActions,
    ...services,
    ...(commits.length > 0 ? ['', ...commits] : []),
  ];
}

function judgedLines({ state, verifications }: Picture): string[] {
  const { clean, vrc, evaluation } = finalOf(state);
  const lines = state.ledger.assessments.evaluations
    .filter((e) => e.scope === 'work')
    .flatMap((e) => evaluationLines(`Used as its user would, after ${counted(e.code, 'change')}`, e));
  lines.unshift(...planReviewLines(state));
  if (clean) lines.push(cleanLine(clean));
  if (vrc) {
    // In a small sprint one mind does both, and says it once.
    const words = vrc.summary === evaluation?.summary ? '' : ` ${inWords(vrc.summary)}`;
    lines.push(
      `- Assessment of the final tree: ${vrc.valueScore.toFixed(2)}, ${vrc.recommendation}${vrc.fallback ? ', without an answer' : ''}.${words}`,
    );
  }
  // Gaps and findings of the final tree stand at the top, as known to be wrong.
  if (evaluation) lines.push(...evaluationLines('Evaluation as its user', { ...evaluation, findings: [] }));
  return [...lines, ...verifications.flatMap(flakeLine)];
}

/** Without the last one, which is shown as the judgement. */
function assessedBefore(state: State): Vrc[] {
  const { vrc } = finalOf(state);
  return state.ledger.assessments.vrcs.filter((one) => one !== vrc);
}

function evaluationLines(what: string, { fallback, summary, findings }: Evaluation): string[] {
  const findingLines = findings.map((f) => `  - ${f.severity}: ${inWords(f.description)} (${inWords(f.userImpact)})`);
  return [`- ${what}${fallback ? ', without an answer' : ''}: ${inWords(summary)}`, ...findingLines];
}

function cleanLine({ green, red, flaky, why }: CleanResult): string {
  return `- Clean checkout of the final tree: ${green.length} green, ${red.length} red, ${flaky.length} flaky${why === '' ? '' : `; ${inWords(why)}`}.`;
}

/** A flake is reported even when the verification was green when it ran again. */
function flakeLine({ verification: { id, script }, runs, status }: StandingVerification): string[] {
  const flakes = runs.filter((run) => run.script === script && run.verdict === 'flaky');
  if (flakes.length === 0) return [];
  const now = status === 'passed' ? '; green when it ran again' : '';
  return [`- ${id} is flaky: it was red, then green on the same tree (attempt ${flakes.map((run) => run.n).join(', ')})${now}.`];
}

function costLines({ state: { ledger }, costs }: Picture): string[] {
  const { spend, budget } = ledger;
  const burned = spentOf(ledger, tank('sprint'));
  return [
    `- ${burned} of ${ledger.sizes.sprint ?? 0} decisions, ${counted(ledger.resumes, 'resume')}: ${decisionWords(ledger)}`,
    `- ${grouped(tokensOf(spend))} tokens of ${grouped(budget.tokens)} (${grouped(spend.cacheRead)} from cache), ${moneyWords(spend)}${spend.unpriced === undefined ? ` of $${budget.usd.toFixed(2)}` : ''}`,
    `- ran for ${hoursWords(hoursOf(ledger.ran))} of ${hoursWords(budget.hours)}; time in which it waited for you is not in it`,
    ...listed(
      'By kind of work',
      costs.steps.map(({ of, spend: s }) => `${actionWords[of]}: ${spendWords(s)}`),
    ),
    ...listed(
      'By role',
      costs.roles.map(({ of, spend: s }) => `${of}: ${spendWords(s)}`),
    ),
    ...listed(
      'By phase and task, their builders alone (mending and judging serve several tasks)',
      costs.phases.flatMap(({ of, spend: s, tasks }) => [
        `${inWords(of) || 'Tasks'}: ${spendWords(s)}`,
        ...tasks.map((task) => `  - ${task.of.id} ${inWords(titleOf(task.of))}: ${spendWords(task.spend)}`),
      ]),
    ),
  ];
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`- ${title}:`, ...lines.map((line) => (line.startsWith(' ') ? `  ${line}` : `  - ${line}`))];
}

function spendWords(spend: Spend): string {
  return `${grouped(tokensOf(spend))} tokens, ${moneyWords(spend)}`;
}

/** `about $0.41`, or that no price is known. */
function moneyWords({ usd, unpriced = 0 }: Spend): string {
  if (unpriced === 0) return `about $${usd.toFixed(2)}`;
  return usd === 0 ? 'no price is known' : `about $${usd.toFixed(2)} and ${grouped(unpriced)} tokens without a known price`;
}

/** `1,234,567`. */
function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** `5 × Keeping or undoing the last change, 4 × Building`: most often first. */
function decisionWords({ decisions }: State['ledger']): string {
  const counts = new Map<string, number>();
  for (const { decision } of decisions) counts.set(actionWords[decision.action], (counts.get(actionWords[decision.action]) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([row, count]) => `${count} × ${row}`)
    .join(', ');
}
