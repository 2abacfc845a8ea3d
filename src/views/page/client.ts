/** The failure-history page: draws what the panel sends, keeps the person's place, and posts their clicks. */
import './page-words.ts';
import type { EntryView } from '../model/history-entries.ts';
import type { HistoryView } from '../model/history-view.ts';
import { Drawn, h, openness, place, setOpen } from './dom.ts';
import { editor, type PagePlace } from './editor.ts';
import { attempt, brief, edit, fix, greens, judgement, setback } from './entries.ts';
import type { PanelState, ToPage } from './page-messages.ts';
import { Search } from './search.ts';
import { head, now, script, trust } from './sections.ts';
import { t } from '../words.ts';

const main = document.getElementById('history') ?? document.body;
const live = document.getElementById('live');
const storyHeading = h('h2', { id: 'story' });
const story = h('ol', { class: 'story', 'aria-labelledby': 'story' });
/** Everything that the search covers: all but the head. */
const body = h('div', {});
const search = new Search(body, savePlace);
const drawn = new Drawn();
/** Longer runs of green attempts are shown as one entry. */
const maxSingleGreens = 2;
const saveMs = 200;

/** Where the person was before the tab was hidden; restored once. */
let savedPlace: Partial<PagePlace> | undefined = editor.getState();
let panel: PanelState | undefined;
let announced = '';
let saveTimer: ReturnType<typeof setTimeout> | undefined;

window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
  panel = data.state;
  main.removeAttribute('aria-busy');
  if (data.type === 'missing') place(main, [h('h1', {}, data.state.verification), h('p', {}, data.why)]);
  else show(data.history);
  savePlace();
});
window.addEventListener('scroll', savePlaceSoon, { passive: true });
// At once, because the click may hide this page.
main.addEventListener('click', savePlace);
main.addEventListener('toggle', savePlace, true);
editor.postMessage({ type: 'ready' });

function show(history: HistoryView): void {
  search.clear();
  const focused = document.activeElement?.id ?? '';
  const { verification, title, status, statusWords, requirements, header, kind } = history;
  storyHeading.textContent = kind === 'criterion' ? t('Judgements') : t('History ({0})', counts(history));
  place(story, entries(history.story));
  place(body, [
    drawn.draw('now', { now: history.now, byHand: history.byHand }, now),
    drawn.draw('trust', { trust: history.trust, kind }, trust),
    storyHeading,
    story,
    drawn.draw('script', { script: history.script, kind }, script),
  ]);
  place(main, [drawn.draw('head', { verification, title, status, statusWords, requirements, header }, head), search.bar, body]);
  if (focused !== '' && document.activeElement?.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true });
  if (savedPlace) restorePlace(savedPlace);
  else search.apply();
  savedPlace = undefined;
  announce(history);
}

function counts({ story: all }: HistoryView): string {
  const attempts = all.filter(isAttempt).length;
  const fixes = all.filter((item) => item.type === 'fix').length;
  const runs = attempts === 1 ? t('1 attempt') : t('{0} attempts', attempts);
  if (fixes === 0) return runs;
  return `${runs}, ${fixes === 1 ? t('1 fix') : t('{0} fixes', fixes)}`;
}

/** Opens the evidence of the latest failure, which the person most likely looks for. */
function entries(items: readonly EntryView[]): (HTMLElement | null)[] {
  const lastRed = items.findLast((item) => item.type === 'attempt' && item.verdict !== 'green');
  return runsOfGreen(items).map((group) => {
    const [item] = group;
    if (!item) return null;
    if (group.length > maxSingleGreens) return drawn.draw(`greens-${keyOf(item)}`, group.filter(isAttempt), greens);
    return drawn.draw(keyOf(item), item, () => entry(item, item === lastRed));
  });
}

/** Each entry alone, except long runs of green attempts. */
function runsOfGreen(items: readonly EntryView[]): EntryView[][] {
  const groups: EntryView[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && isGreen(item) && last.every(isGreen)) last.push(item);
    else groups.push([item]);
  }
  return groups.flatMap((group) => (group.length > maxSingleGreens ? [group] : group.map((item) => [item])));
}

function entry(item: EntryView, open: boolean): HTMLElement {
  switch (item.type) {
    case 'attempt':
      return attempt(item, 'h3', open);
    case 'fix':
      return fix(item);
    case 'setback':
      return setback(item);
    case 'edit':
      return edit(item);
    case 'brief':
      return brief(item);
    case 'judgement':
      return judgement(item);
  }
}

function keyOf(item: EntryView): string {
  switch (item.type) {
    case 'attempt':
      return `attempt-${item.n}`;
    case 'fix':
    case 'setback':
      return `${item.type} ${item.step}`;
    case 'edit':
      return `edit-${item.kept}`;
    case 'brief':
      return `brief-${item.topic}`;
    case 'judgement':
      return item.words;
  }
}

function isAttempt(item: EntryView): item is Extract<EntryView, { type: 'attempt' }> {
  return item.type === 'attempt';
}

function isGreen(item: EntryView): boolean {
  return isAttempt(item) && item.verdict === 'green';
}

function restorePlace({ query = '', open = {}, scrollY = 0 }: Partial<PagePlace>): void {
  setOpen(main, open);
  search.query = query;
  search.apply();
  window.scrollTo(0, scrollY);
}

function savePlaceSoon(): void {
  saveTimer ??= setTimeout(savePlace, saveMs);
}

function savePlace(): void {
  clearTimeout(saveTimer);
  saveTimer = undefined;
  if (panel) editor.setState({ ...panel, query: search.query, open: { ...openness(main), ...search.closed }, scrollY: window.scrollY });
}

/** Lets a screen reader read only what changed: the status, or a new attempt or fix. */
function announce(history: HistoryView): void {
  const words = `${history.verification}: ${history.statusWords}, ${counts(history)}`;
  if (words === announced || !live) return;
  if (announced !== '') live.textContent = words;
  announced = words;
}
