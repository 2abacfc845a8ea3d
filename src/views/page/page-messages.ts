/** The messages between the panel and its page, and the validation of those from the page. */
import type { HistoryView } from '../model/history-view.ts';

/** Identifies a panel. It is part of the page's saved state, so that a reload can restore the panel. */
export interface PanelState {
  sprintDir: string;
  verification: string;
}

/** Panel to page. */
export type ToPage = { type: 'history'; state: PanelState; history: HistoryView } | { type: 'missing'; state: PanelState; why: string };

/** Page to panel. */
export type FromPage =
  | { type: 'ready' }
  | { type: 'open-payload'; ref: string; what: 'diff' | 'output' | 'script' }
  | { type: 'open-history'; verification: string }
  /** For the edit of the verification that the panel shows. */
  | { type: 'adopt-edit' | 'discard-edit' };

/** The page shows untrusted text, so its messages are untrusted too. @returns undefined for a message that is not valid. */
export function parseFromPage(value: unknown): FromPage | undefined {
  if (!isRecord(value)) return undefined;
  const { type, ref, what, verification } = value;
  if (type === 'ready' || type === 'adopt-edit' || type === 'discard-edit') return { type };
  if (type === 'open-history' && typeof verification === 'string' && verification.length <= 300) return { type, verification };
  if (type !== 'open-payload' || typeof ref !== 'string' || !/^[0-9a-f]{64}$/.test(ref)) return undefined;
  return what === 'diff' || what === 'output' || what === 'script' ? { type, ref, what } : undefined;
}

export function parsePanelState(value: unknown): PanelState | undefined {
  if (!isRecord(value)) return undefined;
  const { sprintDir, verification } = value;
  return typeof sprintDir === 'string' && typeof verification === 'string' ? { sprintDir, verification } : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
