/**
 * What a person may do with an edit of a verification's file, and what the verification is then. A person's own words stand
 * above QC's, and still have to be proven: only the script changes hands. Lineage, and with it every tank and the whole
 * history, stays (I4, I9). Pure (I3).
 */
import type { VerificationFile, Edit } from '../work/edit.ts';
import type { State, Work } from '../state/state.ts';
import type { Script, Verification } from '../work/verification.ts';
import { fieldsOf, lineOf, parseHeader, type Header } from '../parse/header.ts';
import { requiresProblem } from '../parse/requires.ts';
import { servicesOf } from '../services/services.ts';
import { liveScripts } from '../state/covers.ts';

/** An edit whose text is known. */
export type KnownEdit = Edit & { text: string };

/**
 * The latest edit of a check's file, where the person has not spoken yet; an older one made way for it. One of what is no
 * script waits for no word: none makes a verification of it.
 */
export function openEdit({ ledger, work }: State, { lineage }: Pick<Verification, 'lineage'>): KnownEdit | undefined {
  const last = ledger.edits[lineage]?.at(-1);
  return last && isKnown(last) && last.answer === undefined && !('problem' in editable(work, last.id)) ? last : undefined;
}

/** To be made the verification before the next decision. */
export function dueEdits(state: State): (KnownEdit & { lineage: string })[] {
  return state.open ? [] : answeredEdits(state);
}

/** What the person adopted and is not the verification yet; none while a change of the tree is open, which may be undone. */
export function answeredEdits({ ledger, work }: State): (KnownEdit & { lineage: string })[] {
  if (work.tree.change) return [];
  return Object.entries(ledger.edits).flatMap(([lineage, edits]) =>
    edits
      .filter(isKnown)
      .filter(({ answer }) => answer === 'adopt')
      .map((edit) => ({ ...edit, lineage })),
  );
}

/** A check's file as the engine expects it. */
export function fileOf({ ledger }: State, { id, ext, script, lineage }: Verification): VerificationFile {
  const adoptedOnes = (ledger.edits[lineage] ?? []).filter(({ answer }) => answer === 'adopted');
  return { id, ext, script, ours: [...(ledger.scripts[lineage] ?? []), ...adoptedOnes.flatMap(({ text }) => text ?? [])] };
}

/** What is wrong, with file and line where it is in a text, and what to do about it. */
export interface EditProblem {
  problem: string;
  next: string;
}

/** The check of that name where it is a script of Loop's that still runs, else why no text of a person's takes its place. */
export function editable(work: Work, id: string): Script | EditProblem {
  const verification = Object.hasOwn(work.verifications, id) ? work.verifications[id] : undefined;
  const scripts = liveScripts(work);
  if (verification?.kind === 'script' && scripts.includes(verification)) return verification;
  const all = scripts.map((one) => one.id).join(', ') || 'none';
  if (!verification)
    return {
      problem: `There is no verification ${id}.`,
      next: `There are: ${all}. A verification keeps its name when it is edited.`,
    };
  if (work.retired.includes(id))
    return { problem: `${id} is no verification of this sprint any more.`, next: `Nothing runs it. What you may edit: ${all}.` };
  if (verification.kind === 'suite')
    return {
      problem: `${id} is no script of Loop's: it runs the repository's own tests (${verification.files.join(', ')}).`,
      next: 'Change these and commit them: the next sprint goes by them, this one by what they were when it began.',
    };
  return {
    problem: `${id} is no script: it is a criterion that an evaluation judges.`,
    next: 'Say in VISION.md or PRD.md what you want: the next sprint goes by it, this one by what they said when it began.',
  };
}

/** The check that a person's text makes, or why it makes none. */
export function adopted(state: State, edit: Pick<KnownEdit, 'id' | 'kept' | 'text'>, script: string): Script | EditProblem {
  const verification = editable(state.work, edit.id);
  if ('problem' in verification) return { ...verification, next: `${verification.next} The text is kept as ${edit.kept}.` };
  const parsed = parseHeader(script);
  if ('problem' in parsed) return mend(edit, parsed);
  const wrong = misfit(state, verification, { script, header: parsed.header });
  if (wrong) return mend(edit, wrong);
  return { ...verification, ...fieldsOf(parsed.header, state.config.verificationTimeout), script: edit.text, by: 'person' };
}

function misfit(
  { work }: State,
  verification: Script,
  { script, header: { prd, requires } }: { script: string; header: Header },
): Misfit | undefined {
  const known = work.requirements.map(({ id }) => id);
  const unknown = prd.filter((id) => !known.includes(id));
  const line = lineOf(script, 'PRD');
  if (unknown.length > 0) return { line, problem: `there is no requirement ${unknown.join(', ')}; there are ${known.join(', ')}` };
  if ([...prd].sort().join() !== [...verification.prd].sort().join())
    return { line, problem: `PRD names ${prd.join(', ')}, and this verification proves ${verification.prd.join(', ')}` };
  const service = requiresProblem(requires, servicesOf(work));
  return service === undefined ? undefined : { line: lineOf(script, 'REQUIRES'), problem: service };
}

interface Misfit {
  line: number;
  problem: string;
}

/** The text stays where it is kept: what is mended is the file itself, which makes another edit. */
function mend({ id, kept }: Pick<KnownEdit, 'id' | 'kept'>, { line, problem }: Misfit): EditProblem {
  const next = `Write it again into the file of ${id}, with that mended, and adopt that; nothing of yours is lost.`;
  return { problem: `${kept}:${line}: ${problem}.`, next };
}

function isKnown(edit: Edit): edit is KnownEdit {
  return edit.text !== null;
}
