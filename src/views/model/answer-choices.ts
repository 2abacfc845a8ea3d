/** What a person is told of the answers to a human action before they give one: what it leads to, and what a skip costs. */
import { skipWords, sureWords } from '../../engine/render/answer-words.ts';
import type { HumanActionView } from './sprint-view.ts';
import { plain } from './display-text.ts';

type Asking = Pick<HumanActionView, 'kind' | 'tasks'>;

/** What becomes of their word that it is done, or of what they say. */
export function consequenceWords({ kind }: Pick<Asking, 'kind'>): string {
  switch (kind) {
    case 'deed':
      return 'Loop looks itself whether it is done before it goes on.';
    case 'hint':
      return 'The fixers get it, and two more tries.';
    case 'advice':
      return 'All who work on after it are told of it.';
  }
}

/** What a skip costs, where it is offered. */
export function skipDetail({ tasks }: Pick<Asking, 'tasks'>): string {
  return skipWords(plain(tasks, 60));
}

/** The same, where it is asked for once more. */
export function sureDetail({ tasks }: Pick<Asking, 'tasks'>): string {
  return sureWords(plain(tasks, 60));
}
