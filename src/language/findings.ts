/** All findings of one document of a sprint folder, or of a stage or pipeline: what the editor underlines and `loop lint` prints. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { emptySections, exampleFindings, secretFindings, shortFindings } from './document-findings.ts';
import type { Finding } from './finding.ts';
import type { Kind } from './place.ts';
import { readPrd } from './prd.ts';
import { prdFindings } from './prd-findings.ts';
import { nothingKnown, verificationFindings, type Around } from './verification.ts';
import { pipelineFindings } from './yaml/pipeline-findings.ts';
import { configFindings, servicesFindings } from './yaml/sprint-findings.ts';

/** In the order of their places. */
export function findingsOf(document: TextDocument, kind: Kind, around: Around = nothingKnown): Finding[] {
  const own = ofKind(document, kind, around);
  const secrets = secretFindings(document);
  const lineOf = ({ range }: Finding): number => range.start.line;
  // The reader tells of a secret too, without its place in the line.
  const refused = new Set(own.filter(({ code, severity }) => code === 'reading' && severity === 'error').map(lineOf));
  const lines = new Set(secrets.map(lineOf));
  const findings = [
    ...own.filter((one) => one.code !== 'reading' || !lines.has(lineOf(one))),
    ...secrets.map((one): Finding => ({ ...one, severity: refused.has(lineOf(one)) ? 'error' : one.severity })),
  ];
  return findings.sort((a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character);
}

function ofKind(document: TextDocument, kind: Kind, around: Around): Finding[] {
  const text = document.getText();
  switch (kind) {
    case 'vision':
      return [...shortFindings('VISION.md', text), ...exampleFindings(text), ...emptySections(text)];
    case 'prd':
      return [...shortFindings('PRD.md', text), ...prdFindings(readPrd(text), text)];
    case 'verification':
      return verificationFindings(text, around);
    case 'pipeline':
    case 'stage':
    case 'stage-prompt':
      return pipelineFindings(document, kind, around.problems);
    case 'config':
      return configFindings(document);
    case 'services':
      return servicesFindings(document);
  }
}
