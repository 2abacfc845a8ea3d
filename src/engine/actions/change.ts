/** What a session really changed, as git sees it: the open change that `settle` keeps or takes back (I5). */
import type { Context } from '../context.ts';
import type { Fact } from '../work/facts.ts';
import type { Author } from '../work/tree.ts';

/** One fact, or none when the tree is as it was. */
export async function changeOf({ state, ports, open }: Context, author: Author): Promise<Fact[]> {
  const { files, patch } = await ports.tree.changes();
  if (files.length === 0) return [];
  const change = { n: state.ledger.changes + 1, author, step: open.id, files, patch: await ports.payloads.put(patch) };
  return [{ fact: 'tree.changed', change }];
}
