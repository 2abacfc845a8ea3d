/** Fields that stages and pipelines of peers and of earlier versions have, and that there are not: what to write in their place. */

const kinds = '`tier: execution` or `tier: triage`';
const provider = `Write it into \`model\`, whose name tells the provider: \`model: claude-opus-5-5\`, or \`model: editor:vendor/id\`. In a repository, which chooses no model, write ${kinds}.`;
const ofPipeline = `Write \`model\` or \`tier\` in a stage or at a node; in a repository, which chooses no model, ${kinds}.`;

/** By the last name of a field's path. */
const stageFields = new Map([['provider', provider]]);

const pipelineFields = new Map([
  ['defaults', ofPipeline],
  ['model', ofPipeline],
  ['provider', ofPipeline],
]);

const nodeFields = new Map([
  ...stageFields,
  ['prompt', 'Write it into stages/NAME/prompt.md with a stage.yaml beside it, and name that stage: `stage: NAME`.'],
  ['completion', 'Write `termination` in the stage.yaml of its stage.'],
  ['termination', 'Write it in the stage.yaml of its stage.'],
  ['perspectives', 'Write a stage for each, side by side: `parallel: [{ id: …, stage: … }, …]`.'],
]);

/** Fields that exist, in another place. */
const misplaced = new Map([
  ['verify', 'Write it in `termination`, as in `termination: { type: judgment, verify: npm test }`.'],
  ['termination.verify', 'Remove it: only a stage that ends by `judgment` counts decisions to stop.'],
]);

/** How to mend an unknown field of a stage; undefined where nobody knows what it means. */
export function mendOfStage(path: readonly PropertyKey[]): string | undefined {
  return misplaced.get(path.join('.')) ?? (path.length === 1 ? stageFields.get(String(path[0])) : undefined);
}

/** How to mend an unknown field of a pipeline, its nodes and what they run side by side. */
export function mendOfPipeline(path: readonly PropertyKey[]): string | undefined {
  const field = String(path.at(-1));
  return path.length === 1 ? pipelineFields.get(field) : path[0] === 'nodes' ? nodeFields.get(field) : undefined;
}
