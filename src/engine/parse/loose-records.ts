/** Reads files of other programs, of which nothing is known for sure: what is not there, or not of its kind, is empty. Pure. */
import { parse } from 'yaml';

export function readYaml(text: string): unknown {
  // A tag of another program is no warning of ours.
  return read(() => parse(text, { logLevel: 'error' }) as unknown);
}

export function readJson(text: string): unknown {
  return read(() => JSON.parse(text) as unknown);
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function read(reader: () => unknown): unknown {
  try {
    return reader();
  } catch {
    return undefined;
  }
}
