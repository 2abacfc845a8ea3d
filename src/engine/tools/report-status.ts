/** An iteration's decision. It ends no stage: the engine counts decisions. */
import { status, type Status } from '../work/pipeline.ts';
import { reportTool } from './tool.ts';

export const reportStatus = reportTool<Status>({
  name: 'report_status',
  description: 'Report what this iteration did and whether another one is needed. It ends the session.',
  input: status,
  handle: (told, { step }) => ({ text: 'Taken; the iteration ends here.', facts: [{ fact: 'status.reported', step, status: told }] }),
});
