/**
 * Mutants, each breaking one guarantee, to show that the simulation would find that (`npm run simulate -- --mutants`). A mutant
 * replaces an exported function, a row or a tool by reference: production code does not know of it, and a rename breaks none.
 */
import { control } from '../../src/engine/actions/trials/control.ts';
import { fix } from '../../src/engine/actions/fix.ts';
import { tasksFor } from '../../src/engine/actions/gap-tasks.ts';
import { prove } from '../../src/engine/actions/prove.ts';
import { final } from '../../src/engine/actions/final.ts';
import { runVerificationsAction } from '../../src/engine/actions/run-verifications.ts';
import { settle } from '../../src/engine/actions/settle.ts';
import { wait } from '../../src/engine/actions/wait.ts';
import { runCalls } from '../../src/engine/agents/calls.ts';
import { overBudget } from '../../src/engine/agents/cost.ts';
import { session } from '../../src/engine/agents/session.ts';
import type { Context } from '../../src/engine/context.ts';
import { decide } from '../../src/engine/core/decide.ts';
import { advance } from '../../src/engine/core/fold.ts';
import { cleanRunsOf, ending, finalOf } from '../../src/engine/judge/ending.ts';
import { othersThan } from '../../src/engine/judge/regression.ts';
import { isCurrent } from '../../src/engine/judge/status.ts';
import { isShown, proofsOf, runsOf, trustOf } from '../../src/engine/judge/trust.ts';
import { isGreen, mayBeMachine, verdictOfLooks } from '../../src/engine/judge/verdict.ts';
import { updateHumanActions } from '../../src/engine/person/human-actions.ts';
import { answerHumanAction } from '../../src/engine/person/desk.ts';
import { controlOf } from '../../src/engine/prove/outcome.ts';
import { liveScripts } from '../../src/engine/state/covers.ts';
import type { Event } from '../../src/engine/state/events.ts';
import { burn, canBurn, left, plannedSizes, tank } from '../../src/engine/state/fuel.ts';
import { runVerifications } from '../../src/engine/run/batch.ts';
import { runOnce } from '../../src/engine/run/run-once.ts';
import { openingFuel } from '../../src/engine/state/tanks.ts';
import type { State } from '../../src/engine/state/state.ts';
import { writeVerification } from '../../src/engine/tools/write-verification.ts';
import { mustMend } from '../../src/engine/work/assessment.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import type { Finished } from '../../src/engine/work/job.ts';
import { reduceTasks } from '../../src/engine/work/task.ts';
import type { Run } from '../../src/engine/work/verification.ts';
import { change, overriding, swap } from '../support/swap.ts';
import { afterFact, free, tidyNow, withEndlessMint, withoutViews, withRepo, type Mutant } from './mutant.ts';
import { budgetMutants } from './budget-mutants.ts';
import { evidenceMutants } from './evidence-mutants.ts';
import { othersMutants } from './others-mutants.ts';
import { rowMutants } from './row-mutants.ts';
import { strengthMutants } from './strength-mutants.ts';
import { worldMutants } from './world-mutants.ts';

/** A sprint of one requirement, in which nobody is honest. */
const oneLie = { kind: 'lying', witness: 'nobody', criterion: false, requirements: 1, tasks: 1, parts: 1 } as const;

