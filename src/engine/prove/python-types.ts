/** What only says in Python of which type a value is: a checker of types reads it, and what runs stays the same. */
import type { Source } from './source-tree.ts';

export function isOfTypes(source: Source, index: number): boolean {
  const { type, field, parent } = source.at(index);
  const textOf = (name: string, of = index): string => source.textOf(source.fieldOf(of, name) ?? -1);
  if (field === 'condition') return /^(\w+\.)?TYPE_CHECKING$/.test(source.textOf(index));
  if (type === 'call') return /^(\w+\.)?(TypeVar|TypeVarTuple|ParamSpec|NewType)$/.test(textOf('function'));
  if (type === 'subscript') return generic.test(textOf('value'));
  if (/^(augmented_)?assignment$/.test(type)) return textOf('left') === '__all__';
  const isFirst = type === 'string' && source.namedOf(parent)[0] === index;
  return isFirst && /^(\w+\.)?cast$/.test(textOf('function', source.at(parent).parent));
}

/** Texts in other brackets may be keys of a table. */
const generic = /^(\w+\.)?(List|Dict|Set|FrozenSet|Tuple|Type|Optional|Union|Sequence|Iterable|Iterator|Mapping|Callable)$/;
