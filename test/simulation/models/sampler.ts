/** Draws inputs from a tool's JSON schema, for tools without a program and for hostile calls of any tool. */
import type { Random } from '../random.ts';

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  /** Of an object with a fixed list of names and one schema for all. */
  propertyNames?: { enum?: string[] };
  additionalProperties?: unknown;
  items?: Schema;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  minItems?: number;
}

/** @param words texts to choose from: ids, paths, sentences */
export function sample(schema: unknown, random: Random, words: readonly string[]): unknown {
  const { type, enum: choices, const: only, anyOf, properties = {}, required = [], ...rest } = schema as Schema;
  if (only !== undefined) return only;
  if (choices) return random.pick(choices as string[]);
  if (anyOf) return sample(random.pick(anyOf), random, words);
  switch (type) {
    case 'object': {
      const fixed = rest.propertyNames?.enum ?? [];
      if (fixed.length > 0) return Object.fromEntries(fixed.map((name) => [name, sample(rest.additionalProperties, random, words)]));
      const names = Object.keys(properties).filter((name) => required.includes(name) || random.chance(0.5));
      return Object.fromEntries(names.map((name) => [name, sample(properties[name] ?? {}, random, words)]));
    }
    case 'array':
      return Array.from({ length: random.whole(rest.minItems ?? 0, 3) }, () => sample(rest.items ?? {}, random, words));
    case 'integer':
      return random.whole(Math.max(rest.minimum ?? rest.exclusiveMinimum ?? 0, 0) + 1, Math.min(rest.maximum ?? 20, 20));
    case 'number':
      return (rest.minimum ?? 0) + random.real() * ((rest.maximum ?? 1) - (rest.minimum ?? 0));
    case 'boolean':
      return random.chance(0.5);
    default:
      return text(random, words, rest.minLength ?? 0);
  }
}

function text(random: Random, words: readonly string[], least: number): string {
  let drawn = random.pick(words);
  while (drawn.length < least) drawn += ` ${random.pick(words)}`;
  return drawn;
}
