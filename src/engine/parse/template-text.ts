/** Examples of the templates that a new sprint gets (media/templates): what still stands there is not what the person wants. */
import type { SprintDocument } from './documents.ts';

const examples: Record<SprintDocument, readonly string[]> = {
  'VISION.md': [
    'Someone in a situation: "A bookkeeper who types the figures of forty paper receipts a week into a form".',
    'What they can do then, in their words: "They photograph a receipt and find the figures in their ledger, ready to confirm".',
    'Something that can be seen or counted: "Forty receipts are entered in ten minutes, and none has a wrong sum".',
  ],
  'PRD.md': [
    '## 1. The first thing that must be true',
    '1.1 Running `tool add 12.50 lunch` prints `added lunch 12.50` and exits 0.',
    '1.2 Running `tool add twelve lunch` prints a message that names `twelve` and exits 2.',
  ],
};

const next = {
  'VISION.md': 'Write in its place who gets what, and how you will know that they have it.',
  'PRD.md': 'Write in its place what must be true, or take the line out.',
};

export interface LeftExample {
  line: number;
  message: string;
  next: string;
  refuses: true;
}

export function templateProblems(name: SprintDocument, text: string): LeftExample[] {
  return text.split(/\r\n|\n|\r/).flatMap((line, index) => {
    if (!examples[name].includes(line.trim())) return [];
    return [{ line: index + 1, message: 'this is still the example of the template', next: next[name], refuses: true }];
  });
}
