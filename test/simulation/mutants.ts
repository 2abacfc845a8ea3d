/**
 * Guarantees, each broken in one way, to show that the simulation would notice (`npm run simulate -- --mutants`). A mutant does
 * otherwise what one exported function, row or tool does: production code knows nothing of it, and a rename breaks none.
 */
import { control } from '../../src/engine/actions/control.ts';
import { fix } from '../../src/engine/actions/fix.ts';
import { tasksFor } from '../../src/engine/actions/gap-tasks.ts';
import { prove } from '../../src/engine/actions/prove.ts';
import { final } from '../../src/engine/actions/final.ts';
import { runVerificationsAction } from '../../src/engine/actions/run-verifications.ts';
import { settle } from '../../src/engine/actions/settle.ts';
import { tidy } from '../../src/engine/actions/change.ts';
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
import { isGreen } from '../../src/engine/judge/verdict.ts';
import { updateHumanActions } from '../../src/engine/person/human-actions.ts';
import { answerHumanAction } from '../../src/engine/person/desk.ts';
import { controlOf } from '../../src/engine/prove/outcome.ts';
import { liveScripts } from '../../src/engine/state/covers.ts';
import type { Event } from '../../src/engine/state/events.ts';
import { burn, canBurn, left, openingFuel, plannedSizes, tank } from '../../src/engine/state/fuel.ts';
import { enter } from '../../src/engine/state/ledger.ts';
import type { State } from '../../src/engine/state/state.ts';
import { writeVerification } from '../../src/engine/tools/write-verification.ts';
import { mustMend } from '../../src/engine/work/assessment.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import type { Finished } from '../../src/engine/work/job.ts';
import { reduceTasks } from '../../src/engine/work/task.ts';
import type { Run } from '../../src/engine/work/verification.ts';
import { change, overriding, swap } from '../support/swap.ts';
import { free, withEndlessMint, withRepo, type Mutant } from './mutant.ts';
import { rowMutants } from './row-mutants.ts';

