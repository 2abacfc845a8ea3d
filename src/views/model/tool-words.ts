/** What an agent does with a tool, in words. */

/** @param input the first line of the first text that the tool was given. */
export function toolWords(name: string, input: string): string {
  const words = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (words === undefined) return input === '' ? name : `${name}: ${input}`;
  return input === '' || !takesInput.has(name) ? words : `${words}: ${input}`;
}

const verbs: Readonly<Record<string, string>> = {
  bash: 'runs a command',
  browser: 'uses a browser',
  read_file: 'reads',
  write_file: 'writes',
  edit_file: 'edits',
  glob_search: 'looks for files',
  grep_search: 'searches',
  amend_declaration: 'corrects what was declared',
  uphold_declaration: 'upholds what was declared',
  manage_task: 'changes the plan',
  offer_mutant: 'offers a fault to prove a verification',
  report_causes: 'reports causes',
  report_course_correction: 'reports a course correction',
  report_discovery: 'reports what it found out',
  report_document_review: 'reports what it found in Vision and PRD',
  report_evaluation: 'reports its evaluation',
  report_fix: 'reports its fix',
  report_hidden_complete: 'reports that hidden verifications are written',
  report_plan_complete: 'reports that the plan is complete',
  report_plan_health: 'reports on the plan',
  report_research: 'reports what it found',
  report_status: 'reports how far it is',
  report_strategy: 'reports how to go on',
  report_task_complete: 'reports its task as done',
  report_verifications_complete: 'reports that verifications are written',
  report_vrc: 'reports its assessment',
  request_human_action: 'asks for you',
  retire_test: 'retires a test',
  uphold_verification: 'upholds a verification',
  write_criterion: 'writes a criterion',
  write_hidden_verification: 'writes a hidden verification',
  write_verification: 'writes a verification',
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
  'write_verification',
  'write_hidden_verification',
]);
