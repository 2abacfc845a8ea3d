/** What is wrong in stages and pipelines, as in a sprint's documents. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Problem } from '../../engine/ground/problem.ts';
import { readPipeline } from '../../engine/parse/pipeline-file.ts';
import { readStage } from '../../engine/parse/stage-file.ts';
import type { Finding } from '../finding.ts';
import { findingsAt } from './findings-at.ts';

const pipelineKinds = ['pipeline', 'stage', 'stage-prompt'] as const;
export type PipelineKind = (typeof pipelineKinds)[number];

export function isPipelineKind(kind: string): kind is PipelineKind {
  return pipelineKinds.some((one) => one === kind);
}

/** @param shown what only other files can show: problems of this document, which are told once. */
export function pipelineFindings(document: TextDocument, kind: PipelineKind, shown: readonly Problem[] = []): Finding[] {
  const own = ownProblems(document.getText(), kind);
  const same = (one: Problem, other: Problem): boolean => one.code === other.code && one.line === other.line && one.what === other.what;
  return findingsAt(document, [...own, ...shown.filter((one) => !own.some((other) => same(one, other)))]);
}

/** Others, too, have a folder `pipelines` with YAML in it. */
export function isPipeline(text: string): boolean {
  return /^nodes:/m.test(text) || (/^stages:/m.test(text) && /^[\s{-]*(loop|template):/m.test(text));
}

function ownProblems(text: string, kind: PipelineKind): Problem[] {
  if (kind === 'pipeline') return isPipeline(text) ? readPipeline({ name: '', text }).problems : [];
  const [stage, prompt] = kind === 'stage' ? [text, goodPrompt] : [goodStage, text];
  const { problems } = readStage({ stage: { name: 'stage', text: stage }, prompt: { name: 'stage-prompt', text: prompt }, origin: 'user' });
  return problems.filter(({ file }) => file === kind);
}

const goodStage = 'termination: { type: fixed }';
const goodPrompt = '${CTX} ${STATUS}';
