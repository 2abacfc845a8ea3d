/** The Verifications tree: by category, each with status and trust. A click opens its history. */
import type { VerificationView, SprintView } from './sprint-view.ts';
import { personWrote } from '../../engine/render/words.ts';
import { counted, sentence } from '../../engine/ground/text.ts';
import { node, paragraphs, type TreeNode } from './tree-node.ts';
import { verificationLooks } from './looks.ts';

export function verificationNodes(view: SprintView): TreeNode[] {
  return view.categories.map(({ name, verifications }) => {
    const passed = verifications.filter(({ status }) => status === 'passed').length;
    return node(`category/${name}`, name, {
      description: `${passed} of ${verifications.length} passed`,
      spoken: `Category ${name}, ${passed} of ${verifications.length} passed`,
      expanded: true,
      children: verifications.map((verification) => verificationNode(verification, name)),
    });
  });
}

function proofWords({ trusted, strength }: VerificationView): string {
  if (!trusted) return 'not trusted yet';
  return strength ? `${strength.level} proof` : 'trusted';
}

/** The label leaves out the category, which the parent row shows. */
function verificationNode(verification: VerificationView, category: string): TreeNode {
  const label = verification.id.startsWith(`${category}/`) ? verification.id.slice(category.length + 1) : verification.id;
  const look = verificationLooks[verification.status];
  const words = verification.waits ?? (verification.heldBackBy === null ? look.words : `not run: held back by ${verification.heldBackBy}`);
  const trust = verification.kind === 'criterion' ? 'criterion' : proofWords(verification);
  const own = verification.isOwn ? ' · yours' : '';
  const edited = verification.edit ? ' · edited' : '';
  return node(`verification/${verification.id}`, label, {
    description: `${words} · ${trust}${own}${edited}`,
    icon: look,
    tooltip: paragraphs(
      verification.id,
      verification.title,
      `Status: ${words}`,
      verification.kind === 'script' && `${verification.trusted ? 'Trusted' : 'Not trusted'}: ${verification.trustWhy}`,
      verification.strength && `Proof ${verification.strength.words}`,
      verification.last && `Last run (attempt ${verification.last.n}): ${verification.last.words}. ${verification.last.summary}`,
      verification.kind !== 'criterion' && sentence(verification.lastGreen),
      verification.isOwn && personWrote,
      verification.edit && `Edited: the text is kept as ${verification.edit.kept}, and waits for your word.`,
      verification.requirements.length > 0 && `Proves: ${verification.requirements.join(', ')}`,
    ),
    spoken: `Verification ${verification.id}, ${verification.title}, ${words}, ${trust}${own && ', yours'}${edited && ', edited'}, ${counted(verification.runs, 'run')}`,
    context: `verification-${verification.status}${verification.mayEdit ? '-script' : ''}${verification.edit ? '-edited' : ''}`,
    opens: { kind: 'history', verification: verification.id },
    about: `verification ${verification.id}`,
  });
}
