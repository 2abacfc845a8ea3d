/**
 * Which texts beside each other are not one, although no element between them has a role: `<span>Lunch</span><span>10.00</span>` is two
 * texts where its parent lays them out as blocks, in a flex container or a grid (CSS Display 3, "blockify").
 */
import * as z from 'zod';
import type { Connection } from './connection.ts';
import type { AxNode } from './outline.ts';

const snapshots = z.object({
  documents: z.array(
    z.object({
      nodes: z.object({ parentIndex: z.array(z.number()), backendNodeId: z.array(z.number()) }),
      layout: z.object({ nodeIndex: z.array(z.number()), styles: z.array(z.array(z.number())) }),
    }),
  ),
  strings: z.array(z.string()),
});
type Snapshots = z.infer<typeof snapshots>;

export async function textsApart(connection: Connection): Promise<(one: AxNode, next: AxNode) => boolean> {
  return apartIn(snapshots.parse(await connection.send('DOMSnapshot.captureSnapshot', { computedStyles: ['display'] })));
}

/** @param snapshot as Chromium gives it, with the style `display` alone. */
function apartIn({ documents, strings }: Snapshots): (one: AxNode, next: AxNode) => boolean {
  const parents = new Map<number, number>();
  const blocks = new Set<number>();
  for (const { nodes, layout } of documents) {
    for (const [i, id] of nodes.backendNodeId.entries()) {
      const parent = nodes.backendNodeId[nodes.parentIndex[i] ?? -1];
      if (parent !== undefined) parents.set(id, parent);
    }
    for (const [i, node] of layout.nodeIndex.entries()) {
      const display = strings[layout.styles[i]?.[0] ?? -1] ?? '';
      const id = nodes.backendNodeId[node];
      if (id !== undefined && display !== '' && !/^(inline|contents|ruby|none)/.test(display)) blocks.add(id);
    }
  }
  const around = (id: number | undefined): number[] => {
    const above: number[] = [];
    for (let at = id; at !== undefined; at = parents.get(at)) above.push(at);
    return above.slice(1);
  };
  return (one, next) => {
    const [before, behind] = [around(one.backendDOMNodeId), around(next.backendDOMNodeId)];
    const isBetween = (id: number, others: readonly number[]): boolean => !others.includes(id) && blocks.has(id);
    return before.some((id) => isBetween(id, behind)) || behind.some((id) => isBetween(id, before));
  };
}