export const mutants: readonly Mutant[] = [
  {
    name: 'free row',
    what: 'fixes burn no tank of their own',
    breaks: ['limits'],
    apply: () => free(fix, 'lineage', 'signature', 'reserve'),
  },
  {
    name: 'free decision',
    what: 'decisions burn no fuel of the sprint',
    breaks: ['limits'],
    apply: () => swap(decide, (sound) => (state, table) => withoutSprint(sound(state, table))),
  },
  {
    name: 'refill',
    what: 'a settled change refills the sprint',
    breaks: ['limits'],
    apply: () => afterFact('tree.settled', ({ burned }) => void (burned.sprint[''] = 0)),
  },
  {
    name: 'empty tank',
    what: 'a row runs though its tank is empty',
    breaks: ['limits'],
    apply: () => swap(canBurn, () => (tanks, wanted) => wanted.every((each) => left(tanks, each) > -3)),
  },
  {
    name: 'free resume',
    what: 'a resume burns nothing',
    breaks: ['limits'],
    apply: () =>
      swap(burn, (sound) => (tanks, wanted) => (wanted.every(({ kind }) => kind === 'sprint') ? undefined : sound(tanks, wanted))),
  },
  {
    name: 'unmetered minting',
    what: 'any number of gaps becomes tasks',
    breaks: ['limits'],
    apply: () => swap(tasksFor, (sound) => (state, source, gaps) => sound(withEndlessMint(state), source, gaps)),
  },
  {
    name: 'sized twice',
    what: 'the sprint gets more fuel than its plan allows',
    breaks: ['limits'],
    apply: () =>
      swap(plannedSizes, (sound) => (tasks, config) => ({
        ...sound(tasks, config),
        sprint: Math.min(openingFuel + 30 * tasks, config.maxLoopIterations),
      })),
  },
  {
    name: 'shown by claim',
    what: 'a task is done when its builder claims that nothing had to change',
    breaks: ['claims'],
    apply: () => swap(isShown, () => () => true),
  },
  {
    name: 'shown by what cannot fail',
    what: 'a verification that was never red proves that a task is done',
    breaks: ['claims'],
    apply: () =>
      swap(isShown, (sound) => (state, task) => {
        const serving = liveScripts(state.work).filter(({ prd }) => prd.some((id) => task.prdSection.includes(id)));
        const { results } = state.work;
        return sound(state, task) || (serving.length > 0 && serving.every(({ id }) => results[id]?.verdict === 'green'));
      }),
  },
  {
    name: 'raised by agents',
    what: 'a session raises a budget that is reached',
    breaks: ['limits'],
    apply: () =>
      swap(session, (sound) => async (context, spec) => {
        const end = await sound(context, spec);
        return end.end === 'budget'
          ? { end: 'budget', facts: [{ fact: 'budget.raised', usd: 1000, tokens: 1_000_000_000, hours: 1000 }] }
          : end;
      }),
  },
  {
    name: 'spend first',
    what: 'a call is sent although it does not fit the budget',
    breaks: ['money'],
    apply: () =>
      swap(
        overBudget,
        (sound) => (ledger, request, prices) => (ledger.spend.usd > 2 * ledger.budget.usd ? sound(ledger, request, prices) : undefined),
      ),
  },
  {
    name: 'undo that refunds',
    what: 'an undone task gets its attempt back',
    breaks: ['limits'],
    apply: () =>
      afterFact('tree.undone', ({ burned }, { change: { author } }) => {
        if (author.kind === 'task') burned.execute[author.task] = 0;
      }),
  },
  {
    name: 'undo in part',
    what: 'an undo restores the tree but not the work state',
    breaks: ['undo'],
    apply: () =>
      beforeEvent('tree.undone', (state) => void (state.restore = { ...state.work, tree: { ...state.work.tree, change: null } })),
  },
  {
    name: 'undo on paper',
    what: 'an undo restores the work state but not the tree',
    breaks: ['undo'],
    apply: () => withRepo(settle, () => ({ undo: () => Promise.resolve() })),
  },
  {
    name: 'cut off control',
    what: 'a control that timed out passes',
    breaks: ['verdicts', 'false delivery'],
    apply: () =>
      swap(
        controlOf,
        (sound) => (runs, own) =>
          sound({ ...runs, silenced: runs.silenced && { ...runs.silenced, timedOut: false, exit: runs.silenced.exit ?? 1 } }, own),
      ),
    world: { ...oneLie, shallow: false, slowest: 200, config: { evidence: 'any' } },
  },
  {
    name: 'litter',
    what: 'files that verifications leave stay in the tree',
    breaks: ['undo'],
    apply: () =>
      swap(
        runOnce,
        (sound) =>
          (ground, ...rest) =>
            sound(withoutViews(ground), ...rest),
      ),
  },
  {
    name: 'laundered lineage',
    what: 'a renamed verification gets new attempts',
    breaks: ['lineage'],
    apply: () =>
      change(writeVerification, ({ handle }) => ({
        handle: (input, on) => {
          const { text, facts } = handle(input, on);
          return { text, facts: facts.map(withOwnLineage) };
        },
      })),
  },
  {
    name: 'progress by claim',
    what: 'a reported task is a milestone',
    breaks: ['claims'],
    apply: () =>
      afterFact('task.reported', ({ milestones }, { id }) => void (milestones.includes(`task ${id}`) || milestones.push(`task ${id}`))),
  },
  {
    name: 'trusted claim',
    what: 'a reported task is done',
    breaks: ['claims'],
    apply: () =>
      swap(reduceTasks, (sound) => (tasks, fact) => {
        const next = sound(tasks, fact);
        const known = next[fact.fact === 'task.added' ? fact.task.id : fact.id];
        return fact.fact === 'task.reported' && known ? { ...next, [fact.id]: { ...known, status: 'done' } } : next;
      }),
  },
  {
    name: 'stale results',
    what: 'a result of older code counts',
    breaks: ['claims', 'audit'],
    // Settling leaves results of every verification on the new code. Without the other verifications, older results remain.
    apply: () => {
      swap(othersThan, () => () => ({ verifications: [], first: [] }));
      swap(ending, (sound) => (state) => sound(withFreshResults(state)));
      for (const row of [final, prove, runVerificationsAction])
        change(row, ({ due }) => ({ due: (state) => due(withFreshResults(state)) }));
    },
  },
  {
    name: 'stale script',
    what: 'a result of an older script counts',
    breaks: ['claims', 'audit', 'stale'],
    // Both safeguards must fall: a rewritten verification loses its result, and run-verifications compares the script.
    apply: () => {
      swap(
        isCurrent,
        () =>
          ({ work }, { id }) =>
            work.results[id]?.code === work.tree.code,
      );
      swap(advance, (sound) => (state: State, event: Event) => {
        const { results } = state.work;
        sound(state, event);
        if (holds(event, 'verification.written')) state.work = { ...state.work, results: { ...results, ...state.work.results } };
      });
    },
  },
  {
    name: 'trust without proof',
    what: 'a green verification is trusted',
    breaks: ['audit', 'false delivery'],
    apply: () =>
      swap(trustOf, (sound) => (state, verification) => {
        const trust = sound(state, verification);
        const isRefused = proofsOf(state, verification).some((proof) => proof.kind === 'control' && proof.outcome === 'not-red');
        const wasGreen = runsOf(state, verification).some((run) => run.verdict === 'green' && !run.redSeen);
        return verification.kind === 'script' && wasGreen && !isRefused ? { trusted: true, by: 'revert', why: '' } : trust;
      }),
  },
  {
    name: 'no control',
    what: 'a verification that reads the text of the work is trusted',
    breaks: ['verdicts', 'audit', 'false delivery'],
    apply: () =>
      swap(controlOf, (sound) => (runs, own) => sound(runs.silenced?.verdict === 'green' ? { ...runs, silenced: undefined } : runs, own)),
  },
  {
    name: 'green by printed words',
    what: 'a run that prints PASS is green',
    breaks: ['verdicts'],
    apply: () => swap(isGreen, (sound) => (end) => sound(end) || (end as Finished).output.includes('PASS')),
  },
  {
    name: 'the machine judges',
    what: 'a run that ran out of time beside others is red at once',
    breaks: ['verdicts', 'innocence'],
    apply: () => swap(mayBeMachine, () => () => false),
    world: { load: 0.5, kind: 'honest', errorRate: 0 },
  },
  {
    name: 'red without a look',
    what: 'what nobody could tell, because the machine was never calm, is red',
    breaks: ['verdicts', 'innocence'],
    apply: () => swap(verdictOfLooks, (sound) => (looks) => (sound(looks) === 'none' ? 'red' : sound(looks))),
    world: { load: 0.5, kind: 'honest', errorRate: 0 },
  },
  {
    name: 'fallback counts',
    what: 'an evaluation without a report counts as one without findings',
    breaks: ['audit'],
    apply: () => swap(ending, (sound) => (state) => sound(withReports(state))),
    world: { kind: 'honest', errorRate: 0, silent: true },
  },
  {
    name: 'descoped without consent',
    what: 'a task is dropped when the person reports its human action as done',
    breaks: ['consent'],
    apply: () => swap(updateHumanActions, (sound) => async (context) => (await skipAnswered(context), await sound(context))),
  },
  {
    name: 'forged answer',
    what: 'a human action counts as skipped without an answer',
    breaks: ['consent'],
    apply: () => change(wait, () => ({ run: async (target, context) => (await answerHumanAction(context, target, 'skip'), []) })),
  },
  {
    name: 'skipped clean run',
    what: 'nothing runs on the final tree in a clean checkout',
    breaks: ['audit'],
    apply: () => {
      const none = { green: [], red: [], flaky: [], why: '' };
      swap(finalOf, (sound) => (state) => ({ ...sound(state), clean: none }));
      swap(cleanRunsOf, (sound) => (state, verification) => {
        const runs = sound(state, verification);
        return runs.length > 0 ? runs : runsOf(state, verification).slice(-1);
      });
    },
  },
  {
    name: 'final out of fuel',
    what: 'the final row delivers when its fuel is out',
    breaks: ['audit'],
    apply: () =>
      swap(
        finalOf,
        (sound) => (state) =>
          canBurn(state.ledger, [tank('final', 'evaluation'), tank('final', 'vrc')])
            ? sound(state)
            : { ...sound(state), ...favourable(state) },
      ),
  },
  {
    name: 'rubber stamp',
    what: 'findings of the judges that must be fixed are ignored',
    breaks: ['audit'],
    apply: () => {
      swap(mustMend, () => () => false);
      swap(finalOf, (sound) => (state) => {
        const parts = sound(state);
        return { ...parts, vrc: parts.vrc && { ...parts.vrc, recommendation: 'SHIP_READY' } };
      });
    },
  },
  {
    name: 'two appends where one is due',
    what: 'a call ends in one line, and its facts are in another one',
    breaks: ['one line a transaction'],
    apply: () => swap(runCalls, (sound) => (context, site, calls) => sound(inTwoLines(context), site, calls)),
  },
  {
    name: 'repeated effect',
    what: 'a commit is repeated after a crash',
    // The change is put back onto the commit that holds it, which no repository can do.
    breaks: ['broken'],
    apply: () => withRepo(settle, () => ({ findCommit: () => Promise.resolve(undefined) })),
  },
  {
    name: 'shared writes',
    what: 'one verification can make another one pass by writing into the tree, which is tidied afterwards',
    breaks: ['audit', 'false delivery', 'innocence'],
    // The control would notice too while verifications share its checkouts, since one is green where the work is silent. So the
    // silent run is made alone here.
    apply: () => {
      swap(runVerifications, (sound) => async (ground, batch) => {
        const runs = await sound(withoutViews(ground), batch);
        if (batch.at === 'worktree') await tidyNow(ground as Context);
        return runs;
      });
      const others = new Map<string, Run>();
      let isShared = false;
      swap(controlOf, (sound) => (runs, own) => {
        const { reworded } = runs;
        const id = reworded?.verification ?? '';
        if (isShared && reworded) others.set(id, reworded);
        return sound({ ...runs, reworded: others.get(id) }, own);
      });
      swap(control, (sound) => async (context, verifications) => {
        isShared = true;
        await sound(context, verifications);
        isShared = false;
        const outcomes: Awaited<ReturnType<typeof sound>> = new Map();
        for (const each of verifications) for (const [script, outcome] of await sound(context, [each])) outcomes.set(script, outcome);
        return outcomes;
      });
    },
    world: {
      ...oneLie,
      verifications: 2,
      slowest: 0.5,
      unsteady: 0,
      config: {},
      supplied: 0,
      lacking: 'nothing',
      service: 'none',
      suite: 'none',
    },
  },
  {
    name: 'stale clean look',
    what: 'a clean run of an older script counts for the present one',
    breaks: ['audit'],
    apply: () =>
      swap(
        cleanRunsOf,
        () =>
          ({ work, ledger }, { lineage }) =>
            (ledger.runs[lineage] ?? []).filter((run) => run.where === 'clean' && run.code === work.tree.code),
      ),
  },
  ...rowMutants,
  ...worldMutants,
  ...strengthMutants,
  ...evidenceMutants,
  ...budgetMutants,
  ...othersMutants,
];

