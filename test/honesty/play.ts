/** Plays whole real sprints over cases, with dumb agents: nobody mends anything, and everybody says that all is well. */
import { isCounted } from '../../src/engine/judge/ending.ts';
import { faultWords } from '../../src/engine/judge/fault-words.ts';
import { shortOfEvidence, strengthFor, strengthOf } from '../../src/engine/judge/strength.ts';
import type { StrengthLevel } from '../../src/engine/judge/strength-level.ts';
import { trustOf } from '../../src/engine/judge/trust.ts';
import type { State } from '../../src/engine/state/state.ts';
import { approvesDocuments, approvesPlan, build, evaluation, type Session, withSessions, writeVerifications } from '../support/greeter.ts';
import { FakePerson } from '../support/person.ts';
import { ground, run } from '../support/sprint.ts';
import { truthOfBranch } from './bare.ts';
import { isHonest, type Case, type Check } from './case-file.ts';
import { prdOf, redText } from './words.ts';

/** What came out for one case. */
export interface Outcome {
  name: string;
  /** How the sprint ended. */
  stop: string;
  /** Whether each of its requirements counts as proven. */
  counted: boolean;
  /** How strong the proof of its first requirement is; absent where nobody measured it. */
  level?: StrengthLevel | undefined;
  /** Whether the case's truth holds over what was delivered; only of honest work. */
  holds?: boolean | undefined;
  /** Whether the ending names the contradiction; only of an impossible sprint. */
  named?: boolean;
  /** By what each of its verifications counts, or why it does not. */
  why: string[];
}

/** Plays one sprint of cases that share their work: each check has a requirement of its own. */
export async function play(cases: readonly Case[]): Promise<Outcome[]> {
  const [first] = cases;
  if (!first) return [];
  const checks = cases.flatMap((one) => one.checks.map((check, i) => ({ one, check, id: `${one.corpus}/${idOf(one.name)}-${i + 1}` })));
  const at = await ground([], {
    ...first.base,
    'sprint/VISION.md': '# Vision\n\nA person gets what the requirement says, and can rely upon it.\n',
    'sprint/PRD.md': prdOf(
      first.product,
      checks.map(({ one }) => one.requirement),
    ),
  });
  try {
    const { state, ending } = await run(at, sessionsOf(first, checks), {
      person: new FakePerson(true, () => 'skip'),
      overrides: {
        evidence: 'fair',
        network: 'none',
        maxTaskAttempts: 1,
        maxFixAttempts: 1,
        maxFixesPerSignature: 1,
        verificationTimeout: 20,
      },
      signal: AbortSignal.timeout(limit),
    });
    const holds = await heldIn(first, ending.stop, { repo: at.repo, branch: state.opened.branch });
    return cases.map((one) => {
      const own = checks.flatMap((written, k) => (written.one === one ? [{ id: written.id, requirement: `1.${k + 1}` }] : []));
      return {
        name: one.name,
        stop: ending.stop,
        holds,
        level: strengthFor(state, own[0]?.requirement ?? '')?.level,
        counted: own.every(({ id, requirement }) => isProof(state, id, requirement)),
        why: [
          ...own.map(({ id, requirement }) => `${requirement} ${reasonOf(state, id)}`),
          ...(isHonest(one.corpus) ? ending.reasons : []),
          ...(holds === false ? ['the truth says that what was delivered is broken'] : []),
        ],
      };
    });
  } finally {
    await at.dispose();
  }
}

/** Undefined where nothing honest was delivered, or the case has no truth of its own. */
async function heldIn(one: Case, stop: string, { repo, branch }: { repo: string; branch: string }): Promise<boolean | undefined> {
  if (stop !== 'delivered' || !isHonest(one.corpus) || one.truth === '') return undefined;
  return truthOfBranch(one, repo, branch);
}

/** Milliseconds for one sprint, also on a busy machine. */
const limit = 1_200_000;

