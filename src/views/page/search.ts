/**
 * Search over the whole page: plain text, any case. Matches are marked without touching the page (a highlight of the browser),
 * entries without one are hidden, and details are opened where one is in them, for as long as the search lasts.
 */
import { h } from './dom.ts';

/** More matches than a person steps through; beyond them only entries are filtered. */
const mostMatches = 2000;

export class Search {
  readonly bar: HTMLElement;
  private readonly field = h('input', {
    id: 'search',
    type: 'search',
    placeholder: 'Search this history ( / )',
    'aria-label': 'Search this history',
    'aria-describedby': 'search-count',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  private readonly count = h('output', { id: 'search-count' });
  private readonly opened = new Set<HTMLDetailsElement>();
  private found: Range[] = [];
  private at = -1;

  /** @param content where to search. @param changed is called when a person changed what they search for. */
  constructor(
    private readonly content: HTMLElement,
    private readonly changed: () => void,
  ) {
    const previous = this.button('Previous Match', '↑', -1);
    const next = this.button('Next Match', '↓', 1);
    this.bar = h('div', { role: 'search', class: 'search' }, this.field, previous, next, this.count);
    this.field.addEventListener('input', () => this.take());
    this.field.addEventListener('keydown', (event) => this.onKey(event));
    document.addEventListener('keydown', (event) => this.onShortcut(event));
  }

  get query(): string {
    return this.field.value;
  }

  set query(text: string) {
    this.field.value = text;
  }

  /** Details that are open for the search alone, by id. */
  get closed(): Record<string, boolean> {
    return Object.fromEntries([...this.opened].map(({ id }) => [id, false]));
  }

  /** Searches the page as it is now, and stays at the match where it was. */
  apply(): void {
    const at = this.at;
    this.clear();
    if (this.query !== '') this.mark(this.query);
    this.at = Math.min(Math.max(at, 0), this.found.length - 1);
    this.show();
  }

  /** Takes its marks out of the page. */
  clear(): void {
    this.found = [];
    for (const details of this.opened) details.open = false;
    this.opened.clear();
    for (const entry of this.entries()) entry.hidden = false;
    CSS.highlights.clear();
  }

  private take(): void {
    this.at = 0;
    this.apply();
    this.reveal();
    this.changed();
  }

  private mark(query: string): void {
    const pattern = new RegExp(query.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu');
    const holders = new Set<Element>();
    for (const node of textsIn(this.content)) {
      for (const { index, 0: text } of (node.nodeValue ?? '').matchAll(pattern)) {
        if (this.found.length < mostMatches) this.found.push(range(node, index, text.length));
        for (let at = node.parentElement; at && !holders.has(at); at = at.parentElement) holders.add(at);
      }
    }
    for (const entry of this.entries()) entry.hidden = !holders.has(entry);
    for (const details of this.content.querySelectorAll('details')) {
      if (details.open || !holders.has(details)) continue;
      details.open = true;
      this.opened.add(details);
    }
    CSS.highlights.set('found', new Highlight(...this.found));
  }

  private show(): void {
    const current = this.found[this.at];
    if (current) CSS.highlights.set('current', new Highlight(current));
    const hidden = [...this.entries()].filter((entry) => entry.hidden && !entry.parentElement?.closest('li')).length;
    const many = this.found.length === mostMatches ? '+' : '';
    const place = this.found.length === 0 ? 'no match' : `${this.at + 1} of ${this.found.length}${many}`;
    const words = hidden === 0 ? place : `${place}, ${hidden === 1 ? '1 entry' : `${hidden} entries`} hidden`;
    this.count.value = this.query === '' ? '' : words;
  }

  private step(by: number): void {
    if (this.found.length === 0) return;
    this.at = (this.at + by + this.found.length) % this.found.length;
    this.show();
    this.reveal();
  }

  /** Evidence scrolls by itself, inside the page. */
  private reveal(): void {
    const current = this.found[this.at];
    if (!current) return;
    const scroller = current.startContainer.parentElement?.closest('pre');
    if (scroller) {
      const [match, box] = [current.getBoundingClientRect(), scroller.getBoundingClientRect()];
      if (match.top < box.top || match.bottom > box.bottom) scroller.scrollTop += match.top - box.top - box.height / 2;
      if (match.left < box.left || match.right > box.right) scroller.scrollLeft += match.left - box.left - box.width / 2;
    }
    const { top, bottom } = current.getBoundingClientRect();
    if (top < this.bar.getBoundingClientRect().bottom || bottom > window.innerHeight) window.scrollBy(0, top - window.innerHeight / 2);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter') this.step(event.shiftKey ? -1 : 1);
    if (event.key !== 'Escape') return;
    if (this.query === '') this.field.blur();
    this.query = '';
    this.take();
  }

  private onShortcut(event: KeyboardEvent): void {
    const find = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f';
    if (!find && (event.key !== '/' || event.target === this.field)) return;
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

/** What a person reads; what they press is no match. */
function* textsIn(root: HTMLElement): Generator<Text> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (!node.parentElement?.closest('summary, [role=search], button:not(.link)')) yield node;
  }
}

function range(node: Text, start: number, length: number): Range {
  const found = document.createRange();
  found.setStart(node, start);
  found.setEnd(node, start + length);
  return found;
}
