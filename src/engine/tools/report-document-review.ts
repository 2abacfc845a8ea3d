/** What a review of Vision and PRD found: a verdict of each lens and of the whole, and what is open, each with a way out. */
import * as z from 'zod';
import { counted } from '../ground/text.ts';
import { latestRound } from '../judge/closer-looks.ts';
import { descopesOf, openQuestions } from '../judge/open-points.ts';
import { documentsOf } from '../state/documents.ts';
import type { State } from '../state/state.ts';
import { point, type Point, type PointOption } from '../work/document-review.ts';
import { visionLenses } from '../work/lenses.ts';
import { recommendedFor } from '../work/recommended.ts';
import { reportTool, ToolError } from './tool.ts';

const words = (most: number) => z.string().trim().min(1).max(most);
const { weight, kind, verdict } = point.shape;

const lens = z.strictObject({
  verdict: z.enum(['PASS', 'CONDITIONAL', 'FAIL']),
  why: z.string().max(300).default('').describe('Empty where it passes'),
});

const optionInput = z.strictObject({
  answer: words(200),
  follows: words(300).describe('What follows from it'),
  descopes: z
    .array(z.string())
    .max(60)
    .default([])
    .describe('Ids of the requirements and value proofs that it takes out of this sprint; empty where it takes out none'),
});

const pointInput = z.strictObject({
  weight: weight.describe('HARD: only the person can decide it, and building without their answer risks the sprint'),
  kind,
  verdict: verdict.describe('What you would do with the requirement or passage'),
  document: z.enum(['VISION.md', 'PRD.md']),
  requirement: z.string().max(120).default('').describe('Its id; empty for one about no single requirement'),
  quote: z.string().max(300).default('').describe('Words of the document, exactly; empty only where something is missing'),
  wrong: words(400),
  proposed: z.string().max(600).default('').describe('The words that the document should have in place of the quoted ones, whole'),
  options: z.array(optionInput).min(2).max(4),
  recommended: z.int().min(1).max(4).describe('Number of the option that you would take, from 1'),
  question: z.int().min(1).optional().describe('Number of the open question of discovery that it takes up'),
});

const input = z.strictObject({
  vision: z.record(z.enum(visionLenses), lens).describe('All five lenses'),
  kill_criteria: z.array(words(300)).max(5).default([]).describe('What the Vision itself says would make the work pointless'),
  verdict: z.enum(['APPROVE', 'AMEND', 'DESCOPE', 'REJECT']).describe('Of the whole'),
  why: z.string().max(500).default('').describe('Empty for APPROVE'),
  points: z.array(pointInput).max(12).default([]).describe('The weightiest first: the person reads that one on the first page'),
});
type Input = z.infer<typeof input>;
type OptionInput = z.infer<typeof optionInput>;

export const reportDocumentReview = reportTool<Input>({
  name: 'report_document_review',
  description: 'Submit the review of Vision and PRD. It ends the session.',
  input,
  async look({ points }, { state, ports }) {
    for (const [index, { document, quote }] of points.entries()) {
      const ref = documentsOf(state).find(({ name }) => name === document)?.ref;
      const text = ref === undefined ? '' : await ports.payloads.get(ref);
      if (!lettersOf(text).includes(lettersOf(quote)))
        throw new ToolError(`Point ${index + 1}: ${document} does not say "${quote}". Quote its words exactly, in one piece.`);
    }
  },
  handle(call, { state, target }) {
    if (!state.work.context) throw new ToolError('Nobody has said yet what is here. Call report_discovery first, in the same reply.');
    const { documentReviews } = state.ledger;
    refuseLenses(call);
    refuseVerdict(call);
    for (const [index, one] of call.points.entries()) refusePoint(one, index + 1, state);
    refuseSkipped(call, documentReviews.length === 0 ? openQuestions(state) : []);
    const before = documentReviews.flatMap(({ points }) => points).length;
    refuseEmptied(call, state, target);
    const points = call.points.map(({ question: _question, recommended, options, ...one }, index): Point => {
      return { ...one, id: `P${before + index + 1}`, options: options.map(withoutEmpty), recommended: recommended - 1 };
    });
    const { verdict: whole, why, vision, kill_criteria: killCriteria } = call;
    return {
      text: `Review taken, with ${counted(points.length, 'point')}.`,
      facts: [
        {
          fact: 'documents.judged',
          review: { verdict: whole, why, vision, killCriteria, points, ...(target === '' ? {} : { lenses: target }) },
        },
      ],
    };
  },
});