/** Changes the state before each event with a fact of this name. */
function beforeEvent(name: Fact['fact'], first: (state: State) => void): void {
  swap(advance, (sound) => (state: State, event: Event) => {
    if (holds(event, name)) first(state);
    sound(state, event);
  });
}

function holds(event: Event, name: Fact['fact']): boolean {
  return 'facts' in event && event.facts.some(({ fact }) => fact === name);
}

function withoutSprint(decision: ReturnType<typeof decide>): ReturnType<typeof decide> {
  return { ...decision, burns: decision.burns.filter(({ kind }) => kind !== 'sprint') };
}

/** Every result counts for the present code. */
function withFreshResults(state: State): State {
  const { work } = state;
  const results = Object.entries(work.results).map(([id, result]) => [id, { ...result, code: work.tree.code }]);
  return { ...state, work: { ...work, results: Object.fromEntries(results) } };
}

/** Every evaluation counts as reported, and where it assesses too, as an assessment that finds nothing. */
function withReports(state: State): State {
  const { ledger } = state;
  const { assessments } = ledger;
  const { vrc } = favourable(state);
  const unreported = assessments.evaluations.filter(({ fallback }) => fallback);
  const vrcs = [...assessments.vrcs, ...unreported.flatMap(({ code }) => (vrc ? [{ ...vrc, code }] : []))];
  const evaluations = assessments.evaluations.map((each) => ({ ...each, fallback: false }));
  return { ...state, ledger: { ...ledger, assessments: { ...assessments, evaluations, vrcs } } };
}

