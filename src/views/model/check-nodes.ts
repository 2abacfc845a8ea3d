/** The Verifications tree: by category, each with its status and whether it may count. A click opens its history. */
import type { CheckView, SprintView } from './sprint-view.ts';
import { personWrote } from '../../engine/render/words.ts';
import { counted, sentence } from '../../engine/ground/text.ts';
import { node, paragraphs, type TreeNode } from './tree-node.ts';
import { checkLooks } from './words.ts';

export function checkNodes(view: SprintView): TreeNode[] {
  return view.categories.map(({ name, checks }) => {
    const passed = checks.filter((c) => c.status === 'passed').length;
    return node(`category/${name}`, name, {
      description: `${passed} of ${checks.length} passed`,
      spoken: `Category ${name}, ${passed} of ${checks.length} passed`,
      expanded: true,
      children: checks.map((check) => checkNode(check, name)),
    });
  });
}

/** Its category stands above it, and there is little room. */
function checkNode(check: CheckView, category: string): TreeNode {
  const label = check.id.startsWith(`${category}/`) ? check.id.slice(category.length + 1) : check.id;
  const look = checkLooks[check.status];
  const words = check.waits ?? (check.gatedBy === null ? look.words : `not run: gated by ${check.gatedBy}`);
  const trust = check.kind === 'criterion' ? 'criterion' : check.trusted ? 'trusted' : 'not trusted yet';
  const own = check.isOwn ? ' · yours' : '';
  const edited = check.edit ? ' · edited' : '';
  return node(`check/${check.id}`, label, {
    description: `${words} · ${trust}${own}${edited}`,
    icon: look,
    tooltip: paragraphs(
      check.id,
      check.title,
      `Status: ${words}`,
      check.kind === 'command' && `${check.trusted ? 'Trusted' : 'Not trusted'}: ${check.trustWhy}`,
      check.last && `Last run (attempt ${check.last.n}): ${check.last.words}. ${check.last.summary}`,
      check.kind === 'command' && sentence(check.lastGreen),
      check.isOwn && personWrote,
      check.edit && `Edited: the text is kept as ${check.edit.kept}, and waits for your word.`,
      check.requirements.length > 0 && `Proves: ${check.requirements.join(', ')}`,
    ),
    spoken: `Verification ${check.id}, ${check.title}, ${words}, ${trust}${own && ', yours'}${edited && ', edited'}, ${counted(check.runs, 'run')}`,
    context: `check-${check.status}${check.mayEdit ? '-script' : ''}${check.edit ? '-edited' : ''}`,
    opens: { kind: 'history', check: check.id },
  });
}
