/** A pipeline's run in words. */
import { verdictOn, type Iteration, type PipelineRun, type PlanNode } from '../work/pipeline.ts';

/** The rule that ends a stage: `when 2 in a row decide to stop, after at least 2`. */
export function ruleWords({ termination }: Pick<PlanNode, 'termination'>): string {
  if (termination.type === 'fixed') return 'after its number of iterations';
  if (termination.type === 'queue') return `when this command prints nothing: ${termination.command}`;
  const only = termination.verify === undefined ? '' : `; a stop counts only where this passes: ${termination.verify}`;
  return `when ${termination.consensus} in a row decide to stop, after at least ${termination.min_iterations}${only}`;
}

/** What became of a stop that had to be verified; empty where nothing had to pass, or has not run yet. */
export function verdictWords(run: PipelineRun, at: Pick<Iteration, 'node' | 'n'>): string {
  const verdict = verdictOn(run, at);
  if (!verdict) return '';
  return verdict.passed ? 'verified' : `does not count: its verification ${verdict.how}`;
}
