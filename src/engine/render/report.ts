/** DELIVERY_REPORT.md: what is delivered with its evidence, what is not and why, and what it cost. A rendering (I1). */
import { ending, finalOf, type CleanResult } from '../judge/ending.ts';
import { strengthLevels, type Strength } from '../judge/strength.ts';
import { pictureOf, type CoveredRequirement, type Picture } from '../picture/picture.ts';
import type { StandingVerification } from '../picture/verifications.ts';
import { decisionLines } from './decisions.ts';
import { howToUseLines } from './how-to-use.ts';
import { installLines } from './install-words.ts';
import { renderIssues } from './issues.ts';
import { standingWords } from './standing.ts';
import { trend } from './trend.ts';
import { strengthWords } from './trust-words.ts';
import { suiteLines } from './suite-words.ts';
import { notableLines } from './notable-words.ts';
import { networkLines } from './traffic-words.ts';
import { spentOf, tank } from '../state/fuel.ts';
import type { State, Stop } from '../state/state.ts';
import { personWrote } from './words.ts';
import { counted } from '../ground/text.ts';
import type { Evaluation } from '../work/assessment.ts';
import { isPersons, isRunnable, type Verification } from '../work/verification.ts';
import { askWords, isUnresolved } from '../work/human-action.ts';
import { tokensOf } from '../work/spend.ts';

const headlines: Record<Stop, string> = {
  delivered:
    'Delivered. Every requirement is covered by a trusted verification that is green on the final tree, or by a criterion that was judged met.',
  partial: 'Not delivered, but part of it is proven.',
  failed: 'Not delivered: nothing is proven.',
  waiting: 'Waiting: it can go on once what is listed below is there.',
  'out-of-budget': 'Stopped at the budget.',
};

