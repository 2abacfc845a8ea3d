import { parse } from 'yaml';

/** Reads a YAML file of another program; undefined where it is broken. */
export function readYaml(text: string): unknown {
  try {
    // A tag of another program is no warning of ours.
    return parse(text, { logLevel: 'error' });
  } catch {
    return undefined;
  }
}
