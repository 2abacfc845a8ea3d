/** The Verifications tree: by category, each with status and trust. A click opens its history. */
import type { VerificationView, SprintView } from './sprint-view.ts';
import { personWrote } from '../../engine/render/words.ts';
import { sentence } from '../../engine/ground/text.ts';
import { narrow, node, paragraphs, type TreeNode } from './tree-node.ts';
import { verificationLooks } from './looks.ts';
import { plural, t, translated } from '../words.ts';

export function verificationNodes(view: SprintView): TreeNode[] {
  return view.categories.map(({ name, verifications }) => {
    const passed = verifications.filter(({ status }) => status === 'passed').length;
    return node(`category/${name}`, narrow(name), {
      tooltip: [name],
      description: t('{0} of {1} passed', passed, verifications.length),
      spoken: t('Category {0}, {1} of {2} passed', name, passed, verifications.length),
      expanded: true,
      children: verifications.map((verification) => verificationNode(verification, name)),
    });
  });
}

function proofWords({ trusted, strength }: VerificationView): string {
  if (!trusted) return t('not trusted yet');
  return strength ? t('{0} proof', translated(strength.level)) : t('trusted');
}

/** The label leaves out the category, which the parent row shows. */
function verificationNode(verification: VerificationView, category: string): TreeNode {
  const label = verification.id.startsWith(`${category}/`) ? verification.id.slice(category.length + 1) : verification.id;
  const look = verificationLooks[verification.status];
  const words =
    verification.waits ?? (verification.heldBackBy === null ? look.words : t('not run: held back by {0}', verification.heldBackBy));
  const trust = verification.kind === 'criterion' ? t('criterion') : proofWords(verification);
  const own = verification.isOwn ? t(' · yours') : '';
  const edited = verification.edit ? t(' · edited') : '';
  return node(`verification/${verification.id}`, narrow(label), {
    description: `${words} · ${trust}${own}${edited}`,
    icon: look,
    tooltip: paragraphs(
      verification.id,
      verification.title,
      t('Status: {0}', words),
      verification.kind === 'script' && `${verification.trusted ? t('Trusted') : t('Not trusted')}: ${verification.trustWhy}`,
      verification.strength && t('Proof {0}', verification.strength.words),
      verification.last && t('Last run (attempt {0}): {1}. {2}', verification.last.n, verification.last.words, verification.last.summary),
      verification.kind !== 'criterion' && sentence(verification.lastGreen),
      verification.isOwn && translated(personWrote),
      verification.edit && t('Edited: the text is kept as {0}, and waits for your word.', verification.edit.kept),
      verification.requirements.length > 0 && t('Proves: {0}', verification.requirements.join(', ')),
    ),
    spoken: t(
      'Verification {0}, {1}, {2}, {3}{4}{5}, {6}',
      verification.id,
      verification.title,
      words,
      trust,
      own && t(', yours'),
      edited && t(', edited'),
      plural(verification.runs, '{0} run', '{0} runs'),
    ),
    context: `verification-${verification.status}${verification.mayEdit ? '-script' : ''}${verification.edit ? '-edited' : ''}`,
    opens: { kind: 'history', verification: verification.id },
    about: `verification ${verification.id}`,
  });
}