export function renderReport(state: State): string {
  const picture = pictureOf(state);
  const { stop, reasons } = ending(state, picture.requirements);
  const issues = renderIssues(state);
  const suites = suiteLines(state);
  const decisions = decisionLines(state);
  const network = networkLines(state);
  const notable = notableLines(state);
  const installs = installLines(state);
  const missing =
    reasons.length > 0
      ? section(
          'What is not delivered, and why',
          reasons.map((r) => `- ${r}`),
        )
      : [];
  return [
    `# Delivery report: ${state.opened.sprint}`,
    '',
    headline(picture, stop),
    ...evidenceLine(picture),
    ...section('Requirements', requirementLines(picture)),
    ...missing,
    ...section('How to use it', howToUseLines(state)),
    ...section('Verifications', verificationLines(picture)),
    ...(issues === undefined
      ? []
      : [
          '',
          issues
            .trim()
            .replace(/^# .*$/m, '## Issues')
            .replaceAll(/^## (?!Issues)/gm, '### '),
        ]),
    ...(suites.length > 0 ? section('Tests that were there before', suites) : []),
    ...section('Work', workLines(state)),
    ...(notable.length > 0 ? section('Changes that decide how tests run', notable) : []),
    ...(installs.length > 0 ? section('Installs', installs) : []),
    ...(network.length > 0 ? section('Network', network) : []),
    ...section('Decisions on the way', decisions.length > 0 ? decisions : ['None: it went as planned.']),
    ...section('Judged', judgedLines(picture)),
    ...section('Value over time', [trend(state)]),
    ...section('Cost', costLines(state)),
    ...section(
      'Inputs',
      state.opened.inputs.map(({ name, ref }) => `- ${name}, SHA-256 ${ref}`),
    ),
    '',
  ].join('\n');
}

function headline({ requirements: all }: Picture, stop: Stop): string {
  if (stop === 'delivered') return headlines[stop];
  return `${headlines[stop]} ${all.filter(({ provenBy }) => provenBy).length} of ${counted(all.length, 'requirement')} and value proofs are proven on the tree as it is.`;
}

/** How much all proofs see, and what the weakest of them do not. */
function evidenceLine({ requirements }: Picture): string[] {
  const measured = requirements.flatMap(({ requirement, strength }) => (strength ? [{ id: requirement.id, strength }] : []));
  if (measured.length === 0) return [];
  const counts = strengthLevels
    .toReversed()
    .map((level) => ({ level, count: measured.filter(({ strength }) => strength.level === level).length }))
    .filter(({ count }) => count > 0)
    .map(({ level, count }) => `${count} ${level}`);
  const weak = measured.filter(({ strength }) => strength.level === 'weak').map(({ id, strength }) => `${id}: ${strength.why}`);
  return ['', `Strength of the proofs: ${counts.join(', ')}${weak.length > 0 ? `. ${weak.join('; ')}` : ''}.`];
}

function section(title: string, lines: string[]): string[] {
  return ['', `## ${title}`, '', ...(lines.length > 0 ? lines : ['Nothing.'])];
}

/** Each requirement with its tasks, what verifies it, and the evidence. */
function requirementLines({ state, requirements }: Picture): string[] {
  return requirements.map((one) => {
    const { id, title } = one.requirement;
    const proof = one.verifications.find(({ verification }) => verification.id === one.provenBy?.id);
    const evidence = proof ? evidenceWords(state, proof, one.strength) : candidateWords(one);
    return [`- [${proof ? 'x' : ' '}] **${id}** ${title}`, `  - ${evidence}`, ...taskWords(state, id)].join('\n');
  });
}

function evidenceWords(state: State, { verification, trust }: StandingVerification, strength: Strength | undefined): string {
  return verification.kind === 'criterion'
    ? `criterion ${link(verification)}: ${criterionEvidence(state, verification.id)}`
    : `${link(verification)}, green in a clean checkout; ${trust.why}${strength ? `; ${strengthWords(strength)}` : ''}`;
}

function candidateWords({ verifications }: CoveredRequirement): string {
  if (verifications.length === 0) return 'nothing verifies it';
  return `not proven by ${verifications.map(({ verification }) => link(verification)).join(', ')}`;
}

/** A link to the script or the criterion's text, which is committed beside the report. */
function link({ id, ext }: Verification): string {
  return `[${id}](verifications/${id}.${ext})`;
}

function taskWords({ work }: State, id: string): string[] {
  const tasks = Object.values(work.tasks).filter((t) => t.prdSection.includes(id));
  return tasks.length === 0 ? [] : [`  - Tasks: ${tasks.map((t) => `${t.id} (${t.status})`).join(', ')}`];
}

/** Each verification with its standing on the final tree; where it is not green there, also when it last was. */
function verificationLines({ live }: Picture): string[] {
  return live
    .filter(({ verification }) => isRunnable(verification))
    .map((one) => {
      const { verification, status, lastGreen } = one;
      const words = status === 'passed' ? standingWords(one) : `${standingWords(one)}; ${lastGreen}`;
      return `- ${link(verification)}, ${verification.title}: ${words}${editNote(one)}`;
    });
}

/** Whether the person wrote the verification, and which edit of it waits for their answer. */
function editNote({ verification, edit }: StandingVerification): string {
  const whose = isPersons(verification) ? `. ${personWrote}` : '';
  return edit ? `${whose.replace(/\.$/, '')}. An edit of it waits for your word, and did not run: ${edit.kept}` : whose;
}

function criterionEvidence(state: State, id: string): string {
  return finalOf(state).evaluation?.criteria.find(({ verification }) => verification === id)?.evidence ?? '';
}

function workLines({ work, ledger, opened }: State): string[] {
  const tasks = Object.values(work.tasks).map((t) => `- ${t.id} (${t.status}): ${t.description}`);
  const commits = work.tree.commits
    .filter(({ files }) => files.length > 0)
    .map(({ commit, author, files }) => {
      const what = author.kind === 'task' ? author.task : `fix ${author.verification}`;
      return `- \`${commit.slice(0, 10)}\` ${what}: ${files.map((f) => f.path).join(', ')}`;
    });
  const humanActions = Object.values(ledger.humanActions).flatMap((p) => [
    `- You: ${p.action} (${p.status === 'not-needed' ? 'not needed any more' : p.status})`,
    ...(isUnresolved(p) ? askWords(p, undefined).slice(1) : []),
  ]);
  const services = Object.entries(ledger.started).map(
    ([name, { ours, why }]) =>
      `- Service ${name} in Docker: ${ours ? 'started by Loop' : `not started by Loop, ${why.replace(/\.$/, '')}`}`,
  );
  const notes = ledger.notes.map((note) => `- Missing, though nothing waited for it: ${note}`);
  return [
    `Branch \`${opened.branch}\`, from \`${opened.base.commit.slice(0, 10)}\`.`,
    '',
    ...tasks,
    ...humanActions,
    ...services,
    ...notes,
    ...(commits.length > 0 ? ['', ...commits] : []),
  ];
}

function judgedLines({ state, verifications }: Picture): string[] {
  const { clean, vrc, evaluation } = finalOf(state);
  const lines = state.ledger.assessments.evaluations
    .filter((e) => e.scope === 'work')
    .flatMap((e) => evaluationLines(`Used as its user would, after ${counted(e.code, 'change')}`, e));
  if (clean) lines.push(cleanLine(clean));
  if (vrc)
    lines.push(
      `- Assessment of the final tree: ${vrc.valueScore.toFixed(2)}, ${vrc.recommendation}${vrc.fallback ? ' (fallback)' : ''}. ${vrc.summary}`,
      ...vrc.gaps.map((gap) => `  - ${gap.severity}: ${gap.description}`),
    );
  if (evaluation) lines.push(...evaluationLines('Evaluation as its user', evaluation));
  return [...lines, ...verifications.flatMap(flakeLine)];
}

function evaluationLines(what: string, { fallback, summary, findings }: Evaluation): string[] {
  const findingLines = findings.map((f) => `  - ${f.severity}: ${f.description} (${f.userImpact})`);
  return [`- ${what}${fallback ? ' (fallback)' : ''}: ${summary}`, ...findingLines];
}

function cleanLine({ green, red, flaky, why }: CleanResult): string {
  return `- Clean checkout of the final tree: ${green.length} green, ${red.length} red, ${flaky.length} flaky${why === '' ? '' : `; ${why}`}.`;
}

/** A flake is reported even when the verification was green when it ran again. */
function flakeLine({ verification: { id, script }, runs, status }: StandingVerification): string[] {
  const flakes = runs.filter((run) => run.script === script && run.verdict === 'flaky');
  if (flakes.length === 0) return [];
  const now = status === 'passed' ? '; green when it ran again' : '';
  return [`- ${id} is flaky: it was red, then green on the same tree (attempt ${flakes.map((run) => run.n).join(', ')})${now}.`];
}

function costLines({ ledger }: State): string[] {
  const { spend, budget } = ledger;
  const burned = spentOf(ledger, tank('sprint'));
  return [
    `- ${burned} of ${ledger.sizes.sprint ?? 0} decisions, ${counted(ledger.resumes, 'resume')}: ${decisionWords(ledger)}`,
    `- ${grouped(tokensOf(spend))} tokens of ${grouped(budget.tokens)} (${grouped(spend.cacheRead)} from cache), about $${spend.usd.toFixed(2)} of $${budget.usd.toFixed(2)}`,
    ...Object.entries(ledger.spendByRole).map(([role, s]) => `  - ${role}: ${grouped(tokensOf(s))} tokens, about $${s.usd.toFixed(2)}`),
  ];
}

/** `1,234,567`. */
function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** `4 run-verifications, 3 execute`: by row, most often first. */
function decisionWords({ decisions }: State['ledger']): string {
  const counts = new Map<string, number>();
  for (const { decision } of decisions) counts.set(decision.action, (counts.get(decision.action) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([row, count]) => `${count} ${row}`)
    .join(', ');
}
