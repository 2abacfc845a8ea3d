/** A few lines instead of a framework. Text becomes text nodes only, so nothing in it is parsed as markup. */

export type Child = Node | string | null;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string>,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

/** Makes these the only children of `parent`. Does not touch a child that stays, so it keeps selection, focus and scroll position. */
export function place(parent: HTMLElement, wanted: readonly (HTMLElement | null)[]): void {
  const nodes = wanted.filter((node) => node !== null);
  const staying = new Set<Node>(nodes);
  const leaving = [...parent.childNodes].filter((node) => !staying.has(node));
  for (const node of leaving) node.remove();
  for (const [index, node] of nodes.entries()) {
    const present = parent.childNodes[index] ?? null;
    if (present !== node) parent.insertBefore(node, present);
  }
}

/** A cache of elements by key. An element is built again only when its data changed; open details stay open, by id. */
export class Drawn {
  private readonly cache = new Map<string, { data: string; element: HTMLElement | null }>();

  draw<T>(key: string, data: T, build: (data: T) => HTMLElement | null): HTMLElement | null {
    const text = JSON.stringify(data);
    const cached = this.cache.get(key);
    if (cached?.data === text) return cached.element;
    const element = build(data);
    if (element && cached?.element) setOpen(element, openness(cached.element));
    this.cache.set(key, { data: text, element });
    return element;
  }
}

/** Which details below an element are open, by id. */
export function openness(root: HTMLElement): Record<string, boolean> {
  return Object.fromEntries([...root.querySelectorAll('details')].map((d) => [d.id, d.open]));
}

/** Details that `open` does not name stay as they are. */
export function setOpen(root: HTMLElement, open: Readonly<Record<string, boolean>>): void {
  for (const details of root.querySelectorAll('details')) details.open = open[details.id] ?? details.open;
}
