/**
 * Prompts are markdown files in `prompts/`, bundled as text (I14). Their front matter names the role, the tools and the
 * tools that end the session. A missing or unused `{{placeholder}}` throws.
 */
import { parse } from 'yaml';
import * as z from 'zod';
import approachRevert from '../../../prompts/approach-revert.md';
import approachRewrite from '../../../prompts/approach-rewrite.md';
import approachSmallest from '../../../prompts/approach-smallest.md';
import approachSmaller from '../../../prompts/approach-smaller.md';
import browser from '../../../prompts/browser.md';
import browserCommand from '../../../prompts/browser-command.md';
import browserFound from '../../../prompts/browser-found.md';
import browserNone from '../../../prompts/browser-none.md';
import chat from '../../../prompts/chat.md';
import closerLook from '../../../prompts/closer-look.md';
import context from '../../../prompts/context.md';
import courseCorrect from '../../../prompts/course-correct.md';
import cutReply from '../../../prompts/cut-reply.md';
import discovery from '../../../prompts/discovery.md';
import discoveryJudges from '../../../prompts/discovery-judges.md';
import evaluation from '../../../prompts/evaluation.md';
import evaluationAssesses from '../../../prompts/evaluation-assesses.md';
import evaluationEarlier from '../../../prompts/evaluation-earlier.md';
import evaluationWays from '../../../prompts/evaluation-ways.md';
import execute from '../../../prompts/execute.md';
import expectedTexts from '../../../prompts/expected-texts.md';
import failedInstalls from '../../../prompts/failed-installs.md';
import firstLook from '../../../prompts/first-look.md';
import fix from '../../../prompts/fix.md';
import handOver from '../../../prompts/hand-over.md';
import handedOver from '../../../prompts/handed-over.md';
import writeHidden from '../../../prompts/write-hidden.md';
import writeVerifications from '../../../prompts/write-verifications.md';
import judgeDocuments from '../../../prompts/judge-documents.md';
import madeTexts from '../../../prompts/made-texts.md';
import network from '../../../prompts/network.md';
import plan from '../../../prompts/plan.md';
import planHealth from '../../../prompts/plan-health.md';
import planJudges from '../../../prompts/plan-judges.md';
import planLenses from '../../../prompts/plan-lenses.md';
import programHistory from '../../../prompts/program-history.md';
import recommend from '../../../prompts/recommend.md';
import reminder from '../../../prompts/reminder.md';
import repositoryTexts from '../../../prompts/repository-texts.md';
import research from '../../../prompts/research.md';
import reviewDocuments from '../../../prompts/review-documents.md';
import reviewOthers from '../../../prompts/review-others.md';
import reviewPlan from '../../../prompts/review-plan.md';
import reviewVerification from '../../../prompts/review-verification.md';
import reviewDeclaration from '../../../prompts/review-declaration.md';
import reviewSuite from '../../../prompts/review-suite.md';
import said from '../../../prompts/said.md';
import serviceFix from '../../../prompts/service-fix.md';
import settled from '../../../prompts/settled.md';
import stage from '../../../prompts/stage.md';
import stageVerification from '../../../prompts/stage-verification.md';
import stageSystem from '../../../prompts/stage-system.md';
import strategy from '../../../prompts/strategy.md';
import system from '../../../prompts/system.md';
import textsToRewrite from '../../../prompts/texts-to-rewrite.md';
import triage from '../../../prompts/triage.md';
import verificationRun from '../../../prompts/verification-run.md';
import vrc from '../../../prompts/vrc.md';
import vrcQuick from '../../../prompts/vrc-quick.md';
import web from '../../../prompts/web.md';
import webNone from '../../../prompts/web-none.md';
import withheld from '../../../prompts/withheld.md';
import { roleNames } from './roles.ts';
import { Bug } from './errors.ts';