function favourable({ work }: State): Pick<ReturnType<typeof finalOf>, 'clean' | 'vrc' | 'evaluation'> {
  const { code } = work.tree;
  const common = { code, scope: 'final' as const, fallback: false, summary: '' };
  return {
    clean: { green: [], red: [], flaky: [], why: '' },
    vrc: { ...common, valueScore: 1, verified: 1, total: 1, blocked: 0, gaps: [], recommendation: 'SHIP_READY' },
    evaluation: { ...common, findings: [], criteria: [], howToUse: [] },
  };
}

function withOwnLineage(fact: Fact): Fact {
  return fact.fact === 'verification.written' ? { ...fact, verification: { ...fact.verification, lineage: fact.verification.id } } : fact;
}

async function skipAnswered(context: Context): Promise<void> {
  const answered = Object.values(context.state.ledger.humanActions).filter(({ status }) => status === 'answered');
  const facts = answered.map(({ id }): Fact => ({ fact: 'human-action.skipped', id }));
  if (facts.length > 0) await context.append({ type: 'person.said', facts });
}

function inTwoLines(context: Context): Context {
  return overriding<Context>(context, {
    append: async (draft) => {
      if (draft.type === 'step.ended' && draft.facts.length > 0) await context.append({ ...draft, facts: [] });
      await context.append(draft);
    },
  });
}
