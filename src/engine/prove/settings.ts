/**
 * Where a file of settings or data can be made wrong: one value each, so that it still parses. By the signs that JSON, TOML, YAML
 * and INI have in common. Such a file only proves that a verification looks at it; nobody asks for each of its values, so they
 * do not measure one (docs/proof.md).
 */
import type { Site } from './look.ts';

/** Empty for any other file. */
export function settingSites(path: string, text: string): Site[] {
  if (!/\.(jsonc?|json5|toml|ya?ml|ini|cfg|conf|env|properties)$/i.test(path)) return [];
  const strings = [...text.matchAll(quoted)].filter(
    ({ 0: all, index }) => !/^\s*[:=]/.test(text.slice(index + all.length, index + all.length + 9)),
  );
  const others = [...text.matchAll(plain)].filter(({ groups }) => groups?.['value'] !== 'null');
  return [...strings, ...others].map(siteOf).sort((a, b) => a.from - b.from);
}

/** Keys as well, so that nothing begins at the end of one. */
const quoted = /(["'])(?:\\.|(?!\1)[^\\\n])*\1/g;
/** A number, true or false, or a word without quotes: all of a value, or of an element. */
const plain = /(?<=[:=,]\s*\[?\s*|^\s*-\s+)(?<value>\w[\w.+-]*)(?=\s*(?:[,\]}#;]|$))/gm;

function siteOf({ index, groups = {} }: RegExpExecArray): Site {
  const { value } = groups;
  if (value === undefined) return { from: index + 1, to: index + 1, operator: 'text changed', now: '~', owner: 0 };
  const to = index + value.length;
  if (/^(true|false)$/.test(value))
    return { from: index, to, operator: 'true and false swapped', now: value === 'true' ? 'false' : 'true', owner: 0 };
  if (/^\d{1,15}$/.test(value)) return { from: index, to, operator: 'number changed', now: String(Number(value) + 1), owner: 0 };
  return { from: to, to, operator: 'text changed', now: '0', owner: 0 };
}
