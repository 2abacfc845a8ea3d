import { withoutWords } from '../../engine/render/descoped-words.ts';
import type { RequirementView, SprintView } from './sprint-view.ts';
import { t } from '../words.ts';

/** How a requirement stands: `proven by cli/total`. */
export function requirementWords({
  provenBy,
  verifiedBy,
  descoped,
}: Pick<RequirementView, 'provenBy' | 'verifiedBy' | 'descoped'>): string {
  if (descoped !== null) return descoped;
  return provenBy ? t('proven by {0}', provenBy) : verifiedBy ? t('verified by {0} so far', verifiedBy) : t('not verified yet');
}

/** `without 2.1 (descoped by you: …)`; empty where nothing was descoped. */
export function withoutInView({ requirements }: Pick<SprintView, 'requirements'>): string {
  return withoutWords(requirements.flatMap(({ id, descoped }) => (descoped === null ? [] : [{ id, words: descoped }])));
}
