/**
 * Impossible sprints: documents that no work satisfies, or a verification that contradicts them. Their replies are written as a mind
 * would write them from the requests alone, so some try honestly, some cheat, and some name what is wrong. None may be delivered,
 * and the ending has to name the contradiction.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Interruption } from '../../src/engine/ground/errors.ts';
import { askWords, isUnresolved } from '../../src/engine/work/human-action.ts';
import type { State } from '../../src/engine/state/state.ts';
import { answerEditAtRest, offerAtRest } from '../../src/host/desk-at-rest.ts';
import { approvesDocuments, approvesPlan, evaluation, planReviewed, type Session } from '../support/greeter.ts';
import { absent, FakePerson } from '../support/person.ts';
import { ground, run, type Ground } from '../support/sprint.ts';
import { runsGreen } from './bare.ts';
import { read, type CaseFile, type Check, type Files } from './case-file.ts';
import type { Outcome } from './play.ts';

export interface Impossible {
  readonly corpus: 'impossible';
  readonly name: string;
  readonly what: string;
  readonly late: boolean;
  /** Words that one sentence of the ending must hold, all of them. */
  readonly names: readonly string[];
  readonly own: CaseFile;
}

export function impossible(name: string): Impossible {
  const own = read('impossible', name);
  const { what = '', names = '', late } = own.head;
  const lacks = [
    ...Object.entries({ what, names }).flatMap(([key, text]) => (text === '' ? [key] : [])),
    ...['PRD.md'].filter((path) => own.files[path] === undefined),
  ];
  if (lacks.length > 0) throw new Error(`impossible/${name}.case lacks ${lacks.join(', ')}`);
  return { corpus: 'impossible', name, what, late: late === 'true', names: names.split('|').map((words) => words.trim()), own };
}

/**
 * What is wrong with a case itself. Over a work named after a verification that one is green, over `right` the requirements hold,
 * over `cheat` all verifications are green; and nothing is ever well altogether. Each verification is green over one of them.
 */
export async function vacuousImpossible({ own }: Impossible): Promise<string[]> {
  const names = [...new Set(Object.keys(own.within('work ')).map((path) => path.split('/')[0] ?? ''))];
  const turnedGreen = new Set<string>();
  const problems = names.map(async (name) => {
    const tree = { ...own.within('base/'), ...own.within(`work ${name}/`) };
    const green = await greensOver(tree, own);
    for (const { path } of green.filter(({ isGreen }) => isGreen)) turnedGreen.add(path);
    const standing = green.filter(({ isReplaced }) => !isReplaced);
    const isAllGreen = standing.every(({ isGreen }) => isGreen);
    const holds = own.files['truth'] === undefined ? isAllGreen : await runsGreen(tree, { ext: 'sh', body: own.files['truth'] });
    const isAsNamed = name === 'right' ? holds : name === 'cheat' ? isAllGreen : standing.find(({ id }) => id === name)?.isGreen;
    if (isAsNamed !== true) return [`the work ${name} is not what its name says`];
    return isAllGreen && holds ? [`the work ${name} does what cannot be done`] : [];
  });
  const found = (await Promise.all(problems)).flat();
  const never = scriptsOf(own).filter(({ path }) => !turnedGreen.has(path));
  return [...found, ...never.map(({ path }) => `no work turns ${path} green`)];
}

/** QC's verifications and those that the person adopts; `isReplaced`: of QC's, one that an adopted one replaces. */
function scriptsOf(own: CaseFile) {
  const adopted = Object.keys(own.within('adopts '));
  return ['qc ', 'adopts '].flatMap((kind) =>
    Object.entries(own.within(kind)).map(([file, body]) => {
      const isReplaced = kind === 'qc ' && adopted.includes(file);
      return { path: `${kind}${file}`, id: withoutExt(file).replace('/', '-'), check: checkOf(file, body), isReplaced };
    }),
  );
}

/** Whether each verification is green over a tree. Its id has a dash for the slash. */
function greensOver(tree: Files, own: CaseFile) {
  return Promise.all(scriptsOf(own).map(async (one) => ({ ...one, isGreen: await runsGreen(tree, one.check) })));
}

/** Milliseconds for one sprint. */
const limit = 300_000;