const sources = {
  'approach-revert': approachRevert,
  'approach-rewrite': approachRewrite,
  'approach-smaller': approachSmaller,
  'approach-smallest': approachSmallest,
  browser,
  'browser-command': browserCommand,
  'browser-found': browserFound,
  'browser-none': browserNone,
  chat,
  'closer-look': closerLook,
  context,
  'course-correct': courseCorrect,
  'cut-reply': cutReply,
  discovery,
  'discovery-judges': discoveryJudges,
  evaluation,
  'evaluation-assesses': evaluationAssesses,
  'evaluation-earlier': evaluationEarlier,
  'evaluation-ways': evaluationWays,
  execute,
  'expected-texts': expectedTexts,
  'failed-installs': failedInstalls,
  'first-look': firstLook,
  fix,
  'hand-over': handOver,
  'handed-over': handedOver,
  'write-hidden': writeHidden,
  'write-verifications': writeVerifications,
  'judge-documents': judgeDocuments,
  'made-texts': madeTexts,
  network,
  plan,
  'plan-health': planHealth,
  'plan-judges': planJudges,
  'plan-lenses': planLenses,
  'program-history': programHistory,
  recommend,
  reminder,
  'repository-texts': repositoryTexts,
  research,
  'review-documents': reviewDocuments,
  'review-others': reviewOthers,
  'review-plan': reviewPlan,
  'review-verification': reviewVerification,
  'review-declaration': reviewDeclaration,
  'review-suite': reviewSuite,
  said,
  'service-fix': serviceFix,
  settled,
  stage,
  'stage-system': stageSystem,
  'stage-verification': stageVerification,
  strategy,
  system,
  'texts-to-rewrite': textsToRewrite,
  triage,
  'verification-run': verificationRun,
  vrc,
  'vrc-quick': vrcQuick,
  web,
  'web-none': webNone,
  withheld,
};
export type PromptName = keyof typeof sources;

const frontMatter = z.strictObject({
  role: z.enum(roleNames),
  tools: z.array(z.string()),
  ends: z.array(z.string()),
  /** Offers the provider's own search and fetch. */
  web: z.boolean().default(false),
  /** Which of the person's words its session gets: all, or those about the whole sprint and about its own target. Judges get none. */
  hears: z.enum(['none', 'own', 'all']).default('none'),
});
export type Hears = z.infer<typeof frontMatter>['hears'];
export type Prompt = z.infer<typeof frontMatter> & { text: string };

/** A session's prompt with its front matter. */
export function prompt(name: PromptName, values: Readonly<Record<string, string>>): Prompt {
  const { body, ...front } = parsedPrompt(name);
  return { ...front, text: fill(name, body, values) };
}

/** What the front matter of a session's prompt says: its role, the tools that it may call, and those that end it. */
export function frontOf(name: PromptName): Omit<Prompt, 'text'> {
  return parsedPrompt(name);
}

/** Cached, since every session needs one and parsing YAML is slow. */
function parsedPrompt(name: PromptName): z.infer<typeof frontMatter> & { body: string } {
  const known = cache.get(name);
  if (known) return known;
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(sources[name]) ?? [];
  if (!front) throw new Bug(`prompts/${name}.md has no front matter`);
  const parts = { ...frontMatter.parse(parse(front)), body: body.trim() };
  cache.set(name, parts);
  return parts;
}

const cache = new Map<PromptName, z.infer<typeof frontMatter> & { body: string }>();

/** A prompt without front matter. */
export function promptText(name: PromptName, values: Readonly<Record<string, string>> = {}): string {
  return fill(name, sources[name].trim(), values);
}

/** The text under one `## ` heading of a prompt without front matter. */
export function promptSection(name: PromptName, heading: string): string {
  const sections = sources[name].split(/^## /m).map((section) => section.split(/\n([\s\S]*)/));
  const text = sections.find(([title]) => title?.trim() === heading)?.[1];
  if (text === undefined) throw new Bug(`prompts/${name}.md has no section ${heading}`);
  return text.trim();
}

function fill(name: string, text: string, values: Readonly<Record<string, string>>): string {
  const used = new Set<string>();
  const filled = text.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Bug(`prompts/${name}.md wants {{${key}}}`);
    used.add(key);
    return value;
  });
  const unused = Object.keys(values).filter((key) => !used.has(key));
  if (unused.length > 0) throw new Bug(`prompts/${name}.md does not use ${unused.join(', ')}`);
  return filled;
}
