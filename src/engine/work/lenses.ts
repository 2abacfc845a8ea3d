/** What Vision, PRD and plan are looked at for. Apart from their schemas, because the editor's own process loads no schemas. */

/** Modes of thought, one after the other: what it claims, whose forces stand against it, why it works, how it fails, the whole. */
export const visionLenses = ['extraction', 'forces', 'causality', 'pre_mortem', 'synthesis'] as const;

/** All lenses on Vision and PRD; a point's kind is its lens on the PRD. */
export const documentLenses = [...visionLenses, 'infeasible', 'untestable', 'contradiction', 'scope', 'dependency'] as const;

/** What each looks for: `prompts/review-plan.md`. `vrc`: how much of the value there would be once all tasks are done. */
export const planLenses = ['craap', 'clarity', 'validate', 'connect', 'break', 'prune', 'tidy', 'blockers', 'vrc'] as const;