export async function playImpossible(one: Impossible): Promise<Outcome> {
  const { own, name, names } = one;
  const vision = '# Vision\n\nA person gets what the requirements say, and can rely upon it.\n';
  const documents = { 'sprint/VISION.md': own.files['VISION.md'] ?? vision, 'sprint/PRD.md': own.files['PRD.md'] ?? '' };
  const at = await ground([], { ...own.within('base/'), ...documents });
  try {
    const sessions = sessionsOf(own);
    for (const [path, text] of Object.entries(own.within('adopts '))) await adopt(at, sessions, own, { path, text });
    const { state, ending } = await run(at, sessions, optionsOf(own));
    const sentences = [...ending.reasons, ...askedOf(state)];
    const naming = sentences.filter((words) => names.every((part) => words.includes(part)));
    const named = naming.length > 0;
    return { name, stop: ending.stop, counted: ending.stop === 'delivered', named, why: named ? naming : ['not named', ...sentences] };
  } finally {
    await at.dispose();
  }
}

/** What the sprint waits for, as `loop run` prints it. */
function askedOf({ ledger, opened }: State): string[] {
  return Object.values(ledger.humanActions)
    .filter(isUnresolved)
    .map((one) => askWords(one, opened.worktree).join(' '));
}

function optionsOf({ head }: CaseFile) {
  return {
    person: head['person'] === 'skips' ? new FakePerson(true, () => 'skip') : absent,
    overrides: { evidence: 'fair' as const, network: 'none' as const, maxFixAttempts: 3, verificationTimeout: 20 },
    signal: AbortSignal.timeout(limit),
  };
}

/** The person puts their own text in the place of QC's before anything is built. */
async function adopt(at: Ground, sessions: Session[], own: CaseFile, { path, text }: { path: string; text: string }): Promise<void> {
  const stopper = new AbortController();
  const stopped = run(at, sessions, {
    ...optionsOf(own),
    signal: stopper.signal,
    onEvent: (event) => {
      if (event.type === 'step.begun' && event.step.kind === 'action' && event.step.decision.action === 'execute') stopper.abort();
    },
  });
  await stopped.catch((error: unknown) => {
    if (!(error instanceof Interruption)) throw error;
  });
  await writeFile(join(at.sprintDir, '.loop', 'verifications', path), text);
  const { edit } = await offerAtRest(at.sprintDir, withoutExt(path));
  await answerEditAtRest(at.sprintDir, withoutExt(path), { text: edit.text, answer: 'adopt' });
}

/** The first session that matches is played, so the idle ones come last. */
function sessionsOf(own: CaseFile): Session[] {
  return [
    discovery(own),
    plan(own),
    planReviewed,
    ...answers(own),
    qc(own),
    evaluated(own),
    ...['fixer', 'qc', 'reasoner', 'researcher', 'builder', 'classifier', 'evaluator'].map(idle),
  ];
}

/** Replies that belong to one purpose; one with `#2` is that of the second attempt alone. */
function answers(own: CaseFile): Session[] {
  const kinds: Record<string, (target: string, text: string) => Session> = {
    builder: (target, text) => ({
      role: 'builder',
      purpose: `execute/${target}`,
      turns: [{ text: said(text), calls: [{ bash: { command: text } }, built(target)] }],
    }),
    asks: (target, text) => ({ role: 'builder', purpose: `execute/${target}`, turns: [{ calls: [asking(target, text)] }] }),
    fixer: (target, text) => ({
      role: 'fixer',
      purpose: `fix/${target}`,
      turns: [{ text: said(text), calls: [{ bash: { command: text } }, fixed(said(text))] }],
    }),
    // Where the claim is refused, the fixer has nothing to mend either.
    doubts: (target, text) => ({
      role: 'fixer',
      purpose: `fix/${target}`,
      turns: [{ calls: [fixed(text, { verification_wrong: { evidence: text } })] }, { calls: [fixed(text)], repeat: true }],
    }),
    upholds: (target, text) => ({
      role: 'qc',
      purpose: `write-verifications/${target}`,
      turns: [{ calls: [{ uphold_verification: { why: text } }] }],
    }),
  };
  const all = Object.entries(kinds).flatMap(([kind, session]) =>
    Object.entries(own.within(`${kind} `)).map(([target, text]) => session(target, text.trim())),
  );
  return [...all.filter(({ purpose }) => purpose.includes('#')), ...all.filter(({ purpose }) => !purpose.includes('#'))];
}

