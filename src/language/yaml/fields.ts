/** What may stand where in a YAML document of ours, and what it means: from the zod schemas by which it is read. */
import { toJSONSchema, type ZodType } from 'zod';
import { configFileSpec } from '../../engine/ground/config-file.ts';
import { servicesSpec } from '../../engine/parse/services-file.ts';
import { pipelineSpec, stageSpec } from '../../engine/work/stage.ts';

const kinds = ['config', 'services', 'stage', 'pipeline'] as const;
export type YamlKind = (typeof kinds)[number];

export function isYamlKind(kind: string): kind is YamlKind {
  return kinds.some((one) => one === kind);
}

/** The part of JSON Schema that zod writes and we read. */
export interface Field {
  description?: string;
  type?: string;
  properties?: Readonly<Record<string, Field>>;
  required?: readonly string[];
  additionalProperties?: Field | boolean;
  items?: Field;
  anyOf?: readonly Field[];
  oneOf?: readonly Field[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  maximum?: number;
}

/**
 * All that may stand at a path; where one of several forms is begun already, only what belongs to it.
 * @param given what the document holds there now, as far as it can be read.
 */
export function fieldsAt(kind: YamlKind, path: readonly (string | number)[], given: unknown): Field[] {
  let fields = formsOf(fieldOf(kind), given);
  let value = given;
  for (const step of path) {
    value = typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[step] : undefined;
    fields = fields.flatMap((field) => formsOf(below(field, step), value));
  }
  return fields;
}

/** A default that can be told in a word. */
export function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '');
}

/** Plain values that may stand there. */
export function valuesOf(field: Field): unknown[] {
  if (field.enum) return [...field.enum];
  if (field.const !== undefined) return [field.const];
  return field.type === 'boolean' ? [true, false] : [];
}

/** The forms of a field that agree with what is given; all of them where none does. */
function formsOf(field: Field | undefined, given: unknown): Field[] {
  if (!field) return [];
  const forms = field.anyOf ?? field.oneOf;
  if (!forms) return [field];
  const { description } = field;
  const all = forms
    .flatMap((form) => formsOf(form, given))
    .map((form) => ({ ...(description === undefined ? {} : { description }), ...form }));
  const agreeing = all.filter((form) => agrees(form, given));
  return agreeing.length > 0 ? agreeing : all;
}

function agrees({ properties }: Field, given: unknown): boolean {
  if (!properties || typeof given !== 'object' || given === null) return true;
  return Object.entries(given).every(([key, value]) => {
    const field = properties[key];
    return field !== undefined && (field.const === undefined || value === null || field.const === value);
  });
}

function below({ properties, additionalProperties, items }: Field, step: string | number): Field | undefined {
  if (typeof step === 'number') return items;
  if (properties && Object.hasOwn(properties, step)) return properties[step];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

const schemas: Record<YamlKind, ZodType> = { config: configFileSpec, services: servicesSpec, stage: stageSpec, pipeline: pipelineSpec };
const known = new Map<YamlKind, Field>();

function fieldOf(kind: YamlKind): Field {
  const field = known.get(kind) ?? (toJSONSchema(schemas[kind], { io: 'input', unrepresentable: 'any' }) as Field);
  known.set(kind, field);
  return field;
}
