/** What is wrong in stages and pipelines, as in a sprint's documents. What only other files can show is told by `loop lint`. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { sentence } from '../engine/ground/text.ts';
import type { Problem, TextFix } from '../engine/parse/checked-yaml.ts';
import { readPipeline } from '../engine/parse/pipeline-file.ts';
import { readStage } from '../engine/parse/stage-file.ts';
import type { Finding, Fix } from './finding.ts';
import { lineRange, linesOf } from './lines.ts';

export type PipelineKind = 'pipeline' | 'stage' | 'stage-prompt';

export function pipelineFindings(document: TextDocument, kind: PipelineKind): Finding[] {
  const text = document.getText();
  if (kind === 'pipeline') return isPipeline(text) ? findingsAt(document, readPipeline({ name: '', text }).problems) : [];
  const [stage, prompt] = kind === 'stage' ? [text, goodPrompt] : [goodStage, text];
  const { problems } = readStage({ stage: { name: 'stage', text: stage }, prompt: { name: 'stage-prompt', text: prompt }, origin: 'user' });
  return findingsAt(
    document,
    problems.filter(({ file }) => file === kind),
  );
}

const goodStage = 'termination: { type: fixed }';
const goodPrompt = '${CTX} ${STATUS}';

/** Others, too, have a folder `pipelines` with YAML in it. */
function isPipeline(text: string): boolean {
  return /^nodes:/m.test(text) || (/^stages:/m.test(text) && /^[\s{-]*(loop|template):/m.test(text));
}

/** @param problems all of this document. */
export function findingsAt(document: TextDocument, problems: readonly Problem[]): Finding[] {
  const lines = linesOf(document.getText());
  return problems.map(({ code, severity, line, what, mend, fix }) => ({
    code,
    severity,
    range: lineRange(lines, line - 1),
    message: sentence(what),
    next: mend,
    fixes: fix ? [fixOf(document, fix)] : [],
  }));
}

function fixOf(document: TextDocument, { title, edits }: TextFix): Fix {
  const at = (offset: number) => document.positionAt(offset);
  return { title, edits: edits.map(({ from, to, text }) => ({ range: { start: at(from), end: at(to) }, newText: text })) };
}
