/** Words about the answers to a human action, shown before the person gives one: what follows, and what a skip costs. */
import type { HumanActionView } from './sprint-view.ts';
import { plain } from './display-text.ts';
import { t } from '../words.ts';

type Asking = Pick<HumanActionView, 'kind' | 'tasks'>;

/** What Loop does after the answer. */
export function consequenceWords({ kind }: Pick<Asking, 'kind'>): string {
  switch (kind) {
    case 'deed':
      return t('Loop checks by itself whether it is done before it goes on.');
    case 'hint':
      return t('The fixers get it, and two more tries.');
    case 'choice':
      return t('All later agents read it. Loop decides what you leave to it.');
    case 'approval':
      return t('The sprint goes on by the plan as it is now.');
    case 'advice':
      return t('All later agents read it.');
  }
}

/** What a skip costs, shown beside the choice. */
export function skipDetail({ kind, tasks }: Asking): string {
  if (kind === 'choice') return t('Loop takes what it recommends, and the report says so.');
  return dropWords(tasks);
}

/** The same, shown when the person must confirm the skip. */
export function sureDetail({ tasks }: Pick<Asking, 'tasks'>): string {
  return t('{0} This cannot be taken back.', dropWords(tasks));
}

/** As the terminal says it (`skipWords`). */
function dropWords(tasks: string): string {
  return tasks === '' ? t('It stays as it is, and the report says so.') : t('What waits for it will be dropped: {0}.', plain(tasks, 60));
}
