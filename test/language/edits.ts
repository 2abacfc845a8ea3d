/** Random edits of a document, of the kind that break readers: whole lines, halves of markers, other ends of lines. */
import type { TextDocument } from 'vscode-languageserver-textdocument';

const pieces = [
  '\n',
  '\r\n',
  '\r',
  '# ',
  '## 1. Totals\n',
  '## Output\n',
  '\n- 2.1 The total is printed.\n',
  '2.1',
  '1. ',
  '- ',
  '  ',
  '```\n',
  '~~~',
  '<!--',
  '-->',
  '§2.1',
  '**',
  '`',
  '\u2028',
  '\ud83d\ude00',
  '\ud83d',
  'é',
  'Refactor the parser',
  'password = "Kx93-jfLq0-2mZs"',
  'sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaa',
  '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n',
  '1'.repeat(40),
  '.1'.repeat(40),
  'x'.repeat(200),
  'name: [',
  '{',
  ': ',
  '\t',
  '# PRD: 2.1\n',
  '# RED: wrong\n',
  '&a',
  '*a',
  '!!',
];
const maxLength = 1500;

/** Takes out a piece, puts one in, or both. */
export function editOf(document: TextDocument, random: () => number): { range: ReturnType<typeof rangeIn>; text: string } {
  const { length } = document.getText();
  const from = Math.floor(random() * (length + 1));
  const taken = random() < 0.5 ? 0 : Math.floor(random() * (length > maxLength ? 800 : 30));
  const text = random() < 0.7 ? (pieces[Math.floor(random() * pieces.length)] ?? '') : '';
  return { range: rangeIn(document, from, Math.min(length, from + taken)), text };
}

function rangeIn(document: TextDocument, from: number, to: number) {
  return { start: document.positionAt(from), end: document.positionAt(to) };
}
