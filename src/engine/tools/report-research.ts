/** What research found: kept with its sources, and given to later fixers. */
import * as z from 'zod';
import { researched } from '../judge/status.ts';
import { reportTool } from './tool.ts';

const input = z.strictObject({
  found: z.boolean().describe('Whether there is anything that a fixer can act on and has not tried'),
  topic: z.string().min(3).max(200),
  findings: z.string().min(20).max(8000).describe('What is so, since when, and what to do about it; or why nothing was found'),
  sources: z.array(z.string().max(500)).max(20).describe('Addresses that say so; empty if you could not look it up'),
});

export const reportResearch = reportTool<z.infer<typeof input>>({
  name: 'report_research',
  description: 'Submit what you found about the failure. It ends the session.',
  input,
  handle({ found, topic, findings, sources }, { state }) {
    const lineages = researched(state).map((v) => v.lineage);
    if (!found) return { text: 'Noted.', facts: [{ fact: 'research.empty', lineages, why: findings }] };
    const brief = { lineages, topic, findings, sources, by: 'research' as const };
    return { text: 'Taken; the next fixer gets it.', facts: [{ fact: 'research.reported', brief }] };
  },
});
