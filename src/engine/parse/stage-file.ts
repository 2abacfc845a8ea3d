/** Reads a stage: `stage.yaml` and the `prompt.md` beside it. */
import type { NamedModel } from '../ground/model-names.ts';
import type { Problem, SourceFile } from '../ground/problem.ts';
import { stageSpec, usualGuardrails, type StageSpec } from '../work/stage.ts';
import { emptyByGrep, grepEnd } from '../work/queue-command.ts';
import { mendOfStage } from './foreign-fields.ts';
import { currentStage } from './older-stage.ts';
import { currentVariables, variableProblems } from './prompt-variables.ts';
import { checkYaml, nameProblems, type Checked, type Tell, type Where } from './checked-yaml.ts';

export interface Stage extends StageSpec {
  prompt: string;
  /** Its model, with the place that names it. */
  named?: NamedModel;
}

/** Where a file lies. Only a person's own files choose what a run may cost. */
export type Origin = 'workspace' | 'user' | 'shipped';

export interface StageFiles {
  stage: SourceFile;
  /** Undefined where the file is missing. */
  prompt: SourceFile | undefined;
  origin: Origin;
  /** Of its folder. Left out: nobody knows. */
  folder?: string;
  /** Limits of the stages that it hides: a file of a repository gets no more than these. */
  most?: readonly StageSpec['guardrails'][];
}

const codes = { notYaml: 'S001', notFields: 'S002', unknownField: 'S003', unusable: 'S004', old: 'S005' };
const longestPrompt = 100_000;

/** Total. A stage with an error has no value; one with warnings has. */
export function readStage({ stage, prompt, origin, folder, most = [] }: StageFiles): Checked<Stage> {
  const checked = checkYaml(stage, stageSpec, codes, { toCurrentForm: currentStage, mendUnknown: mendOfStage });
  if (checked.value && origin === 'workspace') checked.value.guardrails = lowest(checked.value.guardrails, most);
  const problems = [
    ...checked.problems,
    ...(checked.value
      ? [
          ...nameProblems('S016', checked.value.name, folder, checked.problem),
          ...ruleProblems(checked.value, origin, checked.problem),
          ...queueProblems(checked.value, stage.text, checked.problem),
        ]
      : []),
    ...promptProblems(stage, prompt),
  ];
  if (!checked.value || !prompt || problems.some(({ severity }) => severity === 'error')) return { value: undefined, problems };
  const named = namedAt(checked.value.model, stage.name, ['model'], checked.where);
  return { value: { ...checked.value, prompt: currentVariables(prompt.text), ...(named ? { named } : {}) }, problems };
}

/** Undefined where no model is named there. */
export function namedAt(model: string | undefined, file: string, path: readonly PropertyKey[], where: Where): NamedModel | undefined {
  if (model === undefined) return undefined;
  const mend = 'Write another model there, or take it out: then its `tier` says which one works.';
  return { model, by: `${file}:${where(path).line}`, mend };
}

/** Why and how, for what a file of a repository may not say. */
export const noModelHere = {
  what: 'a file of a repository names no model, since who runs it chooses what reads their code and what it costs',
  mend: 'Write `tier: execution` or `tier: triage` in its place, or put the stage, or the pipeline, into your own folder (~/.config/loop/pipelines), and name the model there.',
};

function lowest(own: StageSpec['guardrails'], most: readonly StageSpec['guardrails'][]): StageSpec['guardrails'] {
  const all = [own, ...most];
  return {
    max_iterations: Math.min(...all.map((one) => one.max_iterations)),
    max_runtime_seconds: Math.min(...all.map((one) => one.max_runtime_seconds)),
  };
}

function ruleProblems({ termination, guardrails, tier, model, effort }: StageSpec, origin: Origin, problem: Tell): Problem[] {
  const found: Problem[] = [];
  if (termination.type === 'judgment') {
    for (const field of ['min_iterations', 'consensus'] as const)
      if (termination[field] > guardrails.max_iterations)
        found.push(
          problem('S006', ['termination', field], {
            what: `"${field}" is ${termination[field]}, but there are at most ${guardrails.max_iterations} iterations: it could never end by agreement`,
            mend: `Lower it, or raise "guardrails.max_iterations".`,
          }),
        );
  }
  if (origin !== 'workspace') return found;
  for (const field of ['max_iterations', 'max_runtime_seconds'] as const)
    if (guardrails[field] > usualGuardrails[field])
      found.push(
        problem('S007', ['guardrails', field], {
          what: `"${field}" is ${guardrails[field]}; a file of a repository may lower the limit of ${usualGuardrails[field]}, never raise it`,
          mend: `Give at most ${usualGuardrails[field]}, or copy the stage to your own folder.`,
        }),
      );
  if (model !== undefined) found.push(problem('S017', ['model'], noModelHere));
  if (tier === 'reasoning' || effort === 'max')
    found.push(
      problem('S008', [tier === 'reasoning' ? 'tier' : 'effort'], {
        what: 'a file of a repository cannot choose the dearest model or effort',
        mend: 'Copy the stage to your own folder, and choose there.',
      }),
    );
  return found;
}

function queueProblems({ termination }: StageSpec, text: string, problem: Tell): Problem[] {
  const grep = termination.type === 'queue' ? grepEnd(termination.command) : undefined;
  if (!grep) return [];
  const what = 'this queue is never empty: its command ends in grep, which ends with 1 where it finds nothing, and that is an error';
  const found = problem('S015', ['termination', 'command'], { what, mend: grep.mend, severity: 'warning' });
  if (!grep.isSimple || !found.span) return [found];
  const { from, to } = found.span;
  const written = text.slice(from, to);
  const [, quote = ''] = /^(["'])/.exec(written) ?? [];
  const now = written.replace(new RegExp(`${quote}\\s*$`), (end) => ` ${emptyByGrep}${end}`);
  return [{ ...found, fix: { title: `Add ${emptyByGrep}`, edits: [{ from, to, text: now }] } }];
}

function promptProblems(stage: SourceFile, prompt: SourceFile | undefined): Problem[] {
  const at = (line: number, code: string, words: Pick<Problem, 'what' | 'mend'> & Partial<Problem>): Problem => ({
    severity: 'error',
    file: prompt?.name ?? stage.name,
    ...words,
    line,
    code,
  });
  if (!prompt) return [at(1, 'S009', { what: 'there is no prompt.md beside it', mend: 'Write into prompt.md what the agent shall do.' })];
  if (prompt.text.trim() === '') return [at(1, 'S009', { what: 'the prompt is empty', mend: 'Write what the agent shall do.' })];
  if (prompt.text.length > longestPrompt)
    return [at(1, 'S010', { what: `the prompt is longer than ${longestPrompt} characters`, mend: 'Shorten it.' })];
  const used = (name: string): boolean => currentVariables(prompt.text).includes(`\${${name}}`);
  return [
    ...variableProblems(prompt, { unknown: 'S011', old: codes.old }),
    ...(['CTX', 'STATUS'] as const)
      .filter((name) => !used(name))
      .map((name) =>
        at(1, name === 'CTX' ? 'S013' : 'S012', {
          severity: 'warning',
          what: `the prompt does not name \${${name}}`,
          mend: name === 'CTX' ? 'Tell the agent to read ${CTX} first.' : 'Tell the agent to write its decision to ${STATUS}.',
        }),
      ),
  ];
}
