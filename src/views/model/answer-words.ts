/** What a person is told of the answers to a human action before they give one: what it leads to, and what a skip costs. */
import type { PauseView } from './sprint-view.ts';
import { plain } from './text.ts';

type Asking = Pick<PauseView, 'asks' | 'tasks'>;

/** What becomes of their word that it is done, or of what they say. */
export function toldWords({ asks }: Pick<Asking, 'asks'>): string {
  switch (asks) {
    case 'deed':
      return 'Loop looks itself whether it is done before it goes on.';
    case 'hint':
      return 'The fixers get it, and two more tries.';
    case 'advice':
      return 'All who work on after it are told of it.';
  }
}

export function skipWords({ tasks }: Pick<Asking, 'tasks'>): string {
  return tasks === '' ? 'It stays as it is, and the report says so.' : `What waits for it will be dropped: ${plain(tasks, 60)}.`;
}

/** A skip is consent to lose what waits for it, which one click does not give; a question on which nothing hangs is just left. */
export function isSkipAskedTwice({ asks, tasks }: Asking): boolean {
  return asks === 'deed' || tasks !== '';
}
