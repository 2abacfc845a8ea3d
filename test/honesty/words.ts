/** What the documents of a case say, and its checks. */

/** What every check prints when the requirement does not hold. */
export const redText = 'not as required';

export function prdOf(product: string, requirements: readonly string[]): string {
  const lines = requirements.map(
    (text, i) => `1.${i + 1} ${text}${requirements.indexOf(text) !== requirements.lastIndexOf(text) ? ` (look ${i + 1})` : ''}`,
  );
  return `# PRD\n\n## 1. ${product}\n\n${lines.join('\n')}\n`;
}
