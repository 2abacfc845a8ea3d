/**
 * Judges verifications from `test/fixtures/verifications` in real sprints, on one of the small works in `test/fixtures/work`.
 * A work is a PRD, the files that exist before (`base`), and a task for each requirement that writes files (`T1`, `T2` …).
 */
import { strengthOf } from '../../src/engine/judge/strength.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { State } from '../../src/engine/state/state.ts';
import { proofsOf, runsOf } from '../../src/engine/judge/trust.ts';
import type { Verification } from '../../src/engine/work/verification.ts';
import { approvesDocuments, approvesPlan, build, type Session, withSessions, writeVerifications } from './greeter.ts';
import { ground, run, type Ground } from './sprint.ts';

const fixtures = 'test/fixtures';
export type WorkName = 'greenfield' | 'existing';

/** `<kind>/<name>.<ext>` of every stored verification of a kind. */
export function verificationFiles(kind: 'gamed' | 'honest'): string[] {
  return readdirSync(join(fixtures, 'verifications', kind)).map((name) => `${kind}/${name}`);
}

/** Plays the whole sprint in which these verifications are written for this work, and no fixer fixes anything. */
export async function judged(
  work: WorkName,
  paths: readonly string[],
  evidence: 'any' | 'fair',
): Promise<{ at: Ground; state: State; stop: string }> {
  const at = await ground([], { ...filesIn(join(fixtures, 'work', work, 'base')), 'sprint/PRD.md': prdOf(work) });
  const { state, ending } = await run(at, sessionsOf(work, paths), { overrides: { evidence } });
  return { at, state, stop: ending.stop };
}

/**
 * Why a verification is not trusted, from the engine's records. `says RED when green`: it prints its RED text on a green run.
 * `reads`: it tests the text, and stays green where only the work's text is left. `elsewhere`: it is red though the work
 * behaves the same. `not red`: no proof turned it red. `weak`: it can fail, and sees hardly any fault.
 */
export function refusalOf(state: State, verification: Verification): string {
  if (strengthOf(state, verification)?.level === 'weak') return 'weak';
  const runs = runsOf(state, verification);
  if (runs.some((r) => r.verdict === 'green' && r.redSeen)) return 'says RED when green';
  const proofs = proofsOf(state, verification).map((p) => `${p.kind} ${p.outcome}`);
  if (proofs.at(-1) === 'control not-red') return runs.findLast((r) => r.where === 'revert')?.verdict === 'green' ? 'reads' : 'elsewhere';
  return proofs.length > 1 && proofs.at(-1)?.endsWith(' red') === false ? 'not red' : `none: ${proofs.join(', ')}`;
}

function sessionsOf(work: WorkName, paths: readonly string[]): Session[] {
  const tasks = requirementsOf(work);
  const written = paths.map((path) => ({
    write_verification: { path, content: readFileSync(join(fixtures, 'verifications', path), 'utf8') },
  }));
  return withSessions(
    discovery(work),
    {
      role: 'reasoner',
      purpose: 'plan/',
      turns: [{ calls: [...tasks.map(planned), { report_plan_complete: { summary: 'One task for each requirement.' } }, approvesPlan] }],
    },
    writeVerifications(...written),
    ...tasks.map(({ id }) =>
      build(id, ...Object.entries(filesIn(join(fixtures, 'work', work, id))).map(([path, content]) => ({ write_file: { path, content } }))),
    ),
    { role: 'fixer', purpose: 'fix/*', turns: [{ text: 'I mend nothing.', repeat: true }] },
  );
}

function discovery(work: WorkName): Session {
  const discovered = {
    deliverable_type: 'software',
    project_type: 'scripts',
    codebase_state: work === 'greenfield' ? 'greenfield' : 'brownfield',
    value_proofs: ['what a person gives to the first script comes back as they need it'],
  };
  return { role: 'reasoner', purpose: 'discovery/', turns: [{ calls: [{ report_discovery: discovered }, approvesDocuments()] }] };
}

interface Requirement {
  /** The id of its task. */
  id: string;
  number: string;
  text: string;
}

function requirementsOf(work: WorkName): Requirement[] {
  return [...prdOf(work).matchAll(/^(\d\.\d) (.*)$/gm)].map(([, number = '', text = ''], i) => ({
    id: `T${i + 1}`,
    number,
    text,
  }));
}

function planned({ id, number, text }: Requirement) {
  const task = {
    task_id: id,
    description: text,
    value: 'a person needs it',
    acceptance: 'it does so',
    prd_section: id === 'T1' ? [number, 'V1'] : [number],
  };
  return { manage_task: { action: 'add', ...task } };
}

function prdOf(work: WorkName): string {
  return readFileSync(join(fixtures, 'work', work, 'PRD.md'), 'utf8');
}

function filesIn(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
