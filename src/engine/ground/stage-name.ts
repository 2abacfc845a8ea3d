/** The name of a stage, a pipeline, a node, or the session of a run: also the name of its folder or file. */
export const stageNamePattern = /^[a-z0-9][a-z0-9-]{0,39}$/;
export const stageNameWords = 'lower case letters, digits and "-", at most 40';
