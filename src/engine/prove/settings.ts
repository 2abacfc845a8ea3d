/**
 * Where a file of settings or data can be made wrong: one value each, so that it still parses. By the signs that JSON, TOML, YAML
 * and INI have in common. Such a file only proves that a verification looks at it; nobody asks for each of its values, so they
 * do not measure one (docs/proof-faults.md).
 */
import type { Operator } from '../work/verification.ts';
import type { Site } from './look.ts';

export function isSettings(path: string): boolean {
  return /\.(jsonc?|json5|toml|ya?ml|ini|cfg|conf|env|properties)$/i.test(path);
}

/** Empty for any other file. */
export function settingSites(path: string, text: string): Site[] {
  if (!isSettings(path)) return [];
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

function siteOf({ index, 0: all, groups = {} }: RegExpExecArray): Site {
  const { value } = groups;
  const site = (from: number, to: number, operator: Operator, now: string): Site => {
    return { from, to, operator, now, node: { from: index, to: index + all.length }, owner: 0 };
  };
  if (value === undefined) return site(index + 1, index + 1, 'text changed', '~');
  const to = index + value.length;
  if (/^(true|false)$/.test(value)) return site(index, to, 'true and false swapped', value === 'true' ? 'false' : 'true');
  if (/^\d{1,15}$/.test(value)) return site(index, to, 'number changed', String(Number(value) + 1));
  return site(to, to, 'text changed', '0');
}
