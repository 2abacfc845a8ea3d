/** All findings of one document of a sprint folder: what the editor underlines and `loop lint` prints. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { emptySections, secretFindings, shortFindings } from './document-findings.ts';
import type { Finding } from './finding.ts';
import type { Kind } from './place.ts';
import { readPrd } from './prd.ts';
import { prdFindings } from './prd-findings.ts';

/** In the order of their places. */
export function findingsOf(document: TextDocument, kind: Kind): Finding[] {
  const findings = [...ofKind(document, kind), ...secretFindings(document)];
  return findings.sort((a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character);
}

function ofKind(document: TextDocument, kind: Kind): Finding[] {
  const text = document.getText();
  switch (kind) {
    case 'vision':
      return [...shortFindings('VISION.md', text), ...emptySections(text)];
    case 'prd':
      return [...shortFindings('PRD.md', text), ...prdFindings(readPrd(text)), ...emptySections(text)];
    default:
      return [];
  }
}
