/** Live activity for a terminal or a tree, between two journal lines. No decision depends on it. */
export type Progress =
  | { kind: 'agent'; role: string; text: string }
  | { kind: 'tool'; name: string; input: string }
  | { kind: 'verification-began'; id: string }
  /** `isExpected`: red, as it has to be while its work is not built, or with a fault in it. */
  | { kind: 'verification'; id: string; verdict: string; duration: number; isExpected?: true }
  /** `left`: milliseconds that the others will take, if they take as long as these. */
  | { kind: 'faults'; tried: number; all: number; left: number }
  | { kind: 'retry'; why: string; attempt: number; waitMs: number }
  | { kind: 'note'; text: string };

/** `12 of 96 faults tried, about 8 min left`. */
export function faultsWords({ tried, all, left }: Extract<Progress, { kind: 'faults' }>): string {
  const minutes = Math.round(left / 60_000);
  return `${tried} of ${all} faults tried${minutes > 0 ? `, about ${minutes} min left` : ''}`;
}
