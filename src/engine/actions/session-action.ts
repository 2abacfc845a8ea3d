/**
 * What most actions are: one agent session with one prompt. The stable part (system, tools, Vision, PRD, context) comes first,
 * so that the provider can cache it; what changes comes last.
 */
import { session, type SessionEnd } from '../agents/session.ts';
import { shownTools } from '../agents/shown-tools.ts';
import type { SessionSpec } from '../agents/spec.ts';
import type { Context } from '../context.ts';
import type { Place } from '../work/job.ts';
import { frontOf, prompt, promptText, type PromptName, promptSection } from '../ground/prompts.ts';
import { pieceOf } from '../ground/text.ts';
import { documentsOf } from '../state/documents.ts';
import type { State } from '../state/state.ts';
import { failedInstallsText } from '../judge/install-fault.ts';
import { settledText } from '../render/point-words.ts';
import { toolsNamed } from '../tools/registry.ts';
import type { Fact } from '../work/facts.ts';
import type { Requirement } from '../work/requirement.ts';
import { wayOf } from '../work/way.ts';

type Values = Readonly<Record<string, string>>;

export interface SessionAction extends Pick<SessionSpec, 'goesOn' | 'finished'> {
  prompt: PromptName;
  /** The prompt's placeholders; a function where the session changes what they say, so that it reads after a hand-over how it is then. */
  values: Values | (() => Values | Promise<Values>);
  /** What is said before the prompt. */
  before?: string;
  place?: Place;
}

export async function runSession(context: Context, action: SessionAction): Promise<SessionEnd> {
  const { goesOn, finished } = action;
  const { role, tools, web, ends, hears } = frontOf(action.prompt);
  const { shown, withheld } = shownTools(action.prompt);
  return session(context, {
    role,
    tools: toolsNamed(shown),
    withheld,
    web,
    ends,
    prompt: async () => withKnown(context.state, withCallable(await textOf(action), tools, withheld)),
    purpose: purposeOf(context),
    ...(await systemOf(context)),
    place: action.place ?? 'worktree',
    hears,
    ...(goesOn ? { goesOn } : {}),
    ...(finished ? { finished } : {}),
  });
}

async function textOf({ prompt: name, values, before }: SessionAction): Promise<string> {
  const { text } = prompt(name, typeof values === 'function' ? await values() : values);
  return before === undefined ? text : `${before}\n\n${text}`;
}

/** Facts of a session that ended without its report; `silent` returns the facts that are true then. */
export function unreportedFacts(end: SessionEnd, silent: (why: string) => Fact[]): Fact[] {
  if (end.end === 'reported') return [];
  return end.end === 'budget'
    ? [...silent('the budget was reached'), ...end.facts]
    : silent(`The session ended without its report: ${end.why}`);
}

/** `<action>/<target>#<attempt>`; the attempt counts this row's decisions for this target. */
export function purposeOf({ state, open }: Context): string {
  const { action, target } = open.decision;
  const attempt = state.ledger.decisions.filter((d) => d.decision.action === action && d.decision.target === target).length;
  return `${action}/${target}#${attempt}`;
}

/** Value proofs stand with the context, so that the first part is the same before and after discovery. */
async function systemOf({ state, ports }: Context): Promise<Pick<SessionSpec, 'system' | 'context'>> {
  const documents = await Promise.all(
    documentsOf(state).map(async ({ name, ref }) => `<document name="${name}">\n${await ports.payloads.get(ref)}\n</document>`),
  );
  const { requirements } = state.work;
  const system = promptText('system', {
    network: networkText(state),
    documents: documents.join('\n\n'),
    requirements: numberList(requirements.filter(({ line }) => line > 0)),
    constraints: constraintList(state),
  });
  const context = contextText(state);
  const proofs = listOf(requirements.filter(({ line }) => line === 0));
  if (context === undefined) return { system };
  const makesPages = wayOf(state.work.context) === 'web_app' || documents.some((text) => /\b(HTML|web ?page|browser)\b/i.test(text));
  const hasPages = makesPages && ports.browser.problem() === undefined;
  const parts = [promptText('context', { context, proofs }), ...(hasPages ? [promptText('browser-command')] : [])];
  return { system, context: parts.join('\n\n') };
}

/** What is settled, and which installs fail. Not in the system prompt: each change would make a new prefix of it for all later sessions. */
function withKnown(state: State, text: string): string {
  const settled = settledText(state);
  const installs = failedInstallsText(state);
  const known = [
    ...(settled === '' ? [] : [promptText('settled', { settled })]),
    ...(installs === '' ? [] : [promptText('failed-installs', { installs })]),
  ];
  return [...known, text].join('\n\n');
}

/** Who is shown more tools than it may call is told which are its own. */
function withCallable(text: string, own: readonly string[], withheld: readonly string[]): string {
  if (withheld.length === 0) return text;
  return `${text}\n\n${promptText('withheld', { callable: own.map((name) => `\`${name}\``).join(', ') })}`;
}

/** What commands may reach, in a sentence or two. */
export function networkText({ config: { network, allowedHosts } }: State): string {
  const also =
    network === 'registries' && allowedHosts.length > 0 ? ` ${promptSection('network', 'also')} ${allowedHosts.join(', ')}.` : '';
  return promptSection('network', network) + also;
}

/** Characters of a requirement in the list of their numbers: its whole text stands in PRD.md, above it. */
const listed = 60;

function numberList(requirements: readonly Requirement[]): string {
  const beginning = (title: string): string => {
    const blank = title.lastIndexOf(' ', listed);
    return title.length <= listed ? title : `${pieceOf(title, 0, blank > 0 ? blank : listed)} …`;
  };
  return requirements.map(({ id, title, line }) => `- ${id} (line ${line}): ${beginning(title)}`).join('\n');
}

function listOf(requirements: readonly Requirement[]): string {
  return requirements.map(({ id, title }) => `- ${id}: ${title}`).join('\n');
}

function constraintList({ work }: State): string {
  return work.constraints.map(({ title, line }) => `- PRD.md:${line}: ${title}`).join('\n') || 'None besides what the documents say.';
}

/**
 * Value proofs stand among the requirements. Open questions are told to who reviews the documents, and what became of them to all
 * others; only a sprint without that review has them here.
 */
function contextText({ work, ledger }: State): string | undefined {
  if (!work.context) return undefined;
  const { valueProofs: _listed, unresolvedQuestions, ...context } = work.context;
  const isReviewed = (ledger.sizes.documents ?? 0) > 0;
  return JSON.stringify(isReviewed ? context : { ...context, unresolvedQuestions }, null, 2);
}
