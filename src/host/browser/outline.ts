/**
 * A page in words, as a screen reader would have it: one line an element, indented, with its value and state. Pure; the lines
 * are also the names by which elements are clicked and typed into.
 */
import { z } from 'zod';

export const axNodes = z.array(
  z.object({
    nodeId: z.string(),
    parentId: z.string().optional(),
    childIds: z.array(z.string()).optional(),
    ignored: z.boolean(),
    role: z.object({ value: z.string() }).optional(),
    name: z.object({ value: z.string().optional() }).optional(),
    value: z.object({ value: z.unknown().optional() }).optional(),
    properties: z.array(z.object({ name: z.string(), value: z.object({ value: z.unknown().optional() }) })).optional(),
    backendDOMNodeId: z.number().optional(),
  }),
);
export type AxNode = z.infer<typeof axNodes>[number];

/** An element that can be named. */
export interface Target {
  /** `button "Send"`, and `button "Send" #2` for the second one. */
  label: string;
  name: string;
  /** The browser's number for it. */
  node: number;
}

export interface Outline {
  text: string;
  targets: Target[];
}

/** Roles that say nothing by themselves. */
const silent = new Set([
  'none',
  'generic',
  'InlineTextBox',
  'LabelText',
  'MenuListPopup',
  'ListMarker',
  'LayoutTable',
  'LayoutTableRow',
  'LayoutTableCell',
  'Section',
  'paragraph',
  'strong',
  'emphasis',
  'RootWebArea',
  'SvgRoot',
  'LineBreak',
]);
/** Elements whose own name is all of their text. */
const whole = new Set([
  'button',
  'link',
  'heading',
  'option',
  'tab',
  'menuitem',
  'checkbox',
  'radio',
  'switch',
  'textbox',
  'searchbox',
  'spinbutton',
  'combobox',
  'slider',
  'image',
  'img',
  'DisclosureTriangle',
  'Date',
]);
const states = ['disabled', 'checked', 'selected', 'expanded', 'required', 'focused', 'readonly'];

/** Lines of one page, and characters of one name. */
const mostLines = 600;
const longestName = 300;

export function outline(nodes: readonly AxNode[]): Outline {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const seen = new Map<string, number>();
  const lines: string[] = [];
  const targets: Target[] = [];
  const add = (node: AxNode, depth: number): void => {
    const { role, name } = said(node);
    const plain = name === '' ? role : `${role} ${JSON.stringify(name)}`;
    const count = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, count);
    const label = count === 1 ? plain : `${plain} #${count}`;
    lines.push(`${'  '.repeat(depth)}${label}${valueOf(node, name)}${stateOf(node)}`);
    if (node.backendDOMNodeId !== undefined) targets.push({ label, name, node: node.backendDOMNodeId });
  };
  const walk = (node: AxNode, depth: number): void => {
    if (lines.length > mostLines) return;
    const isShown = !node.ignored && !silent.has(node.role?.value ?? 'none') && isWorthALine(node);
    if (isShown) add(node, depth);
    if (isShown && whole.has(node.role?.value ?? '') && node.role?.value !== 'combobox') return;
    for (const child of merged(childrenOf(node, byId))) walk(child, isShown ? depth + 1 : depth);
  };
  const [root] = nodes;
  if (root) walk(root, 0);
  const cut = lines.length > mostLines ? [`[the page goes on after ${mostLines} lines]`] : [];
  return { text: [...lines.slice(0, mostLines), ...cut].join('\n'), targets };
}

/** The one element that a label or name means, or what there is instead. */
export function findTarget(targets: readonly Target[], wanted: string): Target | { refused: string } {
  const exact = targets.find(({ label }) => label === wanted.trim());
  if (exact) return exact;
  const named = targets.filter(({ name }) => name.toLowerCase() === wanted.trim().toLowerCase());
  // The text beside a field is what it is called, not what is meant.
  const same = named.some(isElement) ? named.filter(isElement) : named;
  const [only, ...others] = same;
  if (only && others.length === 0) return only;
  const some = (same.length > 0 ? same : targets.filter(({ name }) => name !== '')).slice(0, 20).map(({ label }) => label);
  const found = same.length > 0 ? `${same.length} elements have the name` : 'There is no element';
  return { refused: `${found} ${JSON.stringify(wanted)}. There are: ${some.join(', ') || 'none with a name'}.` };
}

function isElement({ label }: Target): boolean {
  return !label.startsWith('text ');
}

function said(node: AxNode): { role: string; name: string } {
  const role = node.role?.value ?? '';
  const name = (node.name?.value ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, longestName);
  return { role: role === 'StaticText' ? 'text' : role, name };
}

function isWorthALine(node: AxNode): boolean {
  return node.role?.value !== 'StaticText' || said(node).name !== '';
}

function childrenOf(node: AxNode, byId: ReadonlyMap<string, AxNode>): AxNode[] {
  const children = (node.childIds ?? []).flatMap((id) => byId.get(id) ?? []);
  // What is left out of the tree passes its children up, so that text around it stays one text.
  return children.flatMap((child) => (child.ignored ? childrenOf(child, byId) : [child]));
}

/** Pieces of one text become one. */
function merged(children: readonly AxNode[]): AxNode[] {
  const result: AxNode[] = [];
  for (const child of children) {
    const before = result.at(-1);
    if (child.role?.value === 'StaticText' && before?.role?.value === 'StaticText')
      result[result.length - 1] = { ...before, name: { value: `${before.name?.value ?? ''}${child.name?.value ?? ''}` } };
    else result.push(child);
  }
  return result;
}

function valueOf({ value }: AxNode, name: string): string {
  const text = typeof value?.value === 'string' || typeof value?.value === 'number' ? String(value.value) : '';
  return text === '' || text === name ? '' : ` = ${JSON.stringify(text.slice(0, longestName))}`;
}

function stateOf({ properties = [] }: AxNode): string {
  const held = properties.filter((p) => states.includes(p.name) && (p.value.value === true || p.value.value === 'true'));
  const invalid = properties.some((p) => p.name === 'invalid' && p.value.value === 'true');
  const words = [...held.map((p) => p.name), ...(invalid ? ['invalid'] : [])];
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}