/** What a mind says first stands in the first comment of its script. */
function said(script: string): string {
  return /^# (.+)/m.exec(script)?.[1] ?? 'I do it.';
}

function built(target: string): Record<string, unknown> {
  return { report_task_complete: { task_id: withoutAttempt(target) } };
}

function fixed(words: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { report_fix: { fix_applied: words.slice(0, 200), files_changed: [], reasoning: words, ...more } };
}

function asking(target: string, text: string): Record<string, unknown> {
  const [action, ...rest] = text.split('\n');
  const instructions = rest.join('\n').trim() || action;
  return { request_human_action: { action, instructions, paths: ['decision.md'], blocked_task_id: withoutAttempt(target) } };
}

function discovery(own: CaseFile): Session {
  const discovered = {
    deliverable_type: 'software',
    project_type: 'tool',
    codebase_state: Object.keys(own.within('base/')).length > 0 ? 'brownfield' : 'greenfield',
    value_proofs: ['a person gets what the requirements say'],
    ...yamlOf(own, 'discovered'),
  };
  return {
    role: 'reasoner',
    purpose: 'discovery/',
    turns: [{ calls: [{ report_discovery: discovered }, approvesDocuments(yamlOf(own, 'review'))] }],
  };
}

/** Lines `T1: 1.1 V1` at the top of the case are its tasks. */
function plan({ head }: CaseFile): Session {
  const tasks = Object.entries(head).filter(([key]) => /^T\d+$/.test(key));
  const add = ([id, ids]: [string, string]): Record<string, unknown> => {
    const task = { description: `Do what ${ids} asks for`, value: 'a person needs it', acceptance: 'it does so' };
    return { manage_task: { action: 'add', task_id: id, prd_section: ids.split(/[ ,]+/), ...task } };
  };
  const done = { report_plan_complete: { summary: 'These tasks do it.' } };
  return { role: 'reasoner', purpose: 'plan/', turns: [{ calls: [...tasks.map(add), done, approvesPlan] }] };
}

function qc(own: CaseFile): Session {
  const scripts = Object.entries(own.within('qc ')).map(([path, content]) => ({ write_verification: { path, content } }));
  const criteria = Object.entries(own.within('criterion ')).map(([id, text]) => ({
    write_criterion: { id, why_no_command: 'no command can tell it', ...(parse(text) as object) },
  }));
  const complete = { report_verifications_complete: { summary: 'These verify what the PRD says.' } };
  return { role: 'qc', purpose: 'write-verifications/*', turns: [{ calls: [...scripts, ...criteria, complete], repeat: true }] };
}

/** Without a reply of its own the evaluator sees nothing wrong. */
function evaluated(own: CaseFile): Session {
  const [satisfied] = evaluation.turns.slice(-1);
  if (own.files['evaluation'] === undefined) return { ...evaluation, turns: [{ ...satisfied, repeat: true }] };
  const call = {
    summary:
      'I used it as the person for whom it is made: I ran its command with the inputs that the requirements name and with others of my own.',
    assessment: { value_score: 0.3, recommendation: 'COURSE_CORRECT' },
    ...yamlOf(own, 'evaluation'),
  };
  return { ...evaluation, turns: [{ calls: [{ report_evaluation: call }], repeat: true }] };
}

function yamlOf(own: CaseFile, path: string): Record<string, unknown> {
  return (parse(own.files[path] ?? '{}') ?? {}) as Record<string, unknown>;
}

/** Whatever else it is asked, it does nothing. */
const idle = (role: string): Session => ({ role, purpose: '*', turns: [{ text: 'I do nothing.', repeat: true }] });

function checkOf(path: string, body: string): Check {
  return { ext: path.split('.').at(-1) ?? '', body };
}

function withoutExt(path: string): string {
  return path.replace(/\.\w+$/, '');
}

function withoutAttempt(target: string): string {
  return target.replace(/#\d+$/, '');
}
