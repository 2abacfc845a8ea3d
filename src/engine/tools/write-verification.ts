/** QC writes a verification: its header is parsed, its text is kept by hash, and a rewritten one inherits its lineage (I4). */
import * as z from 'zod';
import { liveRunnable, liveVerifications } from '../state/covers.ts';
import { isHonestRed, runsOf } from '../judge/trust.ts';
import { earlyNames } from '../judge/early-names.ts';
import { isExpectedRed } from '../judge/unsettled.ts';
import type { Ports } from '../ports.ts';
import type { State } from '../state/state.ts';
import { isPersons, type Script, type Verification } from '../work/verification.ts';
import type { Fact } from '../work/facts.ts';
import type { Ref } from '../work/ref.ts';
import { fieldsOf, parseHeader, type Header } from '../parse/header.ts';
import { languageByName, withHelpers, withoutHelpers } from '../parse/helper-text.ts';
import { scriptExtensions } from '../work/script-language.ts';
import { isSuite, suiteCategory } from '../work/suite.ts';
import { requiresProblem } from '../parse/requires.ts';
import { doubtedTogether } from '../diagnose/doubt.ts';
import { servicesOf } from '../services/services.ts';
import { runWritten } from './first-run.ts';
import { edits, wholeText } from './edits.ts';
import { helperTexts } from './write-helper.ts';
import { reportTool, ToolError } from './tool.ts';

/** What every script of QC is given by. */
export const scriptInput = z.strictObject({
  path: z
    .string()
    .regex(
      new RegExp(`^[a-z0-9][a-z0-9_-]*/[a-z0-9][a-z0-9_-]*\\.(${scriptExtensions.join('|')})$`),
      `<category>/<name>.<${scriptExtensions.join('|')}>, lower case`,
    ),
  content: z.string().min(1).describe('The script, with its header in comments at the top'),
});
const input = scriptInput.extend({
  content: scriptInput.shape.content.optional(),
  edits,
  replaces: z.string().optional().describe('Id of the verification that this one replaces'),
});
type Call = z.infer<typeof input>;
type Input = z.infer<typeof scriptInput> & Pick<Call, 'replaces'>;

export const writeVerification = reportTool<Input, Call>({
  name: 'write_verification',
  description: 'Write one executable verification. It runs at the root of the worktree; exit status 0 means that the requirement holds.',
  input,
  completedBy: ['write_helper', 'write_verification', 'uphold_verification'],
  async whole({ content, edits: changes, ...call }, at) {
    return { ...call, content: await wholeText({ content, edits: changes }, call.path, () => ownText(call, at)) };
  },
  async keep({ content }, at) {
    const parsed = parseHeader(content, true);
    return [withHelpers(content, await helperTexts('header' in parsed ? parsed.header.uses : [], at))];
  },
  async look({ path, content }, at) {
    const apart = parseHeader(content, true);
    if ('problem' in apart || apart.header.uses.some((name) => !Object.hasOwn(at.state.work.helpers, name))) return;
    const whole = parseHeader(withHelpers(content, await helperTexts(apart.header.uses, at)));
    if ('problem' in whole) throw new ToolError(`${path}:${whole.line}: ${whole.problem}.`);
  },
  handle(call, { state, kept, target }) {
    const header = headerOf(call, state);
    refuseHelpers(call.path, header.uses, state);
    refuseSuite(call, state);
    const verification = scriptOf(call, header, state, kept);
    refuseBeside(verification, doubtedTogether(state, target), state);
    const retired = call.replaces !== undefined && call.replaces !== verification.id ? call.replaces : undefined;
    const facts: Fact[] = [{ fact: 'verification.written', verification }];
    if (retired !== undefined) facts.push({ fact: 'verification.retired', id: retired, why: `replaced by ${verification.id}` });
    return { text: [`Verification ${verification.id} written.`, ...tooEarly(call.content, verification, state)].join('\n'), facts };
  },
  acted: runWritten,
});

/** The text that there is under this path, or that it replaces, as QC wrote it: without its helpers. */
async function ownText({ path, replaces }: Call, { state, ports }: { state: State; ports: Ports }): Promise<string | undefined> {
  const { verifications } = state.work;
  const id = replaces ?? path.replace(/\.\w+$/, '');
  const known = Object.hasOwn(verifications, id) ? verifications[id] : undefined;
  return known?.kind === 'script' ? withoutHelpers(await ports.payloads.get(known.script)) : undefined;
}

/** The header of a script that may be taken. */
export function headerOf({ path, content }: Pick<Input, 'path' | 'content'>, state: State): Header {
  const parsed = parseHeader(content, true);
  if ('problem' in parsed)
    throw new ToolError(
      `${path}:${parsed.line}: ${parsed.problem}. Begin with comment lines TEST:, PRD:, RED: (and TIER:, REQUIRES:, TIMEOUT: as needed).`,
    );
  const { header } = parsed;
  refuseUnknown(path, header.prd, state);
  refuseUnknown(path, header.after, state);
  refuseMany(path, header.prd, state);
  const wrong = requiresProblem(header.requires, servicesOf(state.work));
  if (wrong) throw new ToolError(`${path}: ${wrong}.`);
  return header;
}

