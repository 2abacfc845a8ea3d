/** Characters of one word, and of all words of a sprint: agents read them in their prompts. The editor's own process loads them without schemas. */
export const longestWord = 2000;
export const longestWords = 20_000;
