/**
 * What the engine says of runs and proofs, against the ground truth: a script's output is read again, and the script itself runs once
 * more, on the work as it is, with the oracle's own faults in it, or silenced. So no flag that the engine wrote is believed.
 */
import type { FaultEnd, FaultTrial, Measure, Proof, Run } from '../../../src/engine/work/verification.ts';
import type { SimulatedRepo } from '../world/repo.ts';
import type { SimulatedRunner } from '../world/runner.ts';
import { commentLine, languageOf, type Files } from '../world/work.ts';

export interface Witness {
  repo: Pick<SimulatedRepo, 'commits' | 'committed'>;
  runner: Pick<SimulatedRunner, 'truly'>;
  textOf(ref: string): string | undefined;
}

type TextOf = Witness['textOf'];

/** Whether its output holds what the script's header says that it prints when it fails. What its services printed does not count. */
export function showsRed({ output, script }: Pick<Run, 'output' | 'script'>, textOf: TextOf): boolean {
  const red = /^# RED: (.*)$/m.exec(textOf(script) ?? '')?.[1]?.trim();
  const [own = ''] = (textOf(output) ?? '').split('\n[loop: service ', 1);
  return red !== undefined && own.includes(red);
}

/** What is untrue of a run that was recorded. */
export function untrueOfRun(run: Run, { runner, textOf }: Witness): string[] {
  const { verification, verdict, where, code, script, redSeen, lineage } = run;
  // A suite has no header, and runs with tests from before the sprint.
  if (lineage.startsWith('suite/')) return [];
  const isFalseRed = redSeen !== showsRed(run, textOf);
  const isFalseGreen = verdict === 'green' && where !== 'revert' && code !== null && runner.truly(textOf(script) ?? '', where) === 'red';
  return [
    ...(isFalseRed ? [`${verification} is said to have printed ${redSeen ? '' : 'no '}RED text`] : []),
    ...(isFalseGreen ? [`${verification} is green (${where}), and is red where chance decides nothing`] : []),
  ];
}

/** What is untrue of a control: it must be green over the work, and red where none of it runs. */
export function untrueOfProof({ kind, outcome, lineage, script }: Proof, { repo, runner, textOf }: Witness): string[] {
  if (kind !== 'control' || outcome !== 'red') return [];
  const text = textOf(script) ?? '';
  const silent = silencedIn(repo);
  return [
    ...(runner.truly(text, 'clean') === 'red' ? [`the control of ${lineage} holds, and it is red over the work`] : []),
    ...(Object.keys(silent).length > 0 && runner.truly(text, 'clean', silent) === 'green'
      ? [`the control of ${lineage} holds, and it is green where nothing of the work runs`]
      : []),
  ];
}

/** What is untrue of a measure: which faults the script sees. */
export function untrueOfMeasure({ lineage, script, trials, near = [], values = [] }: Measure, witness: Witness): string[] {
  return [...trials, ...near, ...values].flatMap((trial) => untrueOf({ lineage, script, ...trial }, endOf[trial.outcome], witness));
}

export function untrueOfFault(tried: FaultEnd, witness: Witness): string[] {
  return untrueOf(tried, tried.end === 'red' || tried.end === 'green' ? tried.end : undefined, witness);
}

/** What a run with the fault must be, where its outcome tells. */
const endOf: Partial<Record<FaultTrial['outcome'], 'red' | 'green'>> = {
  seen: 'red',
  unseen: 'green',
  untold: 'green',
  elsewhere: 'green',
  loaded: 'green',
};

function untrueOf(
  { lineage, script, path, line, was, now }: Pick<FaultEnd, 'lineage' | 'script' | 'path' | 'line' | 'was' | 'now'>,
  said: 'red' | 'green' | undefined,
  { repo, runner, textOf }: Witness,
): string[] {
  const lines = repo.committed[path]?.split('\n') ?? [];
  if (said === undefined || lines[line - 1] !== was) return [];
  const truth = runner.truly(textOf(script) ?? '', 'clean', { [path]: lines.with(line - 1, now).join('\n') });
  return truth === undefined || truth === said
    ? []
    : [`${lineage} is said to be ${said} with "${now}" for "${was}" in ${path}, and is ${truth}`];
}

/** The files of the sprint's commits with their words, none of which runs; what is no program is blank. */
function silencedIn({ commits, committed }: Witness['repo']): Files {
  const paths = new Set(
    commits.flatMap(({ before, after }) => Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path])),
  );
  return Object.fromEntries(
    [...paths].flatMap((path) => {
      const text = committed[path];
      return text === undefined || path.startsWith('sprint/') ? [] : [[path, silenced(path, text)]];
    }),
  );
}

function silenced(path: string, text: string): string {
  const language = languageOf(path);
  if (!language) return '\n';
  return text
    .split('\n')
    .map((line) => (line === '' ? line : commentLine(language, line)))
    .join('\n');
}
