/** What discovery found: the sprint's context and the value proofs, which become requirements `V1`, `V2` … */
import * as z from 'zod';
import { serviceSpec, servicesProblem } from '../parse/services-file.ts';
import { needsInput, needsOf, refuseNeeds, suitesInput, takenOf } from './declaration.ts';
import { reportTool, ToolError } from './tool.ts';

const input = z.strictObject({
  deliverable_type: z.enum(['software', 'document', 'data', 'config', 'hybrid']),
  project_type: z.string().min(1).describe('web_app, cli, api, library, report …'),
  codebase_state: z.enum(['greenfield', 'brownfield', 'non_code']),
  environment: z.record(z.string(), z.unknown()).default({}).describe('Tools, variables and files that you found'),
  verification_strategy: z.record(z.string(), z.unknown()).default({}).describe('How value is to be verified'),
  install: z.string().default('').describe('Installs with flags that no manifest tells (uv sync --all-extras), joined by &&; else empty'),
  suites: suitesInput.default([]).describe('Suites and checks that the repository has already'),
  services: z
    .array(serviceSpec)
    .default([])
    .describe('What must run for the deliverable to be used; each is started for every verification that requires it'),
  value_proofs: z.array(z.string().min(1)).min(1, 'the Vision promises something: name at least one proof of it'),
  unresolved_questions: z.array(z.string()).default([]),
  needs: needsInput.default([]).describe('What only a person can supply: never what the work itself creates, installs or starts'),
});

export const reportDiscovery = reportTool<z.infer<typeof input>>({
  name: 'report_discovery',
  description: 'Submit what this sprint is about and how to tell that its value is there.',
  input,
  handle(call, { state }) {
    if (state.work.context) throw new ToolError('Discovery was taken already: leave it out.');
    const wrongService = servicesProblem(call.services, state.config);
    if (wrongService) throw new ToolError(`services: ${wrongService}.`);
    const requirements = call.value_proofs.map((title, i) => ({ id: `V${i + 1}`, title, text: title, line: 0, lastLine: 0 }));
    const needs = needsOf(call.needs);
    refuseNeeds(
      needs,
      [...state.work.requirements, ...requirements].map(({ id }) => id),
    );
    const { install, suites, leftOut } = takenOf(call);
    const context = {
      deliverableType: call.deliverable_type,
      projectType: call.project_type,
      codebaseState: call.codebase_state,
      environment: call.environment,
      verificationStrategy: call.verification_strategy,
      install,
      suites,
      ...(leftOut.length > 0 ? { leftOut } : {}),
      services: call.services,
      valueProofs: call.value_proofs,
      unresolvedQuestions: call.unresolved_questions,
      needs,
    };
    return {
      text: [
        `Discovery taken; value proofs are ${requirements.map((r) => r.id).join(', ')}.`,
        ...leftOut.map((why) => `Left out. ${why}`),
      ].join('\n'),
      facts: [
        { fact: 'context.discovered', context },
        { fact: 'requirements.read', requirements },
      ],
    };
  },
});
