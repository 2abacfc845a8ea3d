/**
 * Describes a page as a screen reader would: one indented line for each element, with its value and state. Pure. Agents name
 * the element that they click or type into by its line.
 */
import * as z from 'zod';
import { counted, pieceOf } from '../../engine/ground/text.ts';

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

/** An element that an action can name. */
export interface Target {
  /** `button "Send"`, and `button "Send" #2` for the second one. */
  label: string;
  name: string;
  /** The browser's id for it. */
  node: number;
}

export interface Outline {
  lines: string[];
  targets: Target[];
}

/** Roles that get no line of their own. */
const silentRoles = new Set([
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
/** Roles whose name contains all of their text, so their children get no lines. */
const leafRoles = new Set([
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
/** Of these leaves, what a user can act on inside gets lines too: the link of a heading, the button that closes a tab. */
const holders = new Set(['heading', 'tab', 'option', 'menuitem', 'link']);
const actionRoles = new Set(
  'link button checkbox radio switch textbox searchbox spinbutton combobox slider tab menuitem DisclosureTriangle'.split(' '),
);
/** State of a frame of which nothing is known. */
export const unseen = 'its page is not shown';
const stateNames = ['disabled', 'checked', 'pressed', 'selected', 'expanded', 'current', 'required', 'focused', 'readonly', unseen];

/** Lines that are read, and those that are printed; and characters of all that are printed. */
export const most = { read: 20_000, printed: 600, characters: 200_000 };
/** Characters of what an element is called or says, and of what a field holds. */
export const longest = { name: 2000, value: 20_000 };

/** @param isApart of two texts beside each other, by the browser's ids: no line of the page runs through both. */
export function outline(nodes: readonly AxNode[], isApart: (one: AxNode, next: AxNode) => boolean = () => false): Outline {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const counts = new Map<string, number>();
  const lines: string[] = [];
  const targets: Target[] = [];
  const add = (node: AxNode, children: readonly AxNode[], { depth, isInside }: { depth: number; isInside: boolean }): void => {
    const { role, name } = isOfItsCells(node, children) ? { role: 'row', name: '' } : roleAndName(node);
    const plain = name === '' ? role : `${role} ${JSON.stringify(name)}`;
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    const label = count === 1 ? plain : `${plain} #${count}`;
    lines.push(`${'  '.repeat(depth)}${label}${valueOf(node, name)}${stateOf(node, isInside)}`);
    if (node.backendDOMNodeId !== undefined) targets.push({ label, name, node: node.backendDOMNodeId });
  };
  const walk = (node: AxNode, depth: number): void => {
    if (lines.length >= most.read) return;
    const isShown = !node.ignored && !silentRoles.has(node.role?.value ?? 'none') && isWorthALine(node);
    const children = mergeTexts(childrenOf(node, byId), isApart);
    const isLeaf = isShown && leafRoles.has(node.role?.value ?? '');
    const actions = isLeaf ? actionsIn(node, byId) : [];
    if (isShown) add(node, children, { depth, isInside: isLeaf && actions.length === 0 && holdsFocus(node, byId) });
    if (isLeaf && node.role?.value !== 'combobox') {
      for (const action of actions) walk(action, depth + 1);
      return;
    }
    if (isShown && isSaid(node, children)) return;
    for (const child of children) walk(child, isShown ? depth + 1 : depth);
  };
  const [root] = nodes;
  if (root) walk(root, 0);
  if (lines.length >= most.read) lines.push(goesOn(most.read));
  return { lines, targets };
}

/** Texts beside each other that lie in different elements, so that only their layout tells whether they are one. */
export function hasTextsInTwo(nodes: readonly AxNode[]): boolean {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  return nodes.some((node) => {
    if (node.ignored) return false;
    const children = childrenOf(node, byId);
    return children.some((child, i) => isText(child) && isText(children[i - 1]) && child.parentId !== children[i - 1]?.parentId);
  });
}

/** What is printed of them. */
export function printed(lines: readonly string[]): string {
  let [count, characters] = [0, 0];
  while (count < Math.min(lines.length, most.printed) && characters < most.characters) characters += lines[count++]?.length ?? 0;
  return [...lines.slice(0, count), ...(lines.length > count ? [goesOn(count)] : [])].join('\n');
}

function goesOn(lines: number): string {
  return `[the page goes on after ${lines} lines]`;
}

/** Lines of a page that was shown before: those that are other now, where they are less than half of it; else undefined. */
export function changedPart(before: readonly string[], now: readonly string[]): string[] | undefined {
  const same = (from: number, step: 1 | -1): number => {
    const [ends, at] = [Math.min(before.length, now.length), (lines: readonly string[], i: number) => lines.at(step === 1 ? i : -1 - i)];
    let count = 0;
    while (count + from < ends && at(before, count) === at(now, count)) count += 1;
    return count;
  };
  const above = same(0, 1);
  const below = same(above, -1);
  const changed = now.slice(above, now.length - below);
  if (above + below <= changed.length) return undefined;
  if (changed.length === 0 && before.length === now.length) return ['The page shows what it showed before.'];
  const gone = before.length - above - below;
  const what =
    changed.length === 0
      ? `${counted(gone, 'line')} below line ${above} ${gone === 1 ? 'is' : 'are'} gone.`
      : `only this is new, below line ${above}:`;
  return [`The page is as it was, but ${what}`, ...(changed.length === 0 ? [] : linesAround(now, above)), ...changed];
}

/** The lines of what a line lies in, outermost first. */
function linesAround(lines: readonly string[], index: number): string[] {
  const depth = (line = ''): number => line.length - line.trimStart().length;
  const around: string[] = [];
  let inner = depth(lines[index]);
  for (let i = index - 1; i >= 0 && inner > 0; i -= 1) {
    if (depth(lines[i]) >= inner) continue;
    inner = depth(lines[i]);
    around.unshift(lines[i] ?? '');
  }
  return around;
}

/** Returns the element with this label, or the only one with this name; else a text that lists possible labels. */
export function findTarget(targets: readonly Target[], wanted: string): Target | { refused: string } {
  const exact = targets.find(({ label }) => label === wanted.trim());
  if (exact) return exact;
  const named = targets.filter(({ name }) => name.toLowerCase() === wanted.trim().toLowerCase());
  // A field and the text beside it have the same name, and so have a heading and its link; what can be acted on is meant.
  const candidates = [acts, isElement].map((isMeant) => named.filter(isMeant)).find((some) => some.length > 0) ?? named;
  const [only, ...others] = candidates;
  if (only && others.length === 0) return only;
  const listed = candidates.length > 0 ? candidates : targets.filter(({ name }) => name !== '');
  const labels = listed.slice(0, 20).map(({ label }) => label);
  const problem = candidates.length > 0 ? `${candidates.length} elements have the name` : 'There is no element';
  return { refused: `${problem} ${JSON.stringify(wanted)}. There are: ${labels.join(', ') || 'none with a name'}.` };
}

function acts({ label }: Target): boolean {
  return actionRoles.has(/^\w+/.exec(label)?.[0] ?? '');
}

function isElement({ label }: Target): boolean {
  return !label.startsWith('text ');
}

function roleAndName(node: AxNode): { role: string; name: string } {
  const role = node.role?.value ?? '';
  const name = (node.name?.value ?? '').replaceAll(/\s+/g, ' ').trim();
  return { role: role === 'StaticText' ? 'text' : role, name: shortened(name, longest.name) };
}

/** All that is inside stands in its name, such as the text of a cell. */
function isSaid(node: AxNode, [only, ...others]: readonly AxNode[]): boolean {
  return only?.role?.value === 'StaticText' && others.length === 0 && roleAndName(only).name === roleAndName(node).name;
}

/** A row whose name only repeats its cells. */
function isOfItsCells(node: AxNode, cells: readonly AxNode[]): boolean {
  if (node.role?.value !== 'row' || cells.length === 0) return false;
  const words = cells.map((cell) => roleAndName(cell).name).filter((name) => name !== '');
  return shortened(words.join(' '), longest.name) === roleAndName(node).name;
}

function isWorthALine(node: AxNode): boolean {
  return node.role?.value !== 'StaticText' || roleAndName(node).name !== '';
}

function childrenOf(node: AxNode, byId: ReadonlyMap<string, AxNode>): AxNode[] {
  const children = (node.childIds ?? []).flatMap((id) => byId.get(id) ?? []);
  // An ignored node is replaced by its children, so that the text around it stays one text.
  return children.flatMap((child) => (child.ignored ? childrenOf(child, byId) : [child]));
}

/** What stands in a leaf and can be acted on by itself, not what stands in that again. */
function actionsIn(node: AxNode, byId: ReadonlyMap<string, AxNode>): AxNode[] {
  if (!holders.has(node.role?.value ?? '')) return [];
  const found = (one: AxNode): AxNode[] =>
    childrenOf(one, byId).flatMap((child) => (actionRoles.has(child.role?.value ?? '') ? [child] : found(child)));
  return found(node);
}

/** Joins neighbouring pieces of text. */
function mergeTexts(children: readonly AxNode[], isApart: (one: AxNode, next: AxNode) => boolean): AxNode[] {
  const result: AxNode[] = [];
  for (const [i, child] of children.entries()) {
    const before = result.at(-1);
    const last = children[i - 1];
    if (last && before && isText(child) && isText(last) && !isApart(last, child))
      result[result.length - 1] = { ...before, name: { value: `${before.name?.value ?? ''}${child.name?.value ?? ''}` } };
    else result.push(child);
  }
  return result;
}

function isText(node: AxNode | undefined): boolean {
  return node?.role?.value === 'StaticText';
}

function valueOf({ value }: AxNode, name: string): string {
  const text = typeof value?.value === 'string' || typeof value?.value === 'number' ? String(value.value) : '';
  return text === '' || text === name ? '' : ` = ${JSON.stringify(shortened(text, longest.value))}`;
}

/** One of its parts has the focus, such as the month of a day, and gets no line of its own. */
function holdsFocus(node: AxNode, byId: ReadonlyMap<string, AxNode>): boolean {
  const parts = (node.childIds ?? []).flatMap((id) => byId.get(id) ?? []);
  return parts.some((part) => isTrue(part, 'focused') || holdsFocus(part, byId));
}

function isTrue({ properties = [] }: AxNode, name: string): boolean {
  return properties.some((p) => p.name === name && (p.value.value === true || p.value.value === 'true'));
}

/** @param isInside what has the focus is a part of it. */
function stateOf(node: AxNode, isInside: boolean): string {
  const { properties = [] } = node;
  const active = properties.flatMap(({ name, value }) => {
    if (!stateNames.includes(name)) return [];
    // Neither checked nor not, such as a box for a list of which some are checked.
    if (value.value === 'mixed') return [`${name}: mixed`];
    return isTrue(node, name) ? [name] : [];
  });
  if (isInside) active.push('focused');
  const invalid = properties.some((p) => p.name === 'invalid' && p.value.value === 'true');
  const words = [...active, ...(invalid ? ['invalid'] : [])];
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

/** Nobody takes a part for the whole. */
function shortened(text: string, length: number): string {
  return text.length > length ? `${pieceOf(text, 0, length)} [${text.length - length} more characters]` : text;
}
