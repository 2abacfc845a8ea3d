/**
 * The header of a verification (design §6), in any comment style, after a shebang:
 * `TEST`, `TIER` (see `tiers.ts`), `REQUIRES`, `TIMEOUT`, `PRD` (ids it proves), `RED` (text its failure must contain).
 */
import type { Script } from '../work/verification.ts';
import { normalizeRequirementId } from '../work/requirement.ts';
import { allowedTiers, plainTier, tierNamed } from '../work/tier.ts';

export interface Header {
  test: string;
  tier: string;
  requires: string[];
  /** Seconds; undefined where the configured one stands. */
  timeout: number | undefined;
  prd: string[];
  red: string;
}

/** A problem names its line, 1-based. */
export type Parsed = { header: Header } | { line: number; problem: string };

const fields = ['TEST', 'TIER', 'REQUIRES', 'TIMEOUT', 'PRD', 'RED'] as const;
type Field = (typeof fields)[number];
const comment = /^\s*(?:#|\/\/|--|;|\/\*+|\*|<!--)\s*(.*?)\s*(?:\*\/|-->)?\s*$/;
const fieldLine = /^([A-Z]+)\s*:\s*(.*)$/;

export function parseHeader(script: string): Parsed {
  const found = new Map<Field, { value: string; line: number }>();
  const lines = script.split('\n');
  for (const [index, text] of lines.entries()) {
    const body = comment.exec(text)?.[1];
    if (body === undefined) {
      if (text.trim() === '') continue;
      break;
    }
    const [, name = '', value = ''] = fieldLine.exec(body) ?? [];
    const field = fields.find((f) => f === name);
    if (!field) continue;
    if (found.has(field)) return { line: index + 1, problem: `${field} is given twice` };
    found.set(field, { value, line: index + 1 });
  }
  return headerOf(found);
}

/** Line of a field, 1-based; the first line where it has none. */
export function lineOf(script: string, field: Field): number {
  const at = script.split('\n').findIndex((text) => fieldLine.exec(comment.exec(text)?.[1] ?? '')?.[1] === field);
  return Math.max(at, 0) + 1;
}

/** Seconds; what a header may ask for at most. */
const longest = 3600;

/** What a header says of a check. @param usual seconds, where it gives none. */
export function fieldsOf(header: Header, usual: number): Pick<Script, 'title' | 'prd' | 'red' | 'requires' | 'tier' | 'timeout'> {
  const { test: title, prd, red, requires, tier, timeout } = header;
  return { title, prd, red, requires, tier, timeout: Math.min(timeout ?? usual, longest) };
}

function headerOf(found: ReadonlyMap<Field, { value: string; line: number }>): Parsed {
  const missing = (['TEST', 'PRD', 'RED'] as const).filter((field) => !found.get(field)?.value);
  if (missing.length > 0) return { line: 1, problem: `the header lacks ${missing.join(', ')}` };
  const value = (field: Field): string => found.get(field)?.value ?? '';
  const seconds = value('TIMEOUT');
  if (seconds !== '' && !/^[1-9]\d{0,3}$/.test(seconds)) {
    return { line: found.get('TIMEOUT')?.line ?? 1, problem: `TIMEOUT is "${seconds}"; give seconds, 1 to 9999` };
  }
  const tier = value('TIER') === '' ? plainTier : tierNamed(value('TIER'));
  if (tier === undefined) return { line: found.get('TIER')?.line ?? 1, problem: `TIER is "${value('TIER')}"; give ${allowedTiers}` };
  const prd = list(value('PRD')).map(normalizeRequirementId).filter(Boolean);
  if (prd.length === 0) return { line: found.get('PRD')?.line ?? 1, problem: 'PRD names no requirement' };
  const header = {
    test: value('TEST'),
    tier,
    requires: list(value('REQUIRES')),
    timeout: seconds === '' ? undefined : Number(seconds),
    prd,
    red: value('RED'),
  };
  return { header };
}

function list(text: string): string[] {
  return text
    .split(/[,\s]+/)
    .map((item) => item.trim())
    .filter(Boolean);
}
