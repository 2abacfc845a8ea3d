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

/** Replaces what `root` shows; which details are open, the focus and the scroll position stay, by id. */
export function replaceContent(root: HTMLElement, children: Child[]): void {
  const open = new Set([...root.querySelectorAll<HTMLDetailsElement>('details[open]')].map((d) => d.id));
  const known = new Set([...root.querySelectorAll('details')].map((d) => d.id));
  const focused = document.activeElement?.id ?? '';
  const { scrollX, scrollY } = window;
  root.replaceChildren(...children.filter((child) => child !== null));
  for (const details of root.querySelectorAll('details')) if (known.has(details.id)) details.open = open.has(details.id);
  if (focused !== '') document.getElementById(focused)?.focus({ preventScroll: true });
  window.scrollTo(scrollX, scrollY);
}
