/**
 * The table that `decide` walks from the top; its order has a meaning. Rows that protect the tree come first, then those that
 * qualify the work; evidence comes before building, building before judging. Only closing comes after waiting for the person.
 */
import type { SprintRow } from '../state/rows.ts';
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
import { writeVerifications } from './write-verifications.ts';
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

export const actions: Record<SprintRow, Action> = {
  settle,
  inputs,
  discovery,
  'review-documents': reviewDocuments,
  plan,
  'review-plan': reviewPlan,
  'approve-plan': approvePlan,
  prepare,
  characterise,
  environment,
  'service-fix': serviceFix,
  strategy,
  'course-correct': courseCorrect,
  'write-verifications': writeVerifications,
  'run-verifications': runVerificationsAction,
  triage,
  fix,
  research,
  'plan-health': planHealth,
  vrc: vrcAction,
  'critical-eval': criticalEval,
  'run-hidden': runHidden,
  execute,
  prove,
  measure,
  'write-hidden': writeHidden,
  final,
  wait,
  close,
};

/** In the order above, because an object literal keeps its order. */
export const table: readonly Action[] = Object.values(actions);
