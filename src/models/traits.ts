/**
 * What models can do, so that a request has only fields that its model accepts. The API tells it before a sprint begins; what it
 * does not tell, and what nobody asked, a table does, as published in November 2026.
 */
import * as z from 'zod';
import type { AskRequest } from '../engine/ground/messages.ts';

export type Effort = NonNullable<AskRequest['effort']>;

export interface Traits {
  /** Whether it decides by itself how much to think. */
  adaptive: boolean;
  /** The highest effort that it accepts; left out if it accepts none. */
  effort?: Effort;
  /** Tokens that a request may hold, its reply included. */
  window: number;
  /** Tokens of a reply at most; left out where nobody tells. */
  reply?: number;
}

export const efforts: readonly Effort[] = ['low', 'medium', 'high', 'max'];

const told = new Map<string, Traits>();

/** @param model a name with or without a date. */
export function traitsOf(model: string): Traits {
  return told.get(model) ?? table.get(model.replace(/-(\d{8}|latest)$/, '')) ?? unlisted(model);
}

export function windowOf(model: string): number {
  return traitsOf(model).window;
}

/** Takes what the API tells of a model (https://platform.claude.com/docs/en/api/models/retrieve). A gateway may tell less, or nonsense. */
export function learn(model: string, info: unknown): void {
  const { capabilities, max_input_tokens: window, max_tokens: reply } = schema.parse(info);
  const { effort, thinking } = capabilities ?? {};
  const usual = traitsOf(model);
  const highest = effort ? efforts.findLast((one) => effort.supported && effort[one].supported) : usual.effort;
  told.set(model, {
    adaptive: thinking ? thinking.supported && thinking.types.adaptive.supported : usual.adaptive,
    ...(highest === undefined ? {} : { effort: highest }),
    window: window ?? usual.window,
    ...(typeof reply === 'number' ? { reply } : {}),
  });
}

const support = z.object({ supported: z.boolean() });
const tokens = z.int().positive().nullish().catch(undefined);
const schema = z
  .object({
    max_input_tokens: tokens,
    max_tokens: tokens,
    capabilities: z
      .object({
        effort: z
          .object({ supported: z.boolean(), low: support, medium: support, high: support, max: support })
          .optional()
          .catch(undefined),
        thinking: z
          .object({ supported: z.boolean(), types: z.object({ adaptive: support }) })
          .optional()
          .catch(undefined),
      })
      .nullish()
      .catch(undefined),
  })
  .catch({});

/** An unlisted model, such as a gateway's own name, gets neither field, which every model accepts. */
function unlisted(model: string): Traits {
  return { adaptive: false, window: longest.some((name) => model.startsWith(name)) ? large : usualWindow };
}

const large = 1_000_000;
/** The least that a model in use has. */
const usualWindow = 200_000;
const longest = ['claude-opus-5', 'claude-sonnet-5', 'claude-haiku-5-5'];

const full = { adaptive: true, effort: 'max' } as const;

const table: ReadonlyMap<string, Traits> = new Map(
  (
    [
      ['claude-fable-5-2', full],
      ['claude-fable-5-1', full],
      ['claude-fable-5', full],
      ['claude-mythos-5-2', full],
      ['claude-mythos-5-1', full],
      ['claude-mythos-5', full],
      ['claude-opus-5-5', full],
      ['claude-sonnet-5-5', full],
      ['claude-haiku-5-5', full],
      ['claude-opus-5', full],
      ['claude-sonnet-5', full],
      ['claude-opus-4-8', full],
      ['claude-opus-4-7', full],
      ['claude-opus-4-6', full],
      ['claude-sonnet-4-6', { adaptive: true, effort: 'high' }],
      ['claude-opus-4-5', { adaptive: false, effort: 'high' }],
    ] as const
  ).map(([name, traits]) => [name, { ...unlisted(name), ...traits }]),
);

/** Names that the table has. */
export const listed: readonly string[] = [...table.keys()];
