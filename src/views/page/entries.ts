/** The entries of the story, one element each. */
import type {
  AttemptView,
  BriefView,
  CaseView,
  EditView,
  FileView,
  FixView,
  JudgementView,
  SetbackView,
  TextView,
} from '../model/history-entries.ts';
import { h, type Child } from './dom.ts';
import { verificationLink, opener } from './editor.ts';
import { t, translated } from '../words.ts';

/** @param heading `h4` inside a group. @param open whether its evidence is open at once. */
export function attempt(item: AttemptView, heading: 'h3' | 'h4', open: boolean): HTMLElement {
  const id = `attempt-${item.n}`;
  const isNamed = item.failure === null || item.summary.startsWith(item.failure);
  return h(
    'li',
    { class: `attempt ${item.verdict}` },
    h(heading, { id, tabindex: '-1' }, item.words),
    h(
      'p',
      { class: 'quiet' },
      isNamed ? item.place : `${item.failure}, ${item.place}`,
      ...(item.at === null ? [] : [' · ', time(item.at)]),
    ),
    item.verdict !== 'green' && item.summary ? h('p', {}, item.summary) : null,
    item.cases && cases(id, item.cases, open),
    evidence(id, item, open),
  );
}

function evidence(id: string, { n, excerpt, output }: AttemptView, open: boolean): Child {
  const details = h(
    'details',
    { id: `${id}-evidence` },
    h('summary', {}, t('Evidence')),
    h('pre', { tabindex: '0', 'aria-label': t('Output of attempt {0}', n) }, excerpt || t('(no output)')),
    opener(`${id}-output`, t('Open Whole Output'), { type: 'open-payload', ref: output, what: 'output' }),
  );
  details.open = open;
  return details;
}

function cases(id: string, { words, shown }: NonNullable<AttemptView['cases']>, open: boolean): HTMLElement {
  const details = h('details', { id: `${id}-cases` }, h('summary', {}, words), h('ul', {}, ...shown.map(oneCase)));
  details.open = open;
  return details;
}

function oneCase({ name, place, message, values }: CaseView): HTMLElement {
  return h(
    'li',
    {},
    h('strong', {}, name),
    place === '' ? null : h('span', { class: 'quiet' }, ` ${place}`),
    message === '' ? null : h('p', {}, message),
    values && labelled(t('Expected'), values.expected || t('(nothing)')),
    values && labelled(t('Actual'), values.actual || t('(nothing)')),
  );
}

/** Many green attempts in a row tell little, so one closed entry holds them. */
export function greens(items: readonly AttemptView[]): HTMLElement {
  const [first, last] = [items[0]?.n ?? 0, items.at(-1)?.n ?? 0];
  return h(
    'li',
    { class: 'attempt green' },
    h('h3', {}, t('Attempts {0} to {1}: green, {2} times in a row', first, last, items.length)),
    h(
      'details',
      { id: `greens-${first}` },
      h('summary', {}, t('Each of them')),
      h('ol', { class: 'story' }, ...items.map((item) => attempt(item, 'h4', false))),
    ),
  );
}

export function fix(item: FixView): HTMLElement {
  const id = `fix-${item.step}`;
  return h(
    'li',
    { class: `change ${item.outcome === 'kept' ? 'kept' : 'lost'}` },
    h('h3', { id }, item.words),
    item.at === null ? null : when(item.at),
    sharedCause(id, item),
    h('div', { class: 'sides' }, fixerSide(item), engineSide(id, item)),
    item.diff && diff(id, item.diff),
  );
}

function fixerSide({ said: { applied, reasoning, files: claimed }, doubt }: FixView): HTMLElement {
  return h(
    'section',
    {},
    h('h4', {}, t('What the fixer said')),
    h('p', {}, applied),
    labelled(t('Why'), reasoning),
    labelled(t('Files'), claimed.join(', ')),
    doubt && labelled(doubt.what, doubt.evidence),
  );
}

function engineSide(id: string, item: FixView): HTMLElement {
  return h(
    'section',
    {},
    h('h4', {}, t('What Loop saw')),
    files(item.changed),
    item.diff && openChangeButton(id, item.diff),
    item.doubt ? h('p', {}, item.doubt.answer) : labelled(outcomeLabels[item.outcome], item.why),
  );
}

const outcomeLabels: Record<FixView['outcome'], string> = {
  open: t('Not settled yet'),
  kept: t('Why it was kept'),
  undone: t('Why it was undone'),
  'no change': t('Nothing to keep'),
};

function sharedCause(id: string, { madeFor: group }: FixView): Child {
  if (!group) return null;
  const names = group.verifications.flatMap((verification, i) => [i === 0 ? ': ' : ', ', verificationLink(id, verification)]);
  return h('p', {}, group.words, ...names);
}

export function setback(item: SetbackView): HTMLElement {
  const id = `setback-${item.step}`;
  return h(
    'li',
    { class: 'change lost' },
    h('h3', { id }, item.words),
    item.at === null ? null : when(item.at),
    labelled(t('Why it was undone'), item.why),
    files(item.changed),
    openChangeButton(id, item.diff),
    diff(id, item.diff),
  );
}

export function edit({ words, kept, open }: EditView): HTMLElement {
  const id = `edit-${kept}`;
  return h(
    'li',
    { class: 'change lost' },
    h('h3', {}, t('Its file was edited')),
    h('p', {}, words),
    open ? opener(`${id}-adopt`, t('Adopt My Edit…'), { type: 'adopt-edit' }) : null,
    open ? opener(`${id}-discard`, t('Discard My Edit'), { type: 'discard-edit' }) : null,
  );
}

export function brief({ topic, findings, source }: BriefView): HTMLElement {
  return h('li', { class: 'change kept' }, h('h3', {}, topic), h('p', {}, findings), labelled(t('Source'), source));
}

export function judgement({ met, words, evidence: text }: JudgementView): HTMLElement {
  return h('li', { class: `attempt ${met ? 'green' : 'red'}` }, h('h3', {}, words), h('p', {}, text));
}

function openChangeButton(id: string, { ref }: TextView): HTMLElement {
  return opener(`${id}-open`, t('Open Changes'), { type: 'open-payload', ref, what: 'diff' });
}

function diff(id: string, { text }: TextView): HTMLElement {
  const lines = text.split('\n').map((line) => h('span', { class: lineClass(line) }, `${line}\n`));
  return h(
    'details',
    { id: `${id}-diff` },
    h('summary', {}, t('Diff')),
    h('pre', { class: 'diff', tabindex: '0', 'aria-label': t('Diff') }, ...lines),
  );
}

function lineClass(line: string): string {
  if (line.startsWith('+') && !line.startsWith('+++')) return 'added';
  if (line.startsWith('-') && !line.startsWith('---')) return 'removed';
  return line.startsWith('@@') ? 'hunk' : 'same';
}

function files(changed: readonly FileView[]): HTMLElement {
  if (changed.length === 0) return h('p', {}, t('No file changed.'));
  return h('ul', {}, ...changed.map(({ path, kind }) => h('li', {}, `${path} `, h('span', { class: 'quiet' }, translated(kind)))));
}

function labelled(label: string, text: string): Child {
  return text === '' ? null : h('p', {}, h('strong', {}, `${label}: `), text);
}

function when(at: number): HTMLElement {
  return h('p', { class: 'quiet' }, time(at));
}

export function time(at: number): HTMLElement {
  const date = new Date(at);
  return h('time', { datetime: date.toISOString() }, date.toLocaleString([], { dateStyle: 'medium', timeStyle: 'medium' }));
}
