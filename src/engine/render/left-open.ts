/** What proofs left open, for those who judge the work: weak spots, assumptions, constants that look like answers. */
import type { Constants } from '../diagnose/constants.ts';
import { openQuestions } from '../judge/open-points.ts';
import { oneLine, pieceOf } from '../ground/text.ts';
import { faultWords } from '../judge/fault-words.ts';
import { measureOf } from '../judge/latest-measure.ts';
import { pictureOf, type CoveredRequirement, type Picture } from '../picture/picture.ts';
import { liveScripts } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import { requirementsOf, type FaultTrial } from '../work/verification.ts';
import { blindSpots } from './trust-words.ts';

export function leftOpenText(state: State, constants: readonly Constants[]): string {
  const requirements = withoutOthers(pictureOf(state));
  const unseen = [...blindSpots(besidesFaults(requirements)), ...blindSpots(requirements)];
  const parts: [title: string, lines: string[]][] = [
    ['What no verification of these requirements sees, or why nobody can tell', unseen],
    ['Assumed on the way, besides what was settled about the documents', assumptions(state)],
    ['Builders say, and nobody has checked it', notes(state)],
    ['Values in the code of the work that stand in the documents or in verifications', constants.map(constantWords)],
  ];
  return parts.map(([title, lines]) => `${title}:\n${shortened(lines).join('\n') || '- none known'}`).join('\n\n');
}

/** Those whose proofs are no stronger for another reason than the faults that they do not see, without these. */
function besidesFaults(requirements: readonly CoveredRequirement[]): CoveredRequirement[] {
  return requirements.flatMap((one) => {
    const { strength } = one;
    const isForFaults = strength?.unseen.some((fault) => strength.why.includes(faultWords(fault)));
    return strength && strength.unseen.length > 0 && isForFaults === false ? [{ ...one, strength: { ...strength, unseen: [] } }] : [];
  });
}

/** The requirements, without faults in lines in which a verification of another one sees one: those are looked at. */
export function withoutOthers({ state, requirements }: Picture): CoveredRequirement[] {
  const measured = liveScripts(state.work).flatMap((script) => {
    const { trials = [], document } = measureOf(state, script) ?? {};
    const seen = [...trials, ...(document?.trials ?? [])].filter(({ outcome }) => outcome === 'seen');
    return seen.map((trial) => ({ place: placeOf(trial), of: requirementsOf(script) }));
  });
  const isOthers = (id: string, trial: FaultTrial): boolean =>
    measured.some(({ place, of }) => place === placeOf(trial) && !of.includes(id));
  return requirements.map((one) => {
    if (!one.strength) return one;
    return { ...one, strength: { ...one.strength, unseen: one.strength.unseen.filter((trial) => !isOthers(one.requirement.id, trial)) } };
  });
}

function placeOf({ path, line }: FaultTrial): string {
  return `${path}:${line}`;
}

/** Lines that each part shows. */
const most = 20;

function shortened(lines: readonly string[]): string[] {
  return lines.length > most ? [...lines.slice(0, most), `- and ${lines.length - most} more`] : [...lines];
}

/** Besides what was settled about the documents, which each prompt says (`settled.md`). */
function assumptions(state: State): string[] {
  const skipped = Object.values(state.ledger.humanActions).filter(({ status, kind }) => status === 'skipped' && kind !== 'choice');
  return [
    ...openQuestions(state).map((question) => `- ${question}`),
    ...skipped.map(({ action }) => `- the person did not do or say: ${action}`),
  ];
}

/** Characters of a builder's note. */
const longestNote = 600;

function notes(state: State): string[] {
  const built = Object.values(state.work.tasks).filter(({ status }) => status === 'done');
  const short = (note: string): string => (note.length > longestNote ? `${pieceOf(note, 0, longestNote)} …` : note);
  return built.flatMap(({ id, report }) => (report?.notes ? [`- of ${id}: ${short(oneLine(report.notes))}`] : []));
}

const kinds: Record<Constants['kind'], string> = {
  table: 'beside each other, as in a table or a chain of conditions',
  condition: 'in a condition',
  constant: 'as a constant',
};

/** Values that are told of one place. */
const mostValues = 6;

function constantWords({ path, from, to, values, kind }: Constants): string {
  const shown = values.slice(0, mostValues).map((value) => JSON.stringify(value));
  const more = values.length > mostValues ? ` and ${values.length - mostValues} more` : '';
  return `- ${path}:${from === to ? from : `${from}-${to}`}: ${shown.join(', ')}${more}, ${kinds[kind]}`;
}
