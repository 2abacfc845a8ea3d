/**
 * Which edits the person may adopt, and the verification that results. An adopted script must still be proven. Its lineage
 * stays, with all tanks and the whole history (I4, I9).
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
 * The latest edit of a verification's file, if it waits for the person's answer. An edit of anything but a live script never
 * waits, because it cannot be adopted.
 */
export function openEdit({ ledger, work }: State, { lineage }: Pick<Verification, 'lineage'>): KnownEdit | undefined {
  const last = ledger.edits[lineage]?.at(-1);
  return last && isKnown(last) && last.answer === undefined && !('problem' in editable(work, last.id)) ? last : undefined;
}

/** Adopted edits that take effect before the next decision. */
export function dueEdits(state: State): (KnownEdit & { lineage: string })[] {
  return state.open ? [] : answeredEdits(state);
}

/** Adopted edits that have not taken effect. None while a change is open: its undo would restore the old script. */
export function answeredEdits({ ledger, work }: State): (KnownEdit & { lineage: string })[] {
  if (work.tree.change) return [];
  return Object.entries(ledger.edits).flatMap(([lineage, edits]) =>
    edits
      .filter(isKnown)
      .filter(({ answer }) => answer === 'adopt')
      .map((edit) => ({ ...edit, lineage })),
  );
}

/** A verification's file as the engine expects it. */
export function fileOf({ ledger }: State, { id, ext, script, lineage }: Verification): VerificationFile {
  const adoptedEdits = (ledger.edits[lineage] ?? []).filter(({ answer }) => answer === 'adopted');
  return { id, ext, script, ours: [...(ledger.scripts[lineage] ?? []), ...adoptedEdits.flatMap(({ text }) => text ?? [])] };
}

/** What is wrong (with file and line if it is in a text), and what to do about it. */
export interface EditProblem {
  problem: string;
  next: string;
}

/** The live script with this id, or why the person cannot replace it. */
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
      next: 'Change these and commit them: the next sprint uses them; this one uses them as they were when it began.',
    };
  return {
    problem: `${id} is no script: it is a criterion that an evaluation judges.`,
    next: 'Say in VISION.md or PRD.md what you want: the next sprint uses it; this one uses what they said when it began.',
  };
}

/** The verification with the person's text as its script, or why the text is refused. */
export function adopted(state: State, edit: Pick<KnownEdit, 'id' | 'kept' | 'text'>, script: string): Script | EditProblem {
  const verification = editable(state.work, edit.id);
  if ('problem' in verification) return { ...verification, next: `${verification.next} The text is kept as ${edit.kept}.` };
  const parsed = parseHeader(script);
  if ('problem' in parsed) return refusal(edit, parsed);
  const wrong = mismatch(state, verification, script, parsed.header);
  if (wrong) return refusal(edit, wrong);
  const { sameCode: _before, after: _others, ...own } = verification;
  return { ...own, ...fieldsOf(parsed.header, state.config.verificationTimeout), script: edit.text, by: 'person' };
}

function mismatch({ work }: State, verification: Script, script: string, { prd, after, requires }: Header): Mismatch | undefined {
  const known = work.requirements.map(({ id }) => id);
  for (const [field, ids] of [
    ['PRD', prd],
    ['AFTER', after],
  ] as const) {
    const unknown = ids.filter((id) => !known.includes(id)).join(', ');
    if (unknown) return { line: lineOf(script, field), problem: `there is no requirement ${unknown}; there are ${known.join(', ')}` };
  }
  const line = lineOf(script, 'PRD');
  if ([...prd].sort().join() !== [...verification.prd].sort().join())
    return { line, problem: `PRD names ${prd.join(', ')}, and this verification proves ${verification.prd.join(', ')}` };
  const service = requiresProblem(requires, servicesOf(work));
  return service === undefined ? undefined : { line: lineOf(script, 'REQUIRES'), problem: service };
}

interface Mismatch {
  line: number;
  problem: string;
}

/** The person corrects the file itself, which makes another edit; the saved text stays. */
function refusal({ id, kept }: Pick<KnownEdit, 'id' | 'kept'>, { line, problem }: Mismatch): EditProblem {
  const next = `Write it again into the file of ${id}, with that corrected, and adopt that; nothing of yours is lost.`;
  return { problem: `${kept}:${line}: ${problem}.`, next };
}

function isKnown(edit: Edit): edit is KnownEdit {
  return edit.text !== null;
}
