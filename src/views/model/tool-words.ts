/** What an agent does with a tool, in words. */
import { t } from '../words.ts';

/** @param input the first line of the first text that the tool was given. */
export function toolWords(name: string, input: string): string {
  const words = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (words === undefined) return input === '' ? name : `${name}: ${input}`;
  return input === '' || !takesInput.has(name) ? words : `${words}: ${input}`;
}

const verbs: Readonly<Record<string, string>> = {
  bash: t('runs a command'),
  browser: t('uses a browser'),
  read_file: t('reads'),
  write_file: t('writes'),
  edit_file: t('edits'),
  glob_search: t('looks for files'),
  grep_search: t('searches'),
  amend_declaration: t('corrects what was declared'),
  uphold_declaration: t('upholds what was declared'),
  manage_task: t('changes the plan'),
  offer_mutant: t('offers a fault to prove a verification'),
  report_causes: t('reports causes'),
  report_course_correction: t('reports a course correction'),
  report_discovery: t('reports what it found out'),
  report_document_review: t('reports what it found in Vision and PRD'),
  report_evaluation: t('reports its evaluation'),
  report_fix: t('reports its fix'),
  report_hidden_complete: t('reports that hidden verifications are written'),
  report_plan_complete: t('reports that the plan is complete'),
  report_plan_health: t('reports on the plan'),
  report_plan_review: t('reports its review of the plan'),
  report_research: t('reports what it found'),
  report_status: t('reports how far it is'),
  report_strategy: t('reports how to go on'),
  report_task_complete: t('reports its task as done'),
  report_verifications_complete: t('reports that verifications are written'),
  report_vrc: t('reports its assessment'),
  request_human_action: t('asks for you'),
  ask_person: t('asks you'),
  retire_test: t('retires a test'),
  uphold_verification: t('upholds a verification'),
  withdraw_human_action: t('takes back what you were asked'),
  write_criterion: t('writes a criterion'),
  write_helper: t('writes what verifications share'),
  write_hidden_verification: t('writes a hidden verification'),
  write_verification: t('writes a verification'),
};

/** Those whose first text says what is worked on. */
const takesInput: ReadonlySet<string> = new Set([
  'bash',
  'browser',
  'read_file',
  'write_file',
  'edit_file',
  'glob_search',
  'grep_search',
  'write_helper',
  'write_verification',
  'write_hidden_verification',
]);
