/** The variables of a stage's prompt, those of the format's earlier versions among them. */
import type { Problem, SourceFile } from '../ground/problem.ts';

/** Names of the variables that a prompt may use, as `${NAME}`. */
export const promptVariables = ['CTX', 'PROGRESS', 'OUTPUT', 'STATUS', 'SESSION', 'ITERATION'] as const;

/** Whatever stands as a variable, its name as the first group: one with a dot or a dash, too. */
export const anyVariable = /\$\{([^}\s]+)\}/g;

const renamed = new Map([
  ['SESSION_NAME', 'SESSION'],
  ['PROGRESS_FILE', 'PROGRESS'],
  ['OUTPUT_PATH', 'OUTPUT'],
]);

/** Texts of the earlier versions as what they mean now. `${INDEX}` stays: it is filled in, since no variable of today counts from 0. */
export function currentVariables(text: string): string {
  return text.replaceAll(anyVariable, (whole, name: string) => (name === 'INDEX' ? whole : (olderVariable(name)?.now ?? whole)));
}

/** What is wrong with the variables of a prompt. @param codes of one that is unknown, and of one that is old. */
export function variableProblems({ name: file, text }: SourceFile, codes: { unknown: string; old: string }): Problem[] {
  const known: readonly string[] = promptVariables;
  return [...text.matchAll(anyVariable)].flatMap(({ 0: whole, 1: name = '', index }): Problem[] => {
    if (known.includes(name)) return [];
    const span = { from: index, to: index + whole.length };
    const at = { file, line: text.slice(0, index).split('\n').length, span };
    const older = olderVariable(name);
    if (older) {
      const { what, mend, now } = older;
      const fix = { title: `Write ${now}`, edits: [{ ...span, text: now }] };
      return [{ ...at, code: codes.old, severity: 'warning', what: `${whole} ${what}`, mend, fix }];
    }
    const mend = `Use one of ${known.map((one) => `\${${one}}`).join(', ')}.`;
    return [{ ...at, code: codes.unknown, severity: 'error', what: `there is no variable ${whole}`, mend }];
  });
}

interface OlderVariable {
  /** What to write in its place. */
  now: string;
  what: string;
  mend: string;
}

function olderVariable(name: string): OlderVariable | undefined {
  const now = renamed.get(name);
  if (now !== undefined) return { now: `\${${now}}`, what: `is the old name of \${${now}}`, mend: `Write \${${now}}.` };
  const what = 'is a variable of an older version';
  if (name === 'INDEX') return { now: '${ITERATION}', what, mend: 'Write ${ITERATION}, which counts from 1 and not from 0.' };
  const [, isInputs, of] = /^(INPUTS)(?:\.(.+))?$/.exec(name) ?? [];
  if (isInputs === undefined) return undefined;
  const field = of === undefined ? 'inputs.from_stage' : `inputs.from_stage.${of}`;
  const mend = `Tell the agent to read the files that "${field}" in \${CTX} names: outputs of the node in \`inputs: { from: ${of ?? '…'} }\`.`;
  return { now: `${field} of \${CTX}`, what, mend };
}
