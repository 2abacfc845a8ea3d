/** Where in its documents a word to the agents is said: the requirement, task or verification at a line. */
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

/** Requirements and tasks at the line that names them first, in the order of the lines. */
export function placesIn(lines: readonly string[], { requirements, phases }: Told): Place[] {
  const tasks = phases.flatMap((phase) => phase.tasks);
  const named = [
    ...requirements.map(({ id, title }) => ({ about: `requirement ${id}`, id, title })),
    ...tasks.map(({ id, title }) => ({ about: `task ${id}`, id, title })),
  ];
  return named
    .map(({ about, id, title }) => ({ about, line: lines.findIndex((text) => isNamed(text, id, title)) }))
    .filter(({ line }) => line >= 0)
    .sort((a, b) => a.line - b.line);
}

/** An id may stand nowhere, where it was given by counting; then the title does. */
function isNamed(text: string, id: string, title: string): boolean {
  const number = id.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  if (new RegExp(String.raw`^[\s#>*|-]*(?:\[.\] *)?(?:\*\*)?${number}(?![\w-]|\.\d)`).test(text)) return true;
  return title.length > 3 && text.includes(title);
}

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
