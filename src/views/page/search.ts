/**
 * Search over the whole page: plain text, ignoring case. Matches are marked by the browser's highlights, which do not change
 * the page. While the search lasts, entries without a match are hidden, and details with a match are open.
 */
import { h } from './dom.ts';
import { t } from '../words.ts';

/** More matches than the person steps through. Further ones are not marked, but their entries are shown. */
const maxMatches = 2000;

export class Search {
  readonly bar: HTMLElement;
  private readonly field = h('input', {
    id: 'search',
    type: 'search',
    placeholder: t('Search this history ( / )'),
    'aria-label': t('Search this history'),
    'aria-describedby': 'search-count',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  private readonly count = h('output', { id: 'search-count' });
  private readonly opened = new Set<HTMLDetailsElement>();
  private matches: Range[] = [];
  /** Index of the current match; -1 for none. */
  private current = -1;

  /** @param content where to search. @param onQuery is called when the person changed the query. */
  constructor(
    private readonly content: HTMLElement,
    private readonly onQuery: () => void,
  ) {
    const previous = this.button(t('Previous Match'), '↑', -1);
    const next = this.button(t('Next Match'), '↓', 1);
    this.bar = h('div', { role: 'search', class: 'search' }, this.field, previous, next, this.count);
    this.field.addEventListener('input', () => this.onInput());
    this.field.addEventListener('keydown', (event) => this.onKey(event));
    document.addEventListener('keydown', (event) => this.onShortcut(event));
  }

  get query(): string {
    return this.field.value;
  }

  set query(text: string) {
    this.field.value = text;
  }

  /** By id, `false` for details that only the search opened, so that the saved state does not keep them open. */
  get closed(): Record<string, boolean> {
    return Object.fromEntries([...this.opened].map(({ id }) => [id, false]));
  }

  /** Searches the current page, and keeps the number of the current match. */
  apply(): void {
    const index = this.current;
    this.clear();
    if (this.query !== '') this.mark(this.query);
    this.current = Math.min(Math.max(index, 0), this.matches.length - 1);
    this.show();
  }

  /** Removes the marks, shows all entries, and closes details that the search opened. */
  clear(): void {
    this.matches = [];
    for (const details of this.opened) details.open = false;
    this.opened.clear();
    for (const entry of this.entries()) entry.hidden = false;
    CSS.highlights.clear();
  }

  private onInput(): void {
    this.current = 0;
    this.apply();
    this.reveal();
    this.onQuery();
  }

  private mark(query: string): void {
    const pattern = new RegExp(query.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu');
    const ancestors = new Set<Element>();
    for (const node of textsIn(this.content)) {
      for (const { index, 0: text } of (node.nodeValue ?? '').matchAll(pattern)) {
        if (this.matches.length < maxMatches) this.matches.push(rangeIn(node, index, text.length));
        for (let element = node.parentElement; element && !ancestors.has(element); element = element.parentElement) ancestors.add(element);
      }
    }
    for (const entry of this.entries()) entry.hidden = !ancestors.has(entry);
    for (const details of this.content.querySelectorAll('details')) {
      if (details.open || !ancestors.has(details)) continue;
      details.open = true;
      this.opened.add(details);
    }
    CSS.highlights.set('found', new Highlight(...this.matches));
  }

  private show(): void {
    const match = this.matches[this.current];
    if (match) CSS.highlights.set('current', new Highlight(match));
    const hidden = [...this.entries()].filter((entry) => entry.hidden && !entry.parentElement?.closest('li')).length;
    const many = this.matches.length === maxMatches ? '+' : '';
    const place = this.matches.length === 0 ? t('no match') : t('{0} of {1}{2}', this.current + 1, this.matches.length, many);
    const words = hidden === 0 ? place : t('{0}, {1} hidden', place, hidden === 1 ? t('1 entry') : t('{0} entries', hidden));
    this.count.value = this.query === '' ? '' : words;
  }

  private step(by: number): void {
    if (this.matches.length === 0) return;
    this.current = (this.current + by + this.matches.length) % this.matches.length;
    this.show();
    this.reveal();
  }

  /** Scrolls to the current match: first inside its own box, if that scrolls, then the page. */
  private reveal(): void {
    const match = this.matches[this.current];
    if (!match) return;
    const scroller = match.startContainer.parentElement?.closest('pre');
    if (scroller) {
      const [mark, box] = [match.getBoundingClientRect(), scroller.getBoundingClientRect()];
      if (mark.top < box.top || mark.bottom > box.bottom) scroller.scrollTop += mark.top - box.top - box.height / 2;
      if (mark.left < box.left || mark.right > box.right) scroller.scrollLeft += mark.left - box.left - box.width / 2;
    }
    const { top, bottom } = match.getBoundingClientRect();
    if (top < this.bar.getBoundingClientRect().bottom || bottom > window.innerHeight) window.scrollBy(0, top - window.innerHeight / 2);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter') this.step(event.shiftKey ? -1 : 1);
    if (event.key !== 'Escape') return;
    if (this.query === '') this.field.blur();
    this.query = '';
    this.onInput();
  }

  private onShortcut(event: KeyboardEvent): void {
    const isFind = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f';
    if (!isFind && (event.key !== '/' || event.target === this.field)) return;
    event.preventDefault();
    this.field.focus();
    this.field.select();
  }

  private button(label: string, sign: string, by: number): HTMLElement {
    const button = h('button', { type: 'button', 'aria-label': label, title: label }, sign);
    button.addEventListener('click', () => this.step(by));
    return button;
  }

  private entries(): NodeListOf<HTMLElement> {
    return this.content.querySelectorAll<HTMLElement>('.story > li');
  }
}

/** Text nodes that the person reads, without the labels of controls. */
function* textsIn(root: HTMLElement): Generator<Text> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (!node.parentElement?.closest('summary, [role=search], button:not(.link)')) yield node;
  }
}

function rangeIn(node: Text, start: number, length: number): Range {
  const range = document.createRange();
  range.setStart(node, start);
  range.setEnd(node, start + length);
  return range;
}
