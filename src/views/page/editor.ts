/** The page's interface to the editor: messages, and state that survives when the tab is hidden or reloaded. */
import { h } from './dom.ts';
import type { FromPage, PanelState } from './page-messages.ts';
import { t } from '../words.ts';

/** Where the person was in the page. */
export interface PagePlace {
  query: string;
  /** Which details are open, by id. */
  open: Record<string, boolean>;
  scrollY: number;
}

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): Partial<PanelState & PagePlace> | undefined;
  setState(state: PanelState & PagePlace): void;
};

export const editor = acquireVsCodeApi();

/** A button that asks the panel to open something. */
export function opener(id: string, label: string, message: FromPage): HTMLElement {
  const button = h('button', { id, type: 'button' }, label);
  button.addEventListener('click', () => editor.postMessage(message));
  return button;
}

/** A verification's id as a link to its history. @param place makes the element's id unique. */
export function verificationLink(place: string, verification: string): HTMLElement {
  const link = opener(`${place}-${verification}`, verification, { type: 'open-history', verification });
  link.className = 'link';
  link.title = t('Open the history of {0}', verification);
  return link;
}
