/** Rewrites a `stage.yaml` of the format's earlier versions. */
import { isMap, isScalar, parseDocument, type Document } from 'yaml';
import type { TextFix } from '../ground/problem.ts';

/** What `completion` said. That of a queue named no command, so a person writes it. */
const terminations: Readonly<Record<string, string>> = { plateau: 'judgment', 'fixed-n': 'fixed' };

/** @returns undefined where nothing in it can be rewritten without thought. */
export function currentStage(text: string): TextFix | undefined {
  const document = parseDocument(text);
  const { contents } = document;
  if (document.errors.length > 0 || !isMap(contents)) return undefined;
  const before = written(document);
  if (before === undefined) return undefined;
  const take = (field: string): unknown => {
    const value: unknown = contents.get(field);
    contents.delete(field);
    return value;
  };
  const type = terminations[String(contents.get('completion'))];
  if (type !== undefined && !contents.has('termination')) {
    const least = contents.has('min_iterations') ? { min_iterations: take('min_iterations') } : {};
    const pair = contents.items.find(({ key }) => isScalar(key) && key.value === 'completion');
    if (pair && isScalar(pair.key)) {
      pair.key.value = 'termination';
      pair.value = document.createNode({ type, ...(type === 'judgment' ? least : {}) }, { flow: true }) as typeof pair.value;
    }
  }
  if (contents.has('max_iterations') && !document.hasIn(['guardrails', 'max_iterations']))
    document.setIn(['guardrails', 'max_iterations'], take('max_iterations'));
  for (const field of ['output_parse', 'max_failures']) contents.delete(field);
  const after = written(document);
  return after === undefined || after === before
    ? undefined
    : { title: 'Rewrite it in the current form', edits: [{ from: 0, to: text.length, text: after }] };
}

/** An alias of nothing cannot be written. */
function written(document: Document): string | undefined {
  try {
    return document.toString({ lineWidth: 0 });
  } catch {
    return undefined;
  }
}
