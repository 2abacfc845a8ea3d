/** The table that `decide` walks from the top: the rows of `state/rows.ts` in their order, each with its action. */
import { sprintRowIds, type SprintRow } from '../state/rows.ts';
import type { Action } from './action.ts';
import { approvePlan } from './approve-plan.ts';
import { characterise } from './characterise.ts';
import { close } from './close.ts';
import { courseCorrect } from './course-correct.ts';
import { criticalEval } from './critical-eval.ts';
import { discovery } from './discovery.ts';
import { environment } from './environment.ts';
import { execute } from './execute.ts';
import { final } from './final.ts';
import { fix } from './fix.ts';
import { inputs } from './inputs.ts';
import { measure } from './measure.ts';
import { plan } from './plan.ts';
import { planHealth } from './plan-health.ts';
import { prepare } from './prepare.ts';
import { prove } from './prove.ts';
import { research } from './research.ts';
import { reviewDocuments } from './review-documents.ts';
import { reviewPlan } from './review-plan.ts';
import { runHidden } from './run-hidden.ts';
import { runVerificationsAction } from './run-verifications.ts';
import { serviceFix } from './service-fix.ts';
import { settle } from './settle.ts';
import { strategy } from './strategy.ts';
import { triage } from './triage.ts';
import { vrcAction } from './vrc.ts';
import { wait } from './wait.ts';
import { writeHidden } from './write-hidden.ts';
import { writeVerifications } from './write-verifications.ts';

export const actions: Record<SprintRow, Action> = {
  'approve-plan': approvePlan,
  characterise,
  close,
  'course-correct': courseCorrect,
  'critical-eval': criticalEval,
  discovery,
  environment,
  execute,
  final,
  fix,
  inputs,
  measure,
  plan,
  'plan-health': planHealth,
  prepare,
  prove,
  research,
  'review-documents': reviewDocuments,
  'review-plan': reviewPlan,
  'run-hidden': runHidden,
  'run-verifications': runVerificationsAction,
  'service-fix': serviceFix,
  settle,
  strategy,
  triage,
  vrc: vrcAction,
  wait,
  'write-hidden': writeHidden,
  'write-verifications': writeVerifications,
};

export const table: readonly Action[] = sprintRowIds.map((id) => actions[id]);