function withoutEmpty({ descopes, ...option }: OptionInput): PointOption {
  return descopes.length === 0 ? option : { ...option, descopes };
}

/** As they are; white space and marks of markdown do not count. */
function lettersOf(text: string): string {
  return text.replaceAll(/[`*_>\s]+/g, '');
}

function refuseLenses({ vision, points }: Input): void {
  const raised = visionLenses.filter((name) => vision[name].verdict !== 'PASS');
  const silent = raised.find((name) => vision[name].why.trim() === '');
  if (silent) throw new ToolError(`Lens ${silent} does not pass: say why.`);
  if (raised.length > 0 && points.length === 0)
    throw new ToolError(`${raised.join(', ')} did not pass: add a point about VISION.md or PRD.md, with a way out, or let it pass.`);
}

function refuseVerdict({ verdict: whole, why, points }: Input): void {
  const isHard = points.some((one) => one.weight === 'HARD');
  if (whole === 'APPROVE' && isHard) throw new ToolError('There is a HARD point, so the whole is not APPROVE: say AMEND or DESCOPE.');
  if (whole === 'REJECT' && !isHard) throw new ToolError('A REJECT of the whole needs a HARD point that shows what makes it impossible.');
  if (whole !== 'APPROVE' && points.length === 0) throw new ToolError(`${whole} needs a point with what to do.`);
  if (whole !== 'APPROVE' && why.trim() === '') throw new ToolError(`Say in "why" what the ${whole} is for.`);
}

function refusePoint(one: Input['points'][number], number: number, { work }: State): void {
  const { requirement, options, recommended } = one;
  const known = work.requirements.map(({ id }) => id);
  const unknown = [requirement, ...options.flatMap(({ descopes }) => descopes)].find((id) => id !== '' && !known.includes(id));
  if (unknown !== undefined) throw new ToolError(`Point ${number}: there is no requirement ${unknown}. There are: ${known.join(', ')}.`);
  if (recommended > options.length) throw new ToolError(`Point ${number}: it recommends option ${recommended}, and has ${options.length}.`);
  if (new Set(options.map(({ answer }) => answer)).size < options.length)
    throw new ToolError(`Point ${number}: two of its options have the same answer.`);
  const wrong = wrongDescope(one);
  if (wrong !== undefined) throw new ToolError(`Point ${number}: ${wrong}`);
}

/** A requirement leaves the sprint only by an option that a person can see and take. */
function wrongDescope({ weight: isAsked, verdict: would, options, recommended }: Input['points'][number]): string | undefined {
  const isDescoping = (options[recommended - 1]?.descopes.length ?? 0) > 0;
  if (isDescoping && would !== 'DESCOPE') return `what it recommends descopes something, so its verdict is DESCOPE, not ${would}.`;
  if (!isDescoping && would === 'DESCOPE')
    return 'its verdict is DESCOPE, so the option that it recommends names in descopes what is left out.';
  return isDescoping && isAsked === 'SOFT' ? 'only the person takes a requirement out of a sprint, so it is HARD.' : undefined;
}

/** Points whose recommended options leave nothing to do. */
function refuseEmptied({ points }: Input, { work, ledger }: State, target: string): void {
  const before = target === '' ? [] : latestRound(ledger.documentReviews).flatMap((one) => one.points);
  const earlier = before.flatMap((one) => descopesOf(one, recommendedFor(one)));
  const out = points.flatMap(({ options, recommended }) => options[recommended - 1]?.descopes ?? []);
  if (out.length > 0 && !work.requirements.some(({ id, line }) => line > 0 && ![...earlier, ...out].includes(id)))
    throw new ToolError('What you recommend descopes every requirement of PRD.md. If nothing of it can be had, that is a REJECT.');
}

/** A question that discovery could not answer is answered here, or asked. */
function refuseSkipped({ points }: Input, questions: readonly string[]): void {
  const unknown = points.find(({ question = 1 }) => question > Math.max(questions.length, 1));
  if (unknown) throw new ToolError(`There is no open question ${unknown.question}; there are ${questions.length}.`);
  const skipped = questions.findIndex((_, index) => !points.some(({ question }) => question === index + 1));
  if (skipped >= 0)
    throw new ToolError(`No point takes up the open question ${skipped + 1} of discovery: add one with "question": ${skipped + 1}.`);
}
