/** A few lines instead of a framework. All text goes through `textContent`: nothing in it is ever parsed as markup. */

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

/** Shows exactly these below `parent`. What stays is not touched: its selection, its focus and its scroll positions stay too. */
export function place(parent: HTMLElement, wanted: readonly (HTMLElement | null)[]): void {
  const nodes = wanted.filter((node) => node !== null);
  const staying = new Set<Node>(nodes);
  const leaving = [...parent.childNodes].filter((node) => !staying.has(node));
  for (const node of leaving) node.remove();
  for (const [index, node] of nodes.entries()) {
    const there = parent.childNodes[index] ?? null;
    if (there !== node) parent.insertBefore(node, there);
  }
}

/** Elements by key, each drawn anew only when what it shows has changed; which of its details are open stays, by id. */
export class Drawn {
  private readonly known = new Map<string, { data: string; element: HTMLElement | null }>();

  draw<T>(key: string, data: T, build: (data: T) => HTMLElement | null): HTMLElement | null {
    const text = JSON.stringify(data);
    const old = this.known.get(key);
    if (old?.data === text) return old.element;
    const element = build(data);
    if (element && old?.element) setOpen(element, openness(old.element));
    this.known.set(key, { data: text, element });
    return element;
  }
}

/** Which details below an element are open, by id. */
export function openness(root: HTMLElement): Record<string, boolean> {
  return Object.fromEntries([...root.querySelectorAll('details')].map((d) => [d.id, d.open]));
}

/** Details that are not named stay as they are. */
export function setOpen(root: HTMLElement, open: Readonly<Record<string, boolean>>): void {
  for (const details of root.querySelectorAll('details')) details.open = open[details.id] ?? details.open;
}