export const mutants: readonly Mutant[] = [
  {
    name: 'free row',
    what: 'fixes burn no tank of their own',
    make: () => free(fix, 'lineage', 'signature', 'reserve'),
  },
  {
    name: 'free decision',
    what: 'decisions burn no fuel of the sprint',
    make: () => swap(decide, (sound) => (state, table) => withoutSprint(sound(state, table))),
  },
  {
    name: 'refill',
    what: 'a settled change refills the sprint',
    make: () => afterFact('tree.settled', ({ burned }) => void (burned.sprint[''] = 0)),
  },
  {
    name: 'empty tank',
    what: 'a row runs though its tank is empty',
    make: () => swap(canBurn, () => (tanks, wanted) => wanted.every((one) => left(tanks, one) > -3)),
  },
  {
    name: 'free resume',
    what: 'a resume burns nothing',
    make: () =>
      swap(burn, (sound) => (tanks, wanted) => (wanted.every(({ kind }) => kind === 'sprint') ? undefined : sound(tanks, wanted))),
  },
  {
    name: 'unmetered minting',
    what: 'gaps become tasks without end',
    make: () => swap(tasksFor, (sound) => (state, source, looked) => sound(withEndlessMint(state), source, looked)),
  },
  {
    name: 'sized twice',
    what: 'the sprint gets more fuel than its plan allows',
    make: () =>
      swap(plannedSizes, (sound) => (tasks, config) => ({
        ...sound(tasks, config),
        sprint: Math.min(openingFuel + 30 * tasks, config.maxLoopIterations),
      })),
  },
  {
    name: 'shown by claim',
    what: 'a task is done when its builder says that nothing had to change',
    make: () => swap(isShown, () => () => true),
  },
  {
    name: 'shown by what cannot fail',
    what: 'a verification that was never red shows that a task is done',
    make: () =>
      swap(isShown, (sound) => (state, task) => {
        const serving = liveScripts(state.work).filter(({ prd }) => prd.some((id) => task.prdSection.includes(id)));
        const { results } = state.work;
        return sound(state, task) || (serving.length > 0 && serving.every(({ id }) => results[id]?.verdict === 'green'));
      }),
  },
  {
    name: 'raised by agents',
    what: 'a budget that is reached raises itself',
    make: () =>
      swap(session, (sound) => async (context, spec) => {
        const end = await sound(context, spec);
        return end.end === 'budget' ? { end: 'budget', facts: [{ fact: 'budget.raised', usd: 1000, tokens: 1_000_000_000 }] } : end;
      }),
  },
  {
    name: 'spend first',
    what: 'a call is made before anybody looks whether it fits the budget',
    make: () =>
      swap(
        overBudget,
        (sound) => (ledger, request, prices) => (ledger.spend.usd > 2 * ledger.budget.usd ? sound(ledger, request, prices) : undefined),
      ),
  },
  {
    name: 'undo that refunds',
    what: 'what is taken back gets its attempt back',
    make: () =>
      afterFact('tree.undone', ({ burned }, { change: { author } }) => {
        if (author.kind === 'task') burned.execute[author.task] = 0;
      }),
  },
  {
    name: 'undo in part',
    what: 'the tree goes back and the work does not',
    make: () => beforeEvent('tree.undone', (state) => void (state.restore = { ...state.work, tree: { ...state.work.tree, change: null } })),
  },
  {
    name: 'undo on paper',
    what: 'the work goes back and the tree does not',
    make: () => withRepo(settle, () => ({ undo: () => Promise.resolve() })),
  },
  {
    name: 'cut off control',
    what: 'a verification that was too slow to answer is taken for one that looks at the work',
    make: () =>
      swap(
        controlOf,
        (sound) => (other, silent, own) => sound(other, silent && { ...silent, timedOut: false, exit: silent.exit ?? 1 }, own),
      ),
    world: { kind: 'lying', witness: 'nobody', criterion: false, requirements: 1, tasks: 1, parts: 1, slowest: 70, config: {} },
  },
  {
    name: 'litter',
    what: 'what verifications leave in the tree stays',
    make: () => swap(tidy, () => () => Promise.resolve()),
  },
  {
    name: 'laundered lineage',
    what: 'a verification under another name has attempts of its own',
    make: () =>
      change(writeVerification, ({ handle }) => ({
        handle: (input, on) => {
          const { text, facts } = handle(input, on);
          return { text, facts: facts.map(underItsOwnName) };
        },
      })),
  },
  {
    name: 'progress by claim',
    what: 'a reported task is a milestone',
    make: () =>
      afterFact('task.reported', ({ milestones }, { id }) => void (milestones.includes(`task ${id}`) || milestones.push(`task ${id}`))),
  },
  {
    name: 'trusted claim',
    what: 'a task that was reported is done',
    make: () =>
      swap(reduceTasks, (sound) => (tasks, fact) => {
        const next = sound(tasks, fact);
        const known = next[fact.fact === 'task.added' ? fact.task.id : fact.id];
        return fact.fact === 'task.reported' && known ? { ...next, [fact.id]: { ...known, status: 'done' } } : next;
      }),
  },
  {
    name: 'stale results',
    what: 'a result of older code counts',
    // A change is settled with results of everything on its code: without them older ones are left to count.
    make: () => {
      swap(othersThan, () => () => ({ verifications: [], first: [] }));
      swap(ending, (sound) => (state) => sound(withFreshResults(state)));
      for (const row of [final, prove, runVerificationsAction])
        change(row, ({ due }) => ({ due: (state) => due(withFreshResults(state)) }));
    },
  },
  {
    name: 'stale script',
    what: 'a result of an older script counts',
    // What is written again loses its result, and run-verifications looks at the script besides: either is enough.
    make: () => {
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
    make: () =>
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
    make: () => swap(controlOf, (sound) => (other, silent, own) => sound(other, silent?.verdict === 'green' ? undefined : silent, own)),
  },
  {
    name: 'green by printed words',
    what: 'a run that prints PASS has passed',
    make: () => swap(isGreen, (sound) => (end) => sound(end) || (end as Finished).output.includes('PASS')),
  },
  {
    name: 'fallback counts',
    what: 'an evaluation that was never reported counts as one that found nothing',
    make: () => swap(ending, (sound) => (state) => sound(withReports(state))),
  },
  {
    name: 'descoped without consent',
    what: 'a task is dropped when the person says that they did what it waits for',
    make: () => swap(updateHumanActions, (sound) => async (context) => (await skipAnswered(context), await sound(context))),
  },
  {
    name: 'forged answer',
    what: 'nobody is asked, and it is taken for a skip',
    make: () => change(wait, () => ({ run: async (target, context) => (await answerHumanAction(context, target, 'skip'), []) })),
  },
  {
    name: 'skipped clean run',
    what: 'the final tree is not looked at in a clean checkout',
    make: () => {
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
    what: 'a final row whose fuel is out delivers',
    make: () =>
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
    what: 'what the judges say must be mended does not matter',
    make: () => {
      swap(mustMend, () => () => false);
      swap(finalOf, (sound) => (state) => {
        const looked = sound(state);
        return { ...looked, vrc: looked.vrc && { ...looked.vrc, recommendation: 'SHIP_READY' } };
      });
    },
  },
  {
    name: 'two appends where one is due',
    what: 'a call ends in one line and its facts come in another',
    make: () => swap(runCalls, (sound) => (context, site, calls) => sound(inTwoLines(context), site, calls)),
  },
  {
    name: 'repeated effect',
    what: 'a commit is made again after a crash',
    make: () => withRepo(settle, () => ({ findCommit: () => Promise.resolve(undefined) })),
  },
  {
    name: 'shared clean checkout',
    what: 'what one verification writes into the clean checkout is the work that another one sees',
    // The control sees it too, as long as they run together there: one is green where the work is silent.
    make: () => {
      withRepo(final, () => ({ fingerprint: () => Promise.resolve('') }));
      const others = new Map<string, Run>();
      let areTogether = false;
      swap(controlOf, (sound) => (other, silent, own) => {
        const id = other?.verification ?? '';
        if (areTogether && other) others.set(id, other);
        return sound(others.get(id), silent, own);
      });
      swap(control, (sound) => async (context, verifications) => {
        areTogether = true;
        await sound(context, verifications);
        areTogether = false;
        const found: Awaited<ReturnType<typeof sound>> = new Map();
        for (const one of verifications) for (const [script, outcome] of await sound(context, [one])) found.set(script, outcome);
        return found;
      });
    },
    world: {
      kind: 'lying',
      witness: 'nobody',
      criterion: false,
      requirements: 1,
      tasks: 1,
      parts: 1,
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
    what: 'what a clean checkout said of an older script counts for the one that is there now',
    make: () =>
      swap(
        cleanRunsOf,
        () =>
          ({ work, ledger }, { lineage }) =>
            (ledger.runs[lineage] ?? []).filter((run) => run.where === 'clean' && run.code === work.tree.code),
      ),
  },
  ...rowMutants,
];

type FactNamed<N extends Fact['fact']> = Extract<Fact, { fact: N }>;

/** Does something to the ledger whenever it has entered such a fact. */
function afterFact<N extends Fact['fact']>(name: N, then: (ledger: State['ledger'], fact: FactNamed<N>) => void): void {
  swap(enter, (sound) => (ledger, fact) => {
    sound(ledger, fact);
    if (fact.fact === name) then(ledger, fact as FactNamed<N>);
  });
}

/** Does something to the state before it takes in a line with such a fact. */
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

/** All results look as if they were of the code as it is. */
function withFreshResults(state: State): State {
  const { work } = state;
  const results = Object.entries(work.results).map(([id, result]) => [id, { ...result, code: work.tree.code }]);
  return { ...state, work: { ...work, results: Object.fromEntries(results) } };
}

/** All evaluations look as if they had been reported. */
function withReports(state: State): State {
  const { ledger } = state;
  const evaluations = ledger.assessments.evaluations.map((one) => ({ ...one, fallback: false }));
  return { ...state, ledger: { ...ledger, assessments: { ...ledger.assessments, evaluations } } };
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

function underItsOwnName(fact: Fact): Fact {
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
