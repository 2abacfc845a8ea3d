/** Where in its documents a word to the agents is said: the requirement, task or verification at a line. */
import { lineAt, lineStarts } from '../../engine/ground/line-starts.ts';
import { t, translated } from '../words.ts';
import type { SprintView } from './sprint-view.ts';

/** `requirement 1.1`, as *Tell the Agents…* takes it. */
type About = string;

export interface Place {
  about: About;
  /** 0-based. */
  line: number;
}

type Told = Pick<SprintView, 'requirements' | 'phases'>;

/** Requirements and tasks at the line that names them first, in the order of the lines. Read by the editor's own process, so in one go. */
export function placesIn(text: string, { requirements, phases }: Told): Place[] {
  const lines = text.split('\n');
  const begun = new Map<string, number>();
  for (const [line, words] of lines.entries()) {
    const id = beginning.exec(words)?.[1];
    if (id !== undefined && !begun.has(id)) begun.set(id, line);
  }
  const starts = lineStarts(lines);
  const lineWith = (title: string): number => {
    const offset = title.length > 3 ? text.indexOf(title) : -1;
    return offset < 0 ? -1 : lineAt(starts, offset);
  };
  const tasks = phases.flatMap((phase) => phase.tasks);
  return (
    [...requirements.map((one) => ({ ...one, kind: 'requirement' })), ...tasks.map((one) => ({ ...one, kind: 'task' }))]
      // An id may stand nowhere, where it was given by counting; then the title does.
      .map(({ kind, id, title }) => ({ about: `${kind} ${id}`, line: begun.get(id) ?? lineWith(title) }))
      .filter(({ line }) => line >= 0)
      .sort((a, b) => a.line - b.line)
  );
}

/** What a line begins with, behind the marks of a list, a heading or a table. A sentence's dot is no part of it. */
const beginning = /^[\s#>*|-]*(?:\[.\] *)?(?:\*\*)?([\p{L}\p{N}_-]+(?:\.\d[\p{L}\p{N}_-]*)*)/u;

const subjects: Readonly<Record<string, (id: string) => string>> = {
  task: (id) => t('task {0}', id),
  requirement: (id) => t('requirement {0}', id),
  verification: (id) => t('verification {0}', id),
};

/** `task T1`, in the language of the editor. */
export function aboutWords(about: About): string {
  const [, kind = '', id = ''] = /^(\w+) (\S+)$/.exec(about) ?? [];
  return subjects[kind]?.(id) ?? translated(about);
}

/** @returns what stands at a line or above it; empty for the whole sprint. */
export function aboutAt(places: readonly Place[], line: number): About {
  return places.findLast((place) => place.line <= line)?.about ?? '';
}
