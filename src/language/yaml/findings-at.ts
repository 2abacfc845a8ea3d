/** Problems of a file that was read, as findings. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Problem, TextFix } from '../../engine/ground/problem.ts';
import { sentence } from '../../engine/ground/text.ts';
import type { Finding, Fix } from '../finding.ts';
import { lineRange, linesOf } from '../lines.ts';

/** @param problems all of this document. */
export function findingsAt(document: TextDocument, problems: readonly Problem[]): Finding[] {
  const lines = linesOf(document.getText());
  return problems.map(({ code, severity, line, span, what, mend, fix }) => ({
    code,
    severity,
    range: span ? { start: document.positionAt(span.from), end: document.positionAt(span.to) } : lineRange(lines, line - 1),
    message: sentence(what),
    next: mend,
    fixes: fix ? [fixOf(document, fix)] : [],
  }));
}

function fixOf(document: TextDocument, { title, edits }: TextFix): Fix {
  const at = (offset: number) => document.positionAt(offset);
  return { title, edits: edits.map(({ from, to, text }) => ({ range: { start: at(from), end: at(to) }, newText: text })) };
}
