/** A PRD with these lines in its section 2. */
export function prd(...lines: string[]): string {
  return ['# Receipts', '', 'What the program does with a receipt.', '', '## 2. Output', ...lines, ''].join('\n');
}
