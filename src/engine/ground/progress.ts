/** Live activity: what a terminal or a tree shows between two journal lines. Nothing depends on it. */
export type Progress =
  | { kind: 'agent'; role: string; text: string }
  | { kind: 'tool'; name: string; input: string }
  | { kind: 'verification'; id: string; verdict: string; duration: number }
  | { kind: 'retry'; why: string; attempt: number; waitMs: number }
  | { kind: 'note'; text: string };
