/** Which elements say by `aria-current` that they are the current one, such as today in a calendar: Chromium's accessibility tree leaves it out. */
import * as z from 'zod';
import { BrowserProblem, type Connection } from './connection.ts';
import type { AxNode } from './outline.ts';

const shapes = {
  search: z.object({ searchId: z.string(), resultCount: z.number() }),
  results: z.object({ nodeIds: z.array(z.number()) }),
  described: z.object({ node: z.object({ backendNodeId: z.number() }) }),
};

const selector = '[aria-current]:not([aria-current=""], [aria-current="false"])';
/** More than this are no longer one among others. */
const most = 100;

/** The nodes, with a property `current` where an element has it. */
export async function withCurrent(connection: Connection, nodes: readonly AxNode[]): Promise<AxNode[]> {
  const current = await currentIn(connection).catch((error: unknown) => {
    // The page was left meanwhile: which of its elements were current is no reason to refuse a call.
    if (error instanceof BrowserProblem) return new Set<number>();
    throw error;
  });
  const isCurrent = ({ backendDOMNodeId }: AxNode): boolean => backendDOMNodeId !== undefined && current.has(backendDOMNodeId);
  const property = { name: 'current', value: { value: true } };
  return nodes.map((node) => (isCurrent(node) ? { ...node, properties: [...(node.properties ?? []), property] } : node));
}

/** The browser's ids of them. */
async function currentIn(connection: Connection): Promise<ReadonlySet<number>> {
  await connection.send('DOM.getDocument', { depth: 0 });
  const { searchId, resultCount } = shapes.search.parse(await connection.send('DOM.performSearch', { query: selector }));
  const range = { searchId, fromIndex: 0, toIndex: Math.min(resultCount, most) };
  const { nodeIds } = resultCount === 0 ? { nodeIds: [] } : shapes.results.parse(await connection.send('DOM.getSearchResults', range));
  await connection.send('DOM.discardSearchResults', { searchId });
  const described = await Promise.allSettled(nodeIds.map((nodeId) => connection.send('DOM.describeNode', { nodeId })));
  // What the page has replaced meanwhile is not described any more.
  return new Set(described.flatMap((one) => (one.status === 'fulfilled' ? shapes.described.parse(one.value).node.backendNodeId : [])));
}
