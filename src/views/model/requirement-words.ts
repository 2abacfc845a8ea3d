import type { SprintView } from './sprint-view.ts';

/** How a requirement stands: `proven by cli/total`. */
export function requirementWords({ provenBy, verifiedBy }: Pick<SprintView['requirements'][number], 'provenBy' | 'verifiedBy'>): string {
  return provenBy ? `proven by ${provenBy}` : verifiedBy ? `verified by ${verifiedBy} so far` : 'not verified yet';
}
