/** The documents that a person may change on the way. Without zod, because the editor's own bundle has it. */
export const revisable = ['VISION.md', 'PRD.md'] as const;