/** Counted as evidence on the final tree; another check of the sprint that is red does not hide that. */
function isProof(state: State, id: string, requirement: string): boolean {
  const verification = state.work.verifications[id];
  if (!verification) return false;
  return isCounted(state, verification) && shortOfEvidence(state, requirement) === undefined;
}

function reasonOf(state: State, id: string): string {
  const verification = state.work.verifications[id];
  if (!verification) return 'was never written';
  const verdict = state.work.results[id]?.verdict ?? 'not run';
  if (verdict !== 'green') return verdict;
  const trust = trustOf(state, verification);
  const strength = strengthOf(state, verification);
  const missed = strength?.unseen.map(faultWords).join(', ') ?? '';
  const seen = strength ? `; ${strength.level}: ${strength.seen} of ${strength.reached} faults${missed && `, not ${missed}`}` : '';
  return trust.trusted ? `green, by ${trust.by}${seen}: ${trust.why}` : `green, but not trusted: ${trust.why}`;
}

function idOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-');
}

interface Written {
  check: Check;
  id: string;
}

/** The first session that matches is played, so the idle ones come last. */
function sessionsOf(one: Case, checks: readonly Written[]): Session[] {
  return [...busy(one, checks), ...['fixer', 'qc', 'reasoner', 'researcher', 'builder', 'classifier'].map(idle)];
}

function busy(one: Case, checks: readonly Written[]): Session[] {
  const sections = checks.map((_, i) => `1.${i + 1}`);
  const task = { description: one.requirement.slice(0, 500), value: 'a person needs it', acceptance: 'it does so' };
  return withSessions(
    discovery(one),
    {
      role: 'reasoner',
      purpose: 'plan/',
      turns: [
        {
          calls: [
            { manage_task: { action: 'add', task_id: 'T1', ...task, prd_section: [...sections, 'V1'] } },
            { report_plan_complete: { summary: 'One task does it.' } },
            approvesPlan,
          ],
        },
      ],
    },
    writeVerifications(...checks.map((written, i) => ({ write_verification: scriptOf(one, written, i) }))),
    build(
      'T1',
      ...Object.entries(one.work.files).map(([path, content]) => ({ write_file: { path, content } })),
      ...(one.work.build === '' ? [] : [{ bash: { command: one.work.build } }]),
    ),
    satisfied,
    { ...satisfied, purpose: 'critical-eval/work' },
  );
}

/** Whatever else it is asked, it does nothing. */
const idle = (role: string): Session => ({ role, purpose: '*', turns: [{ text: 'I do nothing.', repeat: true }] });

/** The evaluator sees nothing wrong, so that only the engine can. */
const satisfied: Session = { ...evaluation, turns: evaluation.turns.slice(1) };

function discovery({ base, service }: Case): Session {
  const services = service === '' ? [] : [{ name: 'api', start: { command: service }, ready: { tcp: '$PORT' } }];
  const discovered = {
    deliverable_type: 'software',
    project_type: 'tool',
    codebase_state: Object.keys(base).length > 0 ? 'brownfield' : 'greenfield',
    value_proofs: ['a person gets what the requirement says'],
    services,
  };
  return { role: 'reasoner', purpose: 'discovery/', turns: [{ calls: [{ report_discovery: discovered }, approvesDocuments()] }] };
}

function scriptOf({ what, service }: Case, { check: { ext, body }, id }: Written, index: number): { path: string; content: string } {
  const mark = ext === 'sh' || ext === 'py' ? '#' : '//';
  const header = [
    `TEST: ${what}`,
    `PRD: 1.${index + 1}${index === 0 ? ', V1' : ''}`,
    `RED: ${redText}`,
    ...(service === '' ? [] : ['REQUIRES: api']),
  ].map((line) => `${mark} ${line}\n`);
  const [shebang = ''] = /^#!.*\n/.exec(body) ?? [];
  return { path: `${id}.${ext}`, content: `${shebang}${header.join('')}${body.slice(shebang.length)}` };
}
