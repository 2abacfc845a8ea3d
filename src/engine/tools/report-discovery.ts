/** What discovery found: the sprint's context and the value proofs, which become requirements `V1`, `V2` … */
import { z } from 'zod';
import { installProblem } from '../parse/install-command.ts';
import { suiteProblem } from '../parse/suite-command.ts';
import { need, type DeclaredNeed } from '../work/needs.ts';
import { denied } from './policy.ts';
import { serviceSpec, servicesProblem } from '../parse/services-file.ts';
import { reportTool, ToolError } from './tool.ts';

const input = z.strictObject({
  deliverable_type: z.enum(['software', 'document', 'data', 'config', 'hybrid']),
  project_type: z.string().min(1).describe('web_app, cli, api, library, report …'),
  codebase_state: z.enum(['greenfield', 'brownfield', 'non_code']),
  environment: z.record(z.string(), z.unknown()).default({}).describe('Tools, variables and files that you found'),
  verification_strategy: z.record(z.string(), z.unknown()).default({}).describe('How value is to be verified'),
  install: z.string().default('').describe('Installs with flags that no manifest tells (uv sync --all-extras), joined by &&; else empty'),
  suites: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'lower case letters, digits and -'),
        command: z.string().min(1).describe('The plain command that runs it: npm test, pytest, sh test/run.sh …'),
        files: z.array(z.string().min(1).max(200)).min(1).max(20).describe('Globs of its test files and what only they use'),
      }),
    )
    .max(5)
    .default([])
    .describe('Test suites that the repository has already'),
  services: z
    .array(serviceSpec)
    .default([])
    .describe('What must run for the deliverable to be used; each is started for every verification that requires it'),
  value_proofs: z.array(z.string().min(1)).min(1, 'the Vision promises something: name at least one proof of it'),
  unresolved_questions: z.array(z.string()).default([]),
  needs: z
    .array(
      z.strictObject({
        what: need,
        why: z.string().min(1).describe('What it is for, one sentence for the person'),
        required_by: z
          .array(z.string())
          .describe('Ids of the requirements and value proofs (V1, V2 …) that cannot be met without it; empty where it only helps'),
      }),
    )
    .max(40)
    .default([])
    .describe('What only a person can supply: never what the work itself creates, installs or starts'),
});
type Input = z.infer<typeof input>;

export const reportDiscovery = reportTool<Input>({
  name: 'report_discovery',
  description: 'Submit what this sprint is about and how to tell that its value is there. It ends the session.',
  input,
  handle(call, { state }) {
    if (state.work.context) throw new ToolError('Discovery was taken already; nothing more is needed.');
    const wrong = installProblem(call.install);
    if (wrong) throw new ToolError(wrong);
    refuseSuites(call.suites);
    const wrongService = servicesProblem(call.services, state.config);
    if (wrongService) throw new ToolError(`services: ${wrongService}.`);
    const requirements = call.value_proofs.map((title, i) => ({ id: `V${i + 1}`, title, line: 0 }));
    const needs = call.needs.map(({ what, why, required_by }) => ({ what, why, requirements: required_by }));
    const problem = needProblem(
      needs,
      [...state.work.requirements, ...requirements].map(({ id }) => id),
    );
    if (problem) throw new ToolError(problem);
    const context = {
      deliverableType: call.deliverable_type,
      projectType: call.project_type,
      codebaseState: call.codebase_state,
      environment: call.environment,
      verificationStrategy: call.verification_strategy,
      install: call.install.trim(),
      suites: call.suites,
      services: call.services,
      valueProofs: call.value_proofs,
      unresolvedQuestions: call.unresolved_questions,
      needs,
    };
    return {
      text: `Discovery taken; value proofs are ${requirements.map((r) => r.id).join(', ')}.`,
      facts: [
        { fact: 'context.discovered', context },
        { fact: 'requirements.read', requirements },
      ],
    };
  },
});

function refuseSuites(suites: Input['suites']): void {
  const wrong = suites.map(suiteProblem).find((problem) => problem !== undefined);
  if (wrong !== undefined) throw new ToolError(wrong);
  if (new Set(suites.map(({ name }) => name)).size < suites.length) throw new ToolError('Two suites have one name.');
}

function needProblem(needs: readonly DeclaredNeed[], known: readonly string[]): string | undefined {
  const unknown = [...new Set(needs.flatMap((n) => n.requirements))].filter((id) => !known.includes(id));
  if (unknown.length > 0) return `required_by names ${unknown.join(', ')}. There are: ${known.join(', ')}.`;
  const paths = needs.flatMap(({ what }) => (what.kind === 'file' ? [what.path] : []));
  return paths.map((path) => denied('builder', 'write_file', { path })).find((why) => why !== undefined);
}
