/**
 * Records the person's answers about a sprint at once, whether it runs or is at rest; the editor and the command line share it.
 * The answers are carried out between two decisions (`catch-up.ts`), so that the world does not change under an open action or
 * an undo (I1, I10).
 */
import { InputError } from '../ground/errors.ts';
import { redact } from '../ground/redact.ts';
import type { Ports } from '../ports.ts';
import type { Draft } from '../state/events.ts';
import { canBurn, tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import type { HumanAction } from '../work/human-action.ts';

/** A sprint whose journal can be appended to, running or at rest. */
export interface Desk {
  readonly state: State;
  readonly ports: Pick<Ports, 'payloads' | 'verifications'>;
  append(draft: Draft): Promise<void>;
}

/** What the person may answer to a human action: a deed is done, a question's answer in words, or to go on without it. */
export type Answer = 'done' | 'skip' | { said: string };

/** @throws InputError when the human action is not open, or does not take such an answer. */
export async function answerHumanAction(desk: Desk, id: string, answer: Answer): Promise<void> {
  const { humanActions } = desk.state.ledger;
  const asked = Object.hasOwn(humanActions, id) ? humanActions[id] : undefined;
  if (!asked) throw new InputError(`There is no human action ${id}.`, `There are: ${Object.keys(humanActions).join(', ') || 'none'}.`);
  const problem = problemOf(asked, answer, desk.state);
  if (problem) throw problem;
  const given = typeof answer === 'object' ? { answer: 'done' as const, said: redact(answer.said) } : { answer };
  await recordSaid(desk, { fact: 'human-action.answered', id, ...given });
}

/** Appends one fact that comes from the person. */
export function recordSaid(desk: Pick<Desk, 'append'>, fact: Fact): Promise<void> {
  return desk.append({ type: 'person.said', facts: [fact] });
}

function problemOf({ id, kind, status }: HumanAction, answer: Answer, { ledger }: State): InputError | undefined {
  if (status !== 'open') return new InputError(`${id} is answered already.`, 'Nothing more is needed for it.');
  if (answer === 'skip') return undefined;
  const words = typeof answer === 'object' ? answer.said.trim() : undefined;
  if (kind === 'deed' && words !== undefined) return new InputError(`${id} is something to do.`, 'Say that it is done, or skip it.');
  if (kind !== 'deed' && !words) return new InputError(`${id} is a question.`, 'Answer it in words, or skip it.');
  if (canBurn(ledger, [tank('wait')])) return undefined;
  return new InputError(
    'Something was reported as done too often in this sprint: your word alone is not accepted any more.',
    'Do it: Loop notices by itself what a machine can test. Or skip it.',
  );
}
