/** What every document of a sprint may have wrong: a pasted secret, a section with nothing in it, too few words. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { secretsIn } from '../engine/ground/redact.ts';
import { minCharacters, whatToWrite, type SprintDocument } from '../engine/parse/documents.ts';
import { templateProblems } from '../engine/parse/template-text.ts';
import type { Finding } from './finding.ts';
import { headingsOf } from './headings.ts';
import { lineRange, linesOf } from './lines.ts';

export function secretFindings(document: TextDocument): Finding[] {
  return secretsIn(document.getText()).map(({ from, to }) => {
    const range = { start: document.positionAt(from), end: document.positionAt(to) };
    return {
      code: 'secret',
      severity: 'warning',
      range,
      message: 'This looks like a secret. Agents do not need it, and git would keep it.',
      next: 'Name the variable that holds it, give commands that variable by the setting "environment", and replace the secret where it was issued.',
      fixes: [{ title: 'Take it out', edits: [{ range, newText: '[redacted]' }] }],
    };
  });
}

/** A sprint does not start from a Vision or PRD that says next to nothing. */
export function shortFindings(name: SprintDocument, text: string): Finding[] {
  if (text.trim().length >= minCharacters) return [];
  return [
    {
      code: 'too-short',
      severity: 'error',
      range: lineRange(linesOf(text), 0),
      message: `${name} is empty or says next to nothing (${text.trim().length} characters).`,
      next: whatToWrite[name],
      fixes: [],
    },
  ];
}

/** A sprint does not start from the examples of our template. */
export function exampleFindings(vision: string): Finding[] {
  return templateProblems('VISION.md', vision).map(({ line, message, next }) => ({
    code: 'example',
    severity: 'error',
    range: lineRange(linesOf(vision), line - 1),
    message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
    next,
    fixes: [],
  }));
}

/** Headings without a number and with nothing below them. A numbered one is a requirement by itself. */
export function emptySections(text: string): Finding[] {
  const lines = linesOf(text);
  return headingsOf(text)
    .filter(({ line, end, id }) => id === undefined && lines.slice(line + 1, end + 1).every((one) => one.trim() === ''))
    .map(({ line, end, title }) => ({
      code: 'empty-section',
      severity: 'information',
      range: lineRange(lines, line),
      message: `The section "${title}" says nothing.`,
      next: 'Write what belongs there, or take out the heading.',
      fixes: [
        {
          title: 'Take out the heading',
          edits: [
            {
              range: {
                start: { line, character: 0 },
                end: end + 1 < lines.length ? { line: end + 1, character: 0 } : { line: end, character: lines[end]?.length ?? 0 },
              },
              newText: '',
            },
          ],
        },
      ],
    }));
}
