/**
 * One iteration of a stage: a fresh session, which decides whether to go on. The engine gives it its files, takes what it wrote,
 * and takes its change back where it was not allowed or ended as an error. Whether the stage ends is counted from the journal.
 */
import * as z from 'zod';
import { session, type SessionEnd } from '../../agents/session.ts';
import type { Context } from '../../context.ts';
import { Bug, InputError, RefusedChange } from '../../ground/errors.ts';
import { pathMatcher } from '../../ground/glob.ts';
import { promptText } from '../../ground/prompts.ts';
import { counted, pieceOf } from '../../ground/text.ts';
import { current } from '../../judge/pipeline.ts';
import { secondsLeft, type At } from '../../render/iteration-context.ts';
import { stagePrompt } from '../../render/stage-prompt.ts';
import { tank } from '../../state/fuel.ts';
import { isOutOfTime, outOfTimeWords } from '../../state/hours.ts';
import type { State } from '../../state/state.ts';
import { toolsNamed } from '../../tools/registry.ts';
import type { Fact } from '../../work/facts.ts';
import { iterationsOf, pathsOf, status, type Paths, type PlanNode, type Status } from '../../work/pipeline.ts';
import type { OverWhat } from '../../work/spend.ts';
import { change, type Author } from '../../work/tree.ts';
import { runFolder } from '../../work/stage.ts';
import { changeOf, changesNoted, type Changes } from '../change.ts';
import { networkText, purposeOf } from '../session-action.ts';
import type { Action } from '../action.ts';
import { keptProgress, putFiles } from './iteration-files.ts';

/** An iteration that is longer at work than its stage has left may end by itself within this time. */
const graceSeconds = 600;

export const iterate: Action = {
  id: 'iterate',
  asksModel: true,
  afterQualifying: false,
  due(state) {
    const next = current(state);
    if (next?.standing.kind !== 'open' || !state.work.gates.includes('inputs') || state.work.tree.change) return [];
    const { n, node } = atOf(state, next.node.id);
    const why = `iteration ${n} of at most ${node.maxIterations}`;
    const one = { target: node.id, burns: [tank('iteration')], why };
    // Only a person's raise makes it due again, and it has burned its unit already.
    const again = { ...one, burns: [tank('again')], why: `${why}, again with the budget that was raised` };
    return next.run.cut === null ? [one] : [again, one];
  },
  async run(target, context) {
    const { state, ports } = context;
    const at = atOf(state, target);
    // As if what it did before a kill had been done without a break.
    const started = ports.clock.now() - (state.ledger.ran.ms - context.open.ran);
    const files = { name: 'files', key: `${target}#${at.n}`, detail: `files of ${target}, iteration ${at.n}` };
    await context.effect(files, { run: () => putFiles(context, at).then(() => '') });
    const end = await sessionOf(context, at, started);
    if (end.end === 'budget') {
      await takeBack(context, 'the budget was reached');
      return [{ fact: 'budget.reached', what: overWhat(end.facts), why: budgetWords(state, target) }];
    }
    const take = { name: 'take', key: `${target}#${at.n}`, detail: `output and decision of ${target}, iteration ${at.n}` };
    const value = await context.effect(take, { run: async () => JSON.stringify(await taken(context, at, end, started)) });
    const { iteration, changed, leftOut = [] } = takenSchema.parse(JSON.parse(value));
    const ended: Fact = { fact: 'iteration.ended', iteration: { node: target, n: at.n, ...iteration } };
    const secrets: Fact[] = leftOut.length > 0 ? [{ fact: 'secrets.left-out', paths: leftOut, author: authorOf(at) }] : [];
    if (iteration.status.decision === 'error') await takeBack(context, iteration.status.reason);
    const kept = changed && iteration.status.decision !== 'error';
    return [ended, ...secrets, ...(kept ? [{ fact: 'tree.changed' as const, change: changed }] : [])];
  },
};

function atOf({ ledger }: State, target: string): At {
  const run = ledger.pipeline;
  const node = run?.plan.nodes.find(({ id }) => id === target);
  if (!run || !node) throw new Bug(`the pipeline has no node ${target}`);
  const n = iterationsOf(run, target).length + 1;
  return { run, node, n, paths: pathsOf(run.plan, target, n) };
}

async function sessionOf(context: Context, at: At, started: number): Promise<SessionEnd> {
  const { state, ports } = context;
  const { run, node, n, paths } = at;
  const own = { session: state.opened.sprint, node, n };
  const { role, tools, web, ends, text } = stagePrompt(run.plan, own, await ports.payloads.get(node.prompt));
  return session(context, {
    role,
    tools: toolsNamed(tools),
    web,
    ends,
    prompt: () => text,
    purpose: purposeOf(context),
    system: promptText('stage-system', { network: networkText(state) }),
    place: 'worktree',
    hears: 'none',
    tier: node.tier,
    ...(node.model === undefined ? {} : { model: node.model }),
    ...(node.effort ? { effort: node.effort } : {}),
    deadline: {
      at: started + (secondsLeft(at) + graceSeconds) * 1000,
      why: `it ran ${graceSeconds} seconds past what was left of its stage's ${node.maxRuntimeSeconds}`,
    },
    finished: async () => (await statusInFile(context, paths)) !== undefined,
  });
}

