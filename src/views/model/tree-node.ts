/** One row of a tree, as plain data: the tree models create it and the tree provider shows it. */
import type { Ref } from '../../engine/state/events.ts';
import { plain } from './display-text.ts';
import type { Look } from './looks.ts';

export interface TreeNode {
  /** Stable, so that expansion and selection survive an update; unique in its tree. */
  id: string;
  label: string;
  description: string;
  icon: Pick<Look, 'icon' | 'colour'> | null;
  /** Paragraphs, plain text. */
  tooltip: string[];
  /** What a screen reader says; when empty, it reads label and description. */
  spoken: string;
  /** For `when` clauses of menus. */
  context: string;
  /** What a click opens. */
  opens: Opens | null;
  /** What a word that the person says here is about, as `task T1`; empty where it is about nothing of its own. */
  about: string;
  expanded: boolean;
  children: TreeNode[];
}

export type Opens =
  | { kind: 'history'; verification: string }
  | { kind: 'patch'; ref: Ref; title: string }
  | { kind: 'human-action'; id: string }
  | { kind: 'retry' }
  /** `dir`: of a pipeline's session; absent for the shown sprint. */
  | { kind: 'session'; step: string; title: string; dir?: string }
  | { kind: 'iteration'; dir: string; node: string; n: number };

/** @param rest what differs from a plain leaf. Label and description are made inert. */
export function node(id: string, label: string, rest: Partial<Omit<TreeNode, 'id' | 'label'>> = {}): TreeNode {
  return {
    id,
    icon: null,
    tooltip: [],
    spoken: '',
    context: '',
    opens: null,
    about: '',
    expanded: false,
    children: [],
    ...rest,
    label: plain(label, 120),
    description: plain(rest.description ?? '', 120),
  };
}

/** A label beside which a status has room in a side bar of 300 pixels. The row's tooltip has the whole. */
export function narrow(label: string): string {
  return plain(label, 20);
}

/** Drops empty paragraphs. */
export function paragraphs(...texts: (string | false | null)[]): string[] {
  return texts.filter((text): text is string => typeof text === 'string' && text.trim() !== '');
}
