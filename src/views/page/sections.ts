/** The sections around the story: the head, the current standing, trust, and the script. */
import type { HistoryView } from '../model/history-view.ts';
import { h, type Child } from './dom.ts';
import { time } from './entries.ts';
import { verificationLink, opener } from './editor.ts';
import { t } from '../words.ts';

type Part<K extends keyof HistoryView> = Pick<HistoryView, K>;
export type Head = Part<'verification' | 'title' | 'status' | 'statusWords' | 'requirements' | 'header'>;

export function head({ verification, title, status, statusWords, requirements, header }: Head): HTMLElement {
  return h(
    'header',
    {},
    h('h1', {}, verification),
    h('p', { class: 'title' }, title),
    h('p', {}, h('strong', { class: `badge ${status}` }, statusWords)),
    h(
      'dl',
      {},
      ...requirements.flatMap(({ id, title: words }) => pair(t('Proves {0}', id), words)),
      ...header.flatMap((f) => pair(f.name, f.value)),
    ),
  );
}

function pair(name: string, value: string): Child[] {
  return value === '' ? [] : [h('dt', {}, name), h('dd', {}, value)];
}

export function now({ now: { words, summary, attempt, next, siblings }, byHand: own }: Part<'now' | 'byHand'>): HTMLElement {
  return h(
    'section',
    { 'aria-labelledby': 'now' },
    h('h2', { id: 'now' }, t('Now')),
    h('p', {}, words),
    summary ? h('p', { class: 'summary' }, summary) : null,
    ...next.map((line) => h('p', {}, line)),
    attempt === null ? null : goTo(attempt),
    siblings && siblingList(siblings),
    own && byHand(own),
  );
}

/** It changes neither the status nor the sprint, so it stands apart from the attempts. */
function byHand({ words, summary, at }: NonNullable<HistoryView['byHand']>): HTMLElement {
  return h('div', { class: 'by-hand' }, h('p', {}, h('strong', {}, words), ' · ', time(at)), summary ? h('p', {}, summary) : null);
}

function siblingList({ why, verifications }: NonNullable<HistoryView['now']['siblings']>): HTMLElement {
  const entries = verifications.map(({ id, title }) => h('li', {}, verificationLink('sibling', id), ` ${title}`));
  return h('div', {}, h('p', {}, t('Others fail for the same cause now ({0}):', why)), h('ul', {}, ...entries));
}

function goTo(attempt: number): HTMLElement {
  const button = h('button', { id: 'go-to-attempt', type: 'button' }, t('Go to Attempt {0}', attempt));
  button.addEventListener('click', () => reveal(`attempt-${attempt}`));
  return button;
}

function reveal(id: string): void {
  const heading = document.getElementById(id);
  let details = heading?.closest('details');
  for (; details; details = details.parentElement?.closest('details')) details.open = true;
  heading?.scrollIntoView({ block: 'center' });
  heading?.focus({ preventScroll: true });
}

export function trust({ trust: { trusted, why, strength, unseen, proofs }, kind }: Part<'trust' | 'kind'>): HTMLElement | null {
  if (kind === 'criterion') return null;
  return h(
    'section',
    { 'aria-labelledby': 'trust' },
    h('h2', { id: 'trust' }, t('Trust')),
    h('p', {}, h('strong', {}, trusted ? t('Trusted: ') : t('Not trusted yet: ')), why),
    strength === '' ? null : h('p', {}, h('strong', {}, t('Strength of its proof: ')), strength),
    unseen.length === 0
      ? null
      : h(
          'details',
          { id: 'unseen' },
          h('summary', {}, t('Faults in the work that it does not see ({0})', unseen.length)),
          h('ul', {}, ...unseen.map((fault) => h('li', {}, fault))),
        ),
    h(
      'details',
      { id: 'proofs' },
      h('summary', {}, t('Every proof that was tried ({0})', proofs.length)),
      h('ul', { class: 'proofs' }, ...proofs.map(proof)),
    ),
  );
}

function proof({ name, outcome, why, when }: HistoryView['trust']['proofs'][number]): HTMLElement {
  const label = when === '' ? name : `${name}, ${when}`;
  return h('li', {}, h('p', {}, `${label}: `, h('strong', {}, outcome)), h('p', { class: 'quiet' }, why));
}

export function script({ script: { text, ref }, kind }: Part<'script' | 'kind'>): HTMLElement {
  return h(
    'section',
    { 'aria-labelledby': 'verification' },
    h('h2', { id: 'verification' }, kind === 'criterion' ? t('The criterion') : t('The verification')),
    h(
      'details',
      { id: 'script' },
      h('summary', {}, kind === 'criterion' ? t('Text') : t('Script')),
      h('pre', { tabindex: '0', 'aria-label': t('Script') }, text),
      opener('script-open', t('Open Script'), { type: 'open-payload', ref, what: 'script' }),
    ),
  );
}