/** Recorded as one value before anything is kept or taken back, so that it is the same after a crash. */
const takenSchema = z.object({
  iteration: z.object({
    status,
    by: z.enum(['tool', 'file', 'engine']),
    output: z.string().nullable(),
    progress: z.string().nullable(),
    duration: z.number(),
  }),
  changed: change.optional(),
  leftOut: z.array(z.string()).optional(),
});

async function taken(context: Context, at: At, end: SessionEnd, started: number): Promise<z.infer<typeof takenSchema>> {
  const { ports } = context;
  const [told, output, progress] = await Promise.all([
    decisionOf(context, at, end),
    readOr(context, at.paths.output),
    readOr(context, at.paths.progress),
  ]);
  const keep = async (text: string | undefined): Promise<string | null> => (text === undefined ? null : ports.payloads.put(text));
  const notes = progress.text === undefined ? undefined : keptProgress(progress.text);
  const [found, outputRef, notesRef] = await Promise.all([foundIn(context), keep(output.text), keep(notes)]);
  const { leftOut, refused } = found;
  const outside = found.files.filter(({ path }) => !mayChange(at.node, path)).map(({ path }) => path);
  const why = refused ?? output.refused ?? progress.refused ?? (outside.length > 0 ? outsideWords(outside) : undefined);
  const decided = why === undefined ? told : { status: failed(why), by: 'engine' as const };
  const iteration = { ...decided, output: outputRef, progress: notesRef, duration: ports.clock.now() - started };
  const secrets = leftOut.length > 0 ? { leftOut } : {};
  const isChanged = found.files.length > 0;
  return { iteration, ...secrets, ...(isChanged ? { changed: await changeOf(context, authorOf(at), found) } : {}) };
}

function authorOf({ node, n }: At): Author {
  return { kind: 'task', task: `${node.id}#${n}` };
}

/** By the tool or by the file, whichever is there; an error in either counts. No decision is an error, too: it never counts as done. */
async function decisionOf(
  context: Context,
  { run, paths }: At,
  end: SessionEnd,
): Promise<{ status: Status; by: 'tool' | 'file' | 'engine' }> {
  const inTool = run.reported?.step === context.open.id ? run.reported.status : undefined;
  const inFile = await statusInFile(context, paths);
  if (inTool && (inTool.decision === 'error' || inFile?.decision !== 'error')) return { status: inTool, by: 'tool' };
  if (inFile) return { status: inFile, by: 'file' };
  const how = end.end === 'silent' ? `: ${end.why}` : '';
  return { status: failed(`the session ended without a decision that can be read${how}`), by: 'engine' };
}

async function statusInFile(context: Context, paths: Paths): Promise<Status | undefined> {
  const { text = '' } = await readOr(context, paths.status);
  try {
    return status.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function failed(reason: string): Status {
  return {
    decision: 'error',
    reason: pieceOf(reason, 0, 2000),
    summary: '',
    work: { items_completed: [], files_touched: [] },
    errors: [pieceOf(reason, 0, 1000)],
  };
}

async function readOr({ ports }: Context, path: string): Promise<{ text?: string; refused?: string }> {
  try {
    const text = await ports.tree.read(path, 'refused');
    return text === undefined ? {} : { text };
  } catch (error) {
    if (error instanceof InputError) return { refused: error.message };
    throw error;
  }
}

async function foundIn({ ports }: Context): Promise<Changes & { refused?: string }> {
  try {
    return await changesNoted(ports);
  } catch (error) {
    if (error instanceof RefusedChange) return { files: [], patch: '', leftOut: [], refused: error.message };
    throw error;
  }
}

/** The run folder is the engine's: what is in it is never part of a change. */
function mayChange({ writes, output }: PlanNode, path: string): boolean {
  if (path === runFolder || path.startsWith(`${runFolder}/`)) return false;
  return path === output || writes.some((glob) => pathMatcher(glob)(path));
}

function outsideWords(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(', ');
  return `it changed ${counted(paths.length, 'file')} that it may not write, and all of its changes were taken back: ${shown}`;
}

async function takeBack(context: Context, why: string): Promise<void> {
  const effect = { name: 'undo', key: context.open.id, detail: why };
  await context.effect(effect, { run: () => context.ports.repo.undo().then(() => '') });
}

function overWhat(facts: readonly Fact[]): OverWhat {
  const [over] = facts;
  return over?.fact === 'budget.reached' ? over.what : 'money';
}

function budgetWords({ ledger }: State, node: string): string {
  const { budget } = ledger;
  if (isOutOfTime(ledger)) return outOfTimeWords(ledger);
  return `The next model call of stage ${node} could go over the budget of $${budget.usd} and ${budget.tokens} tokens.`;
}
