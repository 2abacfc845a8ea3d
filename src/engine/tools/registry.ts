/** Every tool by name. A prompt's front matter names those that its session gets. */
import { Bug } from '../ground/errors.ts';
import { amendDeclaration, upholdDeclaration } from './amend-declaration.ts';
import { askPerson } from './ask-person.ts';
import { browser } from './browser-tool.ts';
import { manageTask } from './manage-task.ts';
import { reportCauses } from './report-causes.ts';
import { offerMutant } from './offer-mutant.ts';
import { reportVerificationsComplete } from './report-verifications-complete.ts';
import { reportCourseCorrection } from './report-course-correction.ts';
import { reportDiscovery } from './report-discovery.ts';
import { reportDocumentReview } from './report-document-review.ts';
import { reportEvaluation } from './report-evaluation.ts';
import { reportFix } from './report-fix.ts';
import { reportPlanComplete } from './report-plan-complete.ts';
import { reportPlanHealth } from './report-plan-health.ts';
import { reportPlanReview } from './report-plan-review.ts';
import { reportResearch } from './report-research.ts';
import { reportStatus } from './report-status.ts';
import { reportStrategy } from './report-strategy.ts';
import { reportTaskComplete } from './report-task-complete.ts';
import { reportVrc } from './report-vrc.ts';
import { requestHumanAction } from './request-human-action.ts';
import { retireTest } from './retire-test.ts';
import type { Tool } from './tool.ts';
import { upholdVerification } from './uphold-verification.ts';
import { withdrawHumanAction } from './withdraw-human-action.ts';
import { worldTools } from './world-tools.ts';
import { reportHiddenComplete, writeHiddenVerification } from './hidden-verifications.ts';
import { writeHelper } from './write-helper.ts';
import { writeVerification } from './write-verification.ts';
import { writeCriterion } from './write-criterion.ts';

const all: readonly Tool[] = [
  ...worldTools,
  browser,
  askPerson,
  amendDeclaration,
  upholdDeclaration,
  manageTask,
  reportCauses,
  offerMutant,
  reportVerificationsComplete,
  reportCourseCorrection,
  reportDiscovery,
  reportDocumentReview,
  reportEvaluation,
  reportFix,
  reportPlanComplete,
  reportPlanHealth,
  reportPlanReview,
  reportResearch,
  reportStatus,
  reportStrategy,
  reportTaskComplete,
  reportVrc,
  requestHumanAction,
  retireTest,
  upholdVerification,
  withdrawHumanAction,
  writeHiddenVerification,
  reportHiddenComplete,
  writeHelper,
  writeVerification,
  writeCriterion,
];

/** In a fixed order, so that the cached part of a prompt stays the same. */
export function toolsNamed(names: readonly string[]): Tool[] {
  const unknown = names.filter((name) => !all.some((tool) => tool.name === name));
  if (unknown.length > 0) throw new Bug(`no such tool: ${unknown.join(', ')}`);
  return all.filter((tool) => names.includes(tool.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}
