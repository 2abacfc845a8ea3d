/** The accessibility tree of a page with what lies in its frames: Chromium gives that of each frame by itself. */
import * as z from 'zod';
import { BrowserProblem, type Connection } from './connection.ts';
import { axNodes, unseen, type AxNode } from './outline.ts';

const shapes = {
  tree: z.object({ nodes: axNodes }),
  described: z.object({ node: z.object({ frameId: z.string().optional() }) }),
};

const frameRoles = new Set(['Iframe', 'IframePresentational', 'EmbeddedObject', 'PluginObject']);

/** @param frameId left out, the page itself. */
export async function wholeTree(connection: Connection, frameId?: string): Promise<AxNode[]> {
  const { nodes } = shapes.tree.parse(await connection.send('Accessibility.getFullAXTree', { frameId }));
  return (await Promise.all(nodes.map((node) => withContent(connection, node)))).flat();
}

/** A node, and all nodes in it where it is a frame. */
async function withContent(connection: Connection, node: AxNode): Promise<AxNode[]> {
  const { role, ignored, backendDOMNodeId: backendNodeId } = node;
  if (ignored || backendNodeId === undefined || !frameRoles.has(role?.value ?? '')) return [node];
  try {
    const { frameId } = shapes.described.parse(await connection.send('DOM.describeNode', { backendNodeId })).node;
    if (frameId === undefined) return [node];
    const content = await wholeTree(connection, frameId);
    return [{ ...node, childIds: content.slice(0, 1).map(({ nodeId }) => nodeId) }, ...content];
  } catch (error) {
    if (!(error instanceof BrowserProblem)) throw error;
    // It lies in another process, or is gone by now.
    return [{ ...node, properties: [...(node.properties ?? []), { name: unseen, value: { value: true } }] }];
  }
}
