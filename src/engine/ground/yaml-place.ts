/** Where in a YAML document a path stands. */
import { isMap, isNode, isScalar, type Document, type LineCounter, type Node, type YAMLError } from 'yaml';
import type { TextSpan } from './text.ts';

export interface YamlPlace {
  /** 1-based. */
  line: number;
  span?: TextSpan;
}

/** A field is where its name is, or its value where that is asked for. One that is missing is where what should have it begins. */
export function placeInYaml(
  document: Document,
  lines: LineCounter,
  path: readonly PropertyKey[],
  part: 'key' | 'value' = 'key',
): YamlPlace {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const { key, value } = nodesAt(document, path.slice(0, depth));
    const isValue = part === 'value' && depth === path.length && isScalar(value) && value.range && value.range[1] > value.range[0];
    const found = isValue ? value : (key ?? value);
    if (found?.range) return placeOf(found, lines);
  }
  const root = document.contents;
  return root?.range ? placeOf(root, lines) : { line: 1 };
}

/** Of what the parser cannot read. */
export function placeOfError({ pos, linePos }: YAMLError, text: string): YamlPlace {
  const [from, to] = pos;
  const line = linePos?.[0].line ?? 1;
  return /\S/.test(text.slice(from, to)) && linePos?.[1]?.line === line ? { line, span: { from, to } } : { line };
}

function nodesAt(document: Document, path: readonly PropertyKey[]): { key?: Node; value?: Node } {
  const above = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  const pair = isMap(above) ? above.items.find(({ key }) => isScalar(key) && key.value === last) : undefined;
  const value = pair ? pair.value : document.getIn(path, true);
  return { ...(isNode(pair?.key) ? { key: pair.key } : {}), ...(isNode(value) ? { value } : {}) };
}

/** What holds others may reach over many lines, so only its first line is told. */
function placeOf(node: Node, lines: LineCounter): YamlPlace {
  const [from, to] = node.range ?? [0, 0];
  const { line } = lines.linePos(from);
  return isScalar(node) ? { line, span: { from, to } } : { line };
}
