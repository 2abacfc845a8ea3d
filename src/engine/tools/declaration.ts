/** What discovery declares, and course correction and QC may declare anew: one schema and the same tests for all. */
import * as z from 'zod';
import { baseTank } from '../judge/guarded-suites.ts';
import { installAdvice, installProblem, takenOfInstall } from '../parse/install-command.ts';
import { serviceSpec, servicesProblem } from '../parse/services-file.ts';
import { suiteAdvice, suiteProblem } from '../parse/suite-command.ts';
import { servicesOf } from '../services/services.ts';
import { amendTank, canBurn } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { amended, type Amendment } from '../work/amendment.ts';
import type { Fact } from '../work/facts.ts';
import { need, type DeclaredNeed } from '../work/needs.ts';
import type { DeclaredSuite } from '../work/suite.ts';
import { denied } from './policy.ts';
import { ToolError } from './tool.ts';

export const suitesInput = z
  .array(
    z.strictObject({
      name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'at most 31 lower case letters, digits and -'),
      command: z.string().min(1).describe('The plain command that runs it: npm test, pytest, sh test/run.sh, npm run lint, mypy …'),
      files: z
        .array(z.string().min(1).max(200))
        .min(1)
        .max(20)
        .describe('Globs of its test files and what only they use; of a check, the file with its rules'),
    }),
  )
  .max(5);

export const needsInput = z
  .array(
    z.strictObject({
      what: need,
      why: z.string().min(1).describe('What it is for, one sentence for the person'),
      required_by: z
        .array(z.string())
        .describe('Ids of the requirements and value proofs (V1, V2 …) that cannot be met without it; empty where it only helps'),
    }),
  )
  .max(40);

export const amendmentInput = z.strictObject({
  install: z.string().optional().describe('Installs with flags that no manifest tells (uv sync --all-extras), joined by &&; else empty'),
  suites: suitesInput.default([]).describe('Suites that are run otherwise than declared, by their names, or that were forgotten'),
  services: z.array(serviceSpec).default([]).describe('Services that start or answer otherwise than declared, by their names, or new ones'),
  needs: needsInput.default([]).describe('What only a person can supply and nobody declared'),
});
type AmendmentInput = z.infer<typeof amendmentInput>;

/** @throws ToolError when what is declared anew is wrong, nothing new, or one amendment too many. */
export function amendmentFact({ work, ledger, config }: State, call: AmendmentInput, by: Amendment['by'], why: string): Fact {
  const { context } = work;
  if (!context) throw new ToolError('Nothing was discovered yet.');
  if (!canBurn(ledger, [amendTank])) throw new ToolError('What discovery declared was amended as often as it may be.');
  const { suites, services } = call;
  const needs = needsOf(call.needs);
  const install = call.install?.trim();
  if (install !== undefined) refuseInstall(install);
  refuseSuites(suites);
  const spent = suites.find(({ name }) => !canBurn(ledger, [baseTank(name)]));
  if (spent) throw new ToolError(`Suite ${spent.name} ran on the base commit as often as it may: it cannot be declared anew.`);
  const own = services.find(({ name }) => work.services.some((s) => s.name === name));
  if (own) throw new ToolError(`Service ${own.name} is declared in the person's services.yaml: only they change it. Ask them.`);
  const others = servicesOf(work).filter((s) => !services.some(({ name }) => name === s.name));
  const wrongService = servicesProblem([...others, ...services], config);
  if (wrongService) throw new ToolError(`services: ${wrongService}.`);
  refuseNeeds(
    needs,
    work.requirements.map(({ id }) => id),
  );
  const declared = { ...(install === undefined ? {} : { install }), suites, services, needs };
  if (JSON.stringify(amended(context, { declared, why, by })) === JSON.stringify(context))
    throw new ToolError('That is declared already. Declare what is different.');
  return { fact: 'context.amended', declared, why, by };
}

export function needsOf(needs: z.infer<typeof needsInput>): DeclaredNeed[] {
  return needs.map(({ what, why, required_by }) => ({ what, why, requirements: required_by }));
}

interface Taken {
  install: string;
  suites: DeclaredSuite[];
  /** A sentence for each that is not taken. */
  leftOut: string[];
}

/** Without the installs and suites that cannot be taken, so that nobody has to report all of it again for one of them. */
export function takenOf({ install, suites }: { install: string; suites: readonly DeclaredSuite[] }): Taken {
  const taken = takenOfInstall(install);
  const problems = suites.map((suite, n) => {
    const isTwice = suites.findIndex(({ name }) => name === suite.name) < n;
    return isTwice ? `Suite ${suite.name}: another one has its name.` : suiteProblem(suite);
  });
  return {
    install: taken.install,
    suites: suites.filter((_, n) => problems[n] === undefined),
    leftOut: [...taken.leftOut, ...problems.flatMap((words) => words ?? [])],
  };
}

export function refuseInstall(command: string): void {
  const wrong = installProblem(command);
  if (wrong) throw new ToolError(`${wrong} ${installAdvice}`);
}

export function refuseSuites(suites: readonly DeclaredSuite[]): void {
  const wrong = suites.map(suiteProblem).find((problem) => problem !== undefined);
  if (wrong !== undefined) throw new ToolError(`${wrong} ${suiteAdvice}`);
  if (new Set(suites.map(({ name }) => name)).size < suites.length) throw new ToolError('Two suites have one name.');
}

/** @param known ids of requirements and value proofs. */
export function refuseNeeds(needs: readonly DeclaredNeed[], known: readonly string[]): void {
  const unknown = [...new Set(needs.flatMap((n) => n.requirements))].filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new ToolError(`required_by names ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  const paths = needs.flatMap(({ what }) => (what.kind === 'file' ? [what.path] : []));
  const problem = paths.map((path) => denied('builder', 'write_file', { path })).find((why) => why !== undefined);
  if (problem) throw new ToolError(problem);
}
