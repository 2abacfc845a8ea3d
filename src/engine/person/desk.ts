/**
 * Records the person's answers about a sprint at once, whether it runs or is at rest; the editor and the command line share it.
 * The answers are carried out between two decisions (`catch-up.ts`), so that the world does not change under an open action or
 * an undo (I1, I10).
 */
import { InputError } from '../ground/errors.ts';
import { redact } from '../ground/redact.ts';
import { descopedBy } from '../judge/open-points.ts';
import type { Ports } from '../ports.ts';
import type { Draft } from '../state/events.ts';
import { canBurn, tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { Fact, FactOf } from '../work/facts.ts';
import type { Choice, HumanAction } from '../work/human-action.ts';

/** A sprint whose journal can be appended to, running or at rest. */
export interface Desk {
  readonly state: State;
  readonly ports: Pick<Ports, 'payloads' | 'verifications'>;
  append(draft: Draft): Promise<void>;
}

/** What the person may answer to a human action. */
export type Answer =
  /** The deed is done, or the plan approved. */
  | 'done'
  /** The sprint goes on without it. */
  | 'skip'
  /** The answer to a question, in words. */
  | { said: string }
  /** What they chose, by the ids of points; Loop decides the others. */
  | { chosen: Record<string, string> };

/** @throws InputError when the human action is not open, or does not take such an answer. */
export async function answerHumanAction(desk: Pick<Desk, 'state' | 'append'>, id: string, answer: Answer): Promise<void> {
  const { humanActions } = desk.state.ledger;
  const asked = Object.hasOwn(humanActions, id) ? humanActions[id] : undefined;
  if (!asked) throw new InputError(`There is no human action ${id}.`, `There are: ${Object.keys(humanActions).join(', ') || 'none'}.`);
  const problem = problemOf(asked, answer, desk.state);
  if (problem) throw problem;
  const given = givenBy(answer);
  const descoped = asked.kind === 'choice' ? descopedBy(asked, given.chosen ?? {}) : [];
  requireRest(descoped, desk.state);
  await desk.append({ type: 'person.said', facts: [{ fact: 'human-action.answered', id, ...given }, ...descoped] });
}

function givenBy(answer: Answer): Pick<FactOf<'human-action.answered'>, 'answer' | 'said' | 'chosen'> {
  if (typeof answer === 'string') return { answer };
  if ('said' in answer) return { answer: 'done', said: redact(answer.said) };
  const chosen = Object.entries(answer.chosen).map(([point, words]) => [point, redact(words).trim()]);
  return { answer: 'done', chosen: Object.fromEntries(chosen) as Record<string, string> };
}

/** @throws InputError when answers descope all that PRD.md asks for. */
function requireRest(descoped: readonly { id: string }[], { work }: State): void {
  const isLeft = work.requirements.some(({ id, line }) => line > 0 && !descoped.some((one) => one.id === id));
  if (descoped.length > 0 && !isLeft)
    throw new InputError('These answers descope every requirement of PRD.md.', 'Keep one of them, or change the documents and begin anew.');
}

/** Appends one fact that comes from the person. */
export function recordSaid(desk: Pick<Desk, 'append'>, fact: Fact): Promise<void> {
  return desk.append({ type: 'person.said', facts: [fact] });
}

function problemOf(asked: HumanAction, answer: Answer, { ledger }: State): InputError | undefined {
  const { id, kind, status } = asked;
  if (status !== 'open') return new InputError(`${id} is answered already.`, 'Nothing more is needed for it.');
  if (kind === 'approval' && answer !== 'done')
    return new InputError(`${id} asks you to approve the plan.`, 'Skip, change or move single tasks, then approve it.');
  if (answer === 'skip') return undefined;
  if (asked.kind === 'choice') return choiceProblem(asked, answer);
  const words = typeof answer === 'object' && 'said' in answer ? answer.said.trim() : undefined;
  if (kind === 'deed' && words !== undefined) return new InputError(`${id} is something to do.`, 'Say that it is done, or skip it.');
  if (kind !== 'deed' && kind !== 'approval' && !words) return new InputError(`${id} is a question.`, 'Answer it in words, or skip it.');
  if (canBurn(ledger, [tank('wait')])) return undefined;
  return new InputError(
    'Something was reported as done too often in this sprint: your word alone is not accepted any more.',
    'Do it: Loop notices by itself what a machine can test. Or skip it.',
  );
}

/** Answers to points are bounded by the reviews that ask, so none is ever too many. */
function choiceProblem({ id, points }: Choice, answer: Answer): InputError | undefined {
  const known = points.map((point) => point.id);
  if (typeof answer !== 'object' || !('chosen' in answer))
    return new InputError(`${id} asks about ${known.join(', ')}.`, 'Choose an answer for each, or skip it: then Loop decides.');
  const wrong = Object.entries(answer.chosen).find(([point, words]) => !known.includes(point) || words.trim() === '');
  return (
    wrong &&
    new InputError(`${id} takes no such answer to ${wrong[0]}.`, `It asks about ${known.join(', ')}; leave out what Loop shall decide.`)
  );
}