export function refuseUnknown(where: string, prd: readonly string[], { work }: State): void {
  const known = work.requirements.map((r) => r.id);
  const unknown = prd.filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new ToolError(`${where}: there is no requirement ${unknown.join(', ')}; there are ${known.join(', ')}.`);
}

/**
 * Taking out the work of one requirement says nothing about another. So a verification proves one requirement, and at most one
 * value proof besides (docs/decisions/0006).
 */
function refuseMany(where: string, prd: readonly string[], { work }: State): void {
  const proofs = prd.filter((id) => work.requirements.find((one) => one.id === id)?.line === 0);
  if (proofs.length > 1 || prd.length - proofs.length > 1) {
    throw new ToolError(
      `${where}: it names ${prd.join(', ')}; a verification proves one requirement, and at most one value proof besides. Write one for each.`,
    );
  }
}

/** Its helpers are there, and in its language. */
function refuseHelpers(path: string, names: readonly string[], { work }: State): void {
  for (const name of names) {
    if (!Object.hasOwn(work.helpers, name))
      throw new ToolError(
        `${path}: there is no helper ${name}; there are ${Object.keys(work.helpers).join(', ') || 'none'}. Write it with write_helper first.`,
      );
    if (languageByName(name) !== languageByName(path)) throw new ToolError(`${path}: ${name} is in another language.`);
  }
}

/** A hint alone: who wrote it knows whether it needs what it names. */
function tooEarly(text: string, verification: Script, { work }: State): string[] {
  return earlyNames(text, verification, work).map(
    ({ name, requirement }) =>
      `It has \`${name}\`, which only requirement ${requirement} names, for a later task: if it cannot be green before that is built, write \`AFTER: ${requirement}\` in its header.`,
  );
}

/** A suite of the repository is not QC's script, and no script may replace it. */
function refuseSuite({ path, replaces }: Input, { work }: State): void {
  if (isSuite(path) || work.verifications[replaces ?? '']?.kind === 'suite')
    throw new ToolError(`${suiteCategory}/ is the repository's own; take another path. Only retire_test takes tests out of it.`);
}

/** A session about some verifications writes these with another text, and others that have shown nothing yet. */
function refuseBeside(written: Verification, about: readonly Verification[], state: State): void {
  const ids = about.map(({ id }) => id).join(', ');
  if (about.length > 0 && !about.some(({ lineage }) => lineage === written.lineage) && !hasShownNothing(state, written))
    throw new ToolError(
      `This session is about ${ids}: write it under its own path, or name it in replaces. Of the others it writes those again whose last run was red before their work was built, or for another reason than their own.`,
    );
  const same = about.find(({ script }) => script === written.script);
  if (same) throw new ToolError(`That is ${same.id} as it is. Mend it, or answer with uphold_verification that it is right.`);
}

/** The text that there is was red, but said nothing of its work. */
function hasShownNothing(state: State, { lineage }: Verification): boolean {
  const known = liveRunnable(state.work).find((one) => one.lineage === lineage);
  if (!known) return false;
  const last = runsOf(state, known).findLast(({ where, code }) => where === 'tree' && code !== null);
  return last?.verdict === 'red' && (!isHonestRed(last) || isExpectedRed(state, known));
}

/** A verification inherits the lineage of the one that it replaces or rewrites, so that a rewrite does not reset its attempts (I4). */
export function lineageOf(id: string, replaces: string | undefined, { work }: State): string {
  if (replaces !== undefined && !Object.hasOwn(work.verifications, replaces))
    throw new ToolError(`There is no verification ${replaces} to replace.`);
  if (replaces !== undefined && replaces !== id && work.verifications[id])
    throw new ToolError(`There is a verification ${id} already, with a history of its own. Take another path.`);
  const known = work.verifications[replaces ?? id];
  if (known && isPersons(known))
    throw new ToolError(`The person wrote ${known.id}, and only they change it. Take another path for one of yours.`);
  const lineage = known?.lineage ?? id;
  const live = liveVerifications(work);
  // What was replaced goes on under the new name: a second one with its history could be proven by a run of the first.
  const heir = known && live.includes(known) ? undefined : live.find((one) => one.lineage === lineage);
  if (heir) throw new ToolError(`${replaces ?? id} goes on as ${heir.id}, with its history. Take another path, or write that one again.`);
  return lineage;
}

function scriptOf({ path, replaces }: Input, header: Header, state: State, kept: Ref): Script {
  const [id = '', ext = ''] = path.split('.');
  return {
    id,
    lineage: lineageOf(id, replaces, state),
    kind: 'script',
    by: 'qc',
    category: id.split('/')[0] ?? '',
    ext,
    script: kept,
    ...fieldsOf(header, state.config.verificationTimeout),
    ...(header.uses.length > 0 ? { uses: header.uses } : {}),
  };
}
