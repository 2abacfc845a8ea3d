/** Mutants of the bounds and guards of course correction, research, service fixes and suites. */
import { characterise } from '../../src/engine/actions/characterise.ts';
import { courseCorrect } from '../../src/engine/actions/course-correct.ts';
import { serviceFix } from '../../src/engine/actions/service-fix.ts';
import { wait } from '../../src/engine/actions/wait.ts';
import { writeVerifications } from '../../src/engine/actions/write-verifications.ts';
import { advance } from '../../src/engine/core/fold.ts';
import { fixTanks } from '../../src/engine/judge/status.ts';
import { descopedBy } from '../../src/engine/judge/open-points.ts';
import { isGreen } from '../../src/engine/judge/verdict.ts';
import { answerHumanAction } from '../../src/engine/person/desk.ts';
import type { Event } from '../../src/engine/state/events.ts';
import { canBurn, tank } from '../../src/engine/state/fuel.ts';
import { enter } from '../../src/engine/state/ledger.ts';
import type { State } from '../../src/engine/state/state.ts';
import { objection } from '../../src/engine/tools/guardrails.ts';
import { manageTask } from '../../src/engine/tools/manage-task.ts';
import { offerMutant } from '../../src/engine/tools/offer-mutant.ts';
import { reportDocumentReview } from '../../src/engine/tools/report-document-review.ts';
import { ToolError } from '../../src/engine/tools/tool.ts';
import { waitingFor } from '../../src/engine/work/human-action.ts';
import type { Finished } from '../../src/engine/work/job.ts';
import { isOpen, reduceTasks } from '../../src/engine/work/task.ts';
import { change, swap } from '../support/swap.ts';
import { free, withEndlessMint, type Mutant } from './mutant.ts';

export const rowMutants: readonly Mutant[] = [
  {
    name: 'free correction',
    what: 'course corrections add any number of tasks',
    breaks: ['limits'],
    apply: () =>
      swap(objection, (sound) => (task, state, how) => sound(task, task.source === 'plan' ? state : withEndlessMint(state), how)),
  },
  {
    name: 'corrections without end',
    what: 'a course correction burns nothing',
    breaks: ['limits'],
    apply: () => free(courseCorrect, 'correct'),
  },
  {
    name: 'refilled reserve',
    what: 'each brief refills the fixes of a lineage',
    breaks: ['limits', 'lineage'],
    apply: () =>
      swap(enter, (sound) => (ledger, fact) => {
        sound(ledger, fact);
        if (fact.fact === 'research.reported') for (const lineage of fact.brief.lineages) ledger.burned.lineage[lineage] = 0;
      }),
  },
  {
    name: 'reserve for nothing',
    what: 'the reserve of two more fixes opens without a brief',
    breaks: ['limits'],
    apply: () =>
      swap(fixTanks, (sound) => (state, verification) => {
        const tanks = sound(state, verification);
        return canBurn(state.ledger, tanks) ? tanks : [tank('reserve', verification.lineage)];
      }),
  },
  {
    name: 'descoped by an agent',
    what: 'a review of the documents takes a requirement out without the person',
    breaks: ['consent'],
    apply: () =>
      change(reportDocumentReview, ({ handle }) => ({
        handle: (call, on) => {
          const reply = handle(call, on);
          const [first, second] = on.state.work.requirements;
          if (!first || !second) return reply;
          return {
            ...reply,
            facts: [...reply.facts, { fact: 'requirement.descoped', id: second.id, why: 'it is too much', chosen: true }],
          };
        },
      })),
  },
  {
    name: 'deaf to a descope',
    what: 'a requirement that the person took out counts on',
    breaks: ['consent'],
    apply: () => swap(descopedBy, () => () => []),
  },
  {
    name: 'lost requirement',
    what: 'a task is replaced by tasks that do not serve its requirements',
    breaks: ['consent'],
    apply: () => allowReplacement((ids) => ids.length > 0),
  },
  {
    name: 'silent drop',
    what: 'a settled plan loses a task that no other replaces',
    breaks: ['consent'],
    apply: () => allowReplacement((ids) => ids.length === 0),
  },
  {
    name: 'question for consent',
    what: 'an answer in words drops the task that the question is about',
    breaks: ['consent'],
    apply: () =>
      swap(advance, (sound) => (state: State, event: Event) => {
        sound(state, event);
        for (const fact of event.type === 'person.said' ? event.facts : [])
          if (fact.fact === 'human-action.answered' && fact.said !== undefined) drop(state, fact.id);
      }),
  },
  {
    name: 'said for them',
    what: 'a question that nobody answered counts as answered in words',
    breaks: ['consent'],
    apply: () =>
      change(wait, ({ run }) => ({
        run: async (target, context) => {
          if (context.state.ledger.humanActions[target]?.kind === 'deed') return run(target, context);
          await answerHumanAction(context, target, { said: 'go on' });
          return [];
        },
      })),
  },
  {
    name: 'asked without end',
    what: 'any number of doubts makes QC look at a verification again',
    breaks: ['limits', 'lineage'],
    apply: () => free(writeVerifications, 'rewrite'),
  },
  {
    name: 'mutants without end',
    what: 'QC may offer any number of mutants',
    breaks: ['lineage'],
    apply: () => {
      const forgetful = <T extends { state: State }>(at: T): T => ({
        ...at,
        state: { ...at.state, ledger: { ...at.state.ledger, offers: [] } },
      });
      change(offerMutant, ({ look, handle }) => ({
        look: (input, at) => look?.(input, forgetful(at)) ?? Promise.resolve(),
        handle: (input, on) => handle(input, forgetful(on)),
      }));
    },
  },
  {
    name: 'service fixed without end',
    what: 'fixing a service burns nothing',
    breaks: ['limits'],
    apply: () => free(serviceFix, 'service'),
    world: { service: 'dying' },
  },
  {
    name: 'dead service passes',
    what: 'a verification whose service is down is green',
    breaks: ['verdicts'],
    apply: () => swap(isGreen, (sound) => (end) => sound(end) || (end as Finished).dead !== undefined),
    world: { service: 'dying' },
  },
  {
    name: 'tests retired without end',
    what: 'a run of a suite on the base commit burns nothing',
    breaks: ['limits'],
    apply: () => free(characterise, 'base'),
    world: { suite: 'contradicts' },
  },
];

/** A settled plan accepts a removal of a task with such replacements, whatever requirements they serve. */
function allowReplacement(isAllowed: (ids: readonly string[]) => boolean): void {
  change(manageTask, ({ handle }) => ({
    handle: (call, on) => {
      try {
        return handle(call, on);
      } catch (error) {
        const input = call as { action: string; task_id: string; replaced_by?: string[] };
        const { tasks, gates } = on.state.work;
        const ids = input.replaced_by ?? [];
        const isKnown = [input.task_id, ...ids].every((id) => Object.hasOwn(tasks, id) && tasks[id] && isOpen(tasks[id]));
        if (!(error instanceof ToolError) || input.action !== 'remove' || !gates.includes('plan') || !isKnown || !isAllowed(ids))
          throw error;
        return { text: 'Taken.', facts: [{ fact: 'task.descoped', id: input.task_id, why: 'replaced', replacedBy: ids }] };
      }
    },
  }));
}

function drop(state: State, humanAction: string): void {
  const asked = state.ledger.humanActions[humanAction];
  const waiting = asked ? waitingFor(asked, state.work.tasks) : [];
  for (const { id } of waiting) {
    const tasks = reduceTasks(state.work.tasks, { fact: 'task.descoped', id, why: 'it was talked about' });
    state.work = { ...state.work, tasks };
  }
}
