/** What an iteration is asked, from its stage's prompt. Pure, so that a dry run shows it without asking. */
import { prompt, promptText, type Prompt } from '../ground/prompts.ts';
import { anyVariable } from '../parse/prompt-variables.ts';
import { pathsOf, type PlanNode } from '../work/pipeline.ts';
import { runFolder } from '../work/stage.ts';

type Node = Pick<PlanNode, 'id' | 'writes' | 'output' | 'termination'>;

/** @param text of the stage's `prompt.md`. */
export function stagePrompt(plan: { nodes: readonly Node[] }, at: { session: string; node: Node; n: number }, text: string): Prompt {
  const { session, node, n } = at;
  const paths = pathsOf(plan, node.id, n);
  const may = [...new Set([...node.writes, ...(node.output === undefined ? [] : [node.output])])];
  const values: Readonly<Record<string, string>> = {
    CTX: paths.context,
    PROGRESS: paths.progress,
    OUTPUT: paths.output,
    STATUS: paths.status,
    SESSION: session,
    ITERATION: String(n),
    // Of an earlier version.
    INDEX: String(n - 1),
  };
  const { termination } = node;
  const command = termination.type === 'judgment' ? termination.verify : undefined;
  return prompt('stage', {
    prompt: text.replaceAll(anyVariable, (whole, name: string) => values[name] ?? whole).trim(),
    context: paths.context,
    progress: paths.progress,
    output: paths.output,
    status: paths.status,
    writes: may.length === 0 ? 'Nothing else.' : may.map((glob) => `- ${glob}`).join('\n'),
    folder: runFolder,
    verification: command === undefined ? '' : promptText('stage-verification', { command }),
  });
}
