/**
 * Faults in declarations of types, which run nothing: an export or a member left out, another simple type, another literal. They stand in
 * a file of their own (`index.d.ts`) or among programs in TypeScript. Only what compiles against them notices one.
 */
import type { Operator } from '../work/verification.ts';
import type { Site } from './look.ts';
import { Source, type SourceTree } from './source-tree.ts';

export function isDeclaration(path: string): boolean {
  return /\.d\.[cm]?ts$/i.test(path);
}

/** A program that may declare types besides. */
export function mayDeclare(path: string): boolean {
  return /\.[cm]?tsx?$/i.test(path);
}

/** All places of a file of declarations; of a program those in its interfaces and names for types. */
export function declarationSites(text: string, tree: SourceTree, isProgram: boolean): Site[] {
  const source = new Source(text, tree);
  return source.nodes.flatMap(({ type, named }, index): Site[] => {
    if (!named || (isProgram && !isWithinDeclaration(source, index))) return [];
    if (parts.includes(type)) return [siteOf(source, index, 'part left out', '')];
    if (type === 'predefined_type') return [siteOf(source, index, 'text changed', source.textOf(index) === 'number' ? 'string' : 'number')];
    const [literal] = type === 'literal_type' ? source.namedOf(index) : [];
    if (literal === undefined || source.typeOf(literal) !== 'string') return [];
    return [siteOf(source, index, 'text changed', source.textOf(index).replace(/^./, '$&~'))];
  });
}

const parts = ['export_statement', 'property_signature', 'method_signature', 'public_field_definition'];

/** With the sign that ends it, and spread over what is declared. */
function siteOf(source: Source, index: number, operator: Operator, now: string): Site {
  const { from, to } = source.at(index);
  const end = now === '' && /[;,]/.test(source.text[to] ?? '') ? to + 1 : to;
  return { from, to: end, now, operator, node: { from, to }, owner: outermost(source, index), declared: true };
}

function isWithinDeclaration(source: Source, index: number): boolean {
  for (let at = source.at(index).parent; at > 0; at = source.at(at).parent)
    if (source.typeOf(at) === 'interface_declaration' || source.typeOf(at) === 'type_alias_declaration') return true;
  return false;
}

function outermost(source: Source, index: number): number {
  let at = index;
  while (source.at(at).parent > 0) at = source.at(at).parent;
  return at;
}
