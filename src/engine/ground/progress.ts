/** Live activity for a terminal or a tree, between two journal lines. No decision depends on it. */
export type Progress =
  | { kind: 'agent'; role: string; text: string }
  | { kind: 'tool'; name: string; input: string }
  | { kind: 'verification-began'; id: string }
  | { kind: 'verification'; id: string; verdict: string; duration: number }
  | { kind: 'faults'; tried: number; all: number }
  | { kind: 'retry'; why: string; attempt: number; waitMs: number }
  | { kind: 'note'; text: string };

/** `12 of 96 faults tried`. */
export function faultsWords({ tried, all }: Extract<Progress, { kind: 'faults' }>): string {
  return `${tried} of ${all} faults tried`;
}
