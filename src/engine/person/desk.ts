/**
 * Where the person's words about a sprint are written down, the moment that they are said, whether it runs or is at rest: the
 * editor and the command line share it. They are carried out between two decisions (`catch-up.ts`), so that no open action and no
 * undo meets another world than it began with (I1, I10).
 */
import { InputError } from '../ground/errors.ts';
import { redact } from '../ground/redact.ts';
import type { Ports } from '../ports.ts';
import type { Draft } from '../state/events.ts';
import { canBurn, tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import type { HumanAction } from '../work/human-action.ts';

/** A sprint whose record is open, running or at rest. */
export interface Desk {
  readonly state: State;
  readonly ports: Pick<Ports, 'payloads' | 'verifications'>;
  append(draft: Draft): Promise<void>;
}

/** What a person may answer to a human action: that a deed is done, words to a question, or that it goes on without. */
export type Answer = 'done' | 'skip' | { said: string };

/** @throws InputError where it is not open, or cannot be answered so. */
export async function answerHumanAction(desk: Desk, id: string, answer: Answer): Promise<void> {
  const { humanActions } = desk.state.ledger;
  const asked = Object.hasOwn(humanActions, id) ? humanActions[id] : undefined;
  if (!asked) throw new InputError(`There is no human action ${id}.`, `There are: ${Object.keys(humanActions).join(', ') || 'none'}.`);
  const problem = problemOf(asked, answer, desk.state);
  if (problem) throw problem;
  const words = typeof answer === 'object' ? { answer: 'done' as const, said: redact(answer.said) } : { answer };
  await recordSaid(desk, { fact: 'human-action.answered', id, ...words });
}

/** Writes down what the person said. */
export function recordSaid(desk: Pick<Desk, 'append'>, fact: Fact): Promise<void> {
  return desk.append({ type: 'person.said', facts: [fact] });
}

function problemOf({ id, kind, status }: HumanAction, answer: Answer, { ledger }: State): InputError | undefined {
  if (status !== 'open') return new InputError(`${id} is answered already.`, 'Nothing more is needed for it.');
  if (answer === 'skip') return undefined;
  const said = typeof answer === 'object' ? answer.said.trim() : undefined;
  if (kind === 'deed' && said !== undefined) return new InputError(`${id} is something to do.`, 'Say that it is done, or skip it.');
  if (kind !== 'deed' && !said) return new InputError(`${id} is a question.`, 'Answer it in words, or skip it.');
  if (canBurn(ledger, [tank('wait')])) return undefined;
  return new InputError(
    `This sprint was told that something is done as often as it takes anybody's word for it.`,
    'Do it: what a machine can tell, Loop sees by itself. Or skip it.',
  );
}
