/** A parsed file with what faults need to know of each node: whether it is passive, and which function and loop are around it. */
import { grammars, type Grammar } from './grammar.ts';
import type { Language } from './language.ts';
import { isOfTypes } from './python-types.ts';
import type { Operator } from '../work/verification.ts';
import { isComment, Source, type Range, type SourceTree } from './source-tree.ts';

/** One possible fault: this range, replaced. */
export interface Site extends Range {
  now: string;
  operator: Operator;
  /** All of what is made wrong. */
  node: Range;
  /** The place that a run must reach for the fault to matter, if that is not where it stands. */
  entry?: number;
  /** Index of the node of the function that it is in; 0 outside of all. */
  owner: number;
  /** Of a fault in a text of several words: its pieces (`wording.ts`). */
  wording?: readonly string[];
  /** It stands in a declaration of types, which runs nothing. */
  declared?: true;
}

/** A tree with its grammar, and for each node whether it is passive and what is around it. */
export class Look {
  readonly source: Source;
  readonly grammar: Grammar;
  private readonly passive: boolean[] = [];
  private readonly owners: number[] = [];
  private readonly loops: boolean[] = [];
  /** Texts of functions, by name. A file has many calls, so all of them are found once. */
  private named: Map<string, string[]> | undefined;

  constructor(
    readonly language: Language,
    text: string,
    tree: SourceTree,
    tests: readonly Range[],
  ) {
    this.source = new Source(text, tree);
    this.grammar = grammars[language];
    for (const [index, { from, to, parent }] of this.source.nodes.entries()) {
      const inTest = tests.some((range) => range.from <= from && to <= range.to);
      this.passive.push((this.passive[parent] ?? false) || inTest || isPassive(this, index));
      this.owners.push(this.is(index, 'functions') ? index : (this.owners[parent] ?? 0));
      this.loops.push((this.loops[parent] ?? false) || this.isLoop(index));
    }
  }

  is(index: number, kinds: { [K in keyof Grammar]: Grammar[K] extends string ? K : never }[keyof Grammar]): boolean {
    return listed(this.grammar[kinds], this.source.typeOf(index));
  }

  isPassive(index: number): boolean {
    return this.passive[index] ?? false;
  }

  /** A count that a loop waits for: without it the loop would not end. */
  isCount(index: number): boolean {
    return this.loops[index] ?? false;
  }

  ownerOf(index: number): number {
    return this.owners[index] ?? 0;
  }

  /** Texts of the functions of this file that have this name. */
  functionsNamed(name: string): readonly string[] {
    this.named ??= this.functionsByName();
    return this.named.get(name) ?? [];
  }

  site(index: number, operator: Operator, range: Range, now: string): Site {
    const { from, to } = this.source.at(index);
    return { ...range, now, operator, node: { from, to }, owner: this.ownerOf(index) };
  }

  whole(index: number, operator: Operator, now: string): Site {
    const { from, to } = this.source.at(index);
    return this.site(index, operator, { from, to }, now);
  }

  private functionsByName(): Map<string, string[]> {
    const named = new Map<string, string[]>();
    for (const index of this.source.nodes.keys()) {
      const own = this.is(index, 'functions') ? this.source.fieldOf(index, 'name') : undefined;
      if (own === undefined) continue;
      const name = this.source.textOf(own);
      named.set(name, [...(named.get(name) ?? []), this.source.textOf(index)]);
    }
    return named;
  }

  /** One that goes round until something has changed; in Go that is a `for` with a condition alone. */
  private isLoop(index: number): boolean {
    const { type, field } = this.source.at(index);
    if (/while|until|^do_|^loop/.test(type) || field === 'increment' || field === 'update') return true;
    const [head = -1] = this.source.namedOf(index);
    return this.language === 'go' && type === 'for_statement' && !this.source.typeOf(head).endsWith('_clause');
  }
}

/** Each list is split once. */
const lists = new Map<string, ReadonlySet<string>>();

export function listed(list: string, type: string): boolean {
  let known = lists.get(list);
  if (!known) lists.set(list, (known = new Set(list.split(' '))));
  return known.has(type);
}

const typeFields = new Set(['type', 'return_type', 'returns', 'result', 'type_parameters', 'type_arguments']);
export const quietAttributes = new Set([
  'class',
  'className',
  'style',
  'id',
  'key',
  'rel',
  'lang',
  'charset',
  'for',
  'name',
  'role',
  'integrity',
]);
/** Nobody who uses the work sees what it logs; what it prints, they do. */
const loggers =
  /(^|[.>:\s])_?(log|logger|logging|slog|tracing)(\(\))?(\.|->|::|\?\.)\w+!?$|^console\.(debug|trace)$|^(debug|trace|info|warn)!$/i;
/** Only a loss of power shows what it does. */
const syncs = /(^|\.)(fsync|fdatasync|fsyncSync|fdatasyncSync)$/;
/** How much room is made ahead of time: only its cost shows. */
const rooms = /(^|[.:])(with_capacity|shrink_to_fit|(ensure|Ensure)Capacity|trimToSize|TrimExcess)$/;
const loads = /^(require|require_relative|autoload|load|import|__import__|super|include|extend|attr_\w+|private_constant)$/;

function isPassive(look: Look, index: number): boolean {
  const { source } = look;
  const { type, field, named } = source.at(index);
  if (!named) return false;
  if (type === 'ERROR' || isComment(type) || look.is(index, 'passive')) return true;
  if (field !== undefined && typeFields.has(field) && look.language !== 'html') return true;
  if (look.is(index, 'calls') && [loggers, syncs, rooms, loads].some((quiet) => quiet.test(calleeOf(source, index)))) return true;
  if (look.is(index, 'calls') && saysWhereItListens(look, index)) return true;
  if (type === 'variable_declarator' && /^serialVersionUID\b/.test(source.textOf(index))) return true;
  const around = source.parentOf(index).type;
  // From where another file is handed on, and which code is compiled at all.
  if ((field === 'source' && around === 'export_statement') || (field === 'condition' && around.startsWith('preproc_'))) return true;
  // Browsers leave out what is meant for others.
  if (type === 'declaration' && look.language === 'css' && /^-(ms|moz|o|khtml)-/.test(source.textOf(index))) return true;
  // How Kotlin's grammar reads an annotation that stands first in a file.
  if (type === 'prefix_expression' && source.typeOf(source.childrenOf(index)[0] ?? -1) === 'annotation') return true;
  if (look.language === 'python' && isOfTypes(source, index)) return true;
  if (field === 'condition' && /^__name__\s*==/.test(source.textOf(index))) return true;
  if (type.endsWith('attribute')) return quietAttributes.has(source.textOf(source.childrenOf(index)[0] ?? -1));
  return isDirective(look, index) || isUnreachable(look, index);
}

/** A statement that is only a string: documentation, or a directive like 'use strict'. */
function isDirective({ source, grammar }: Look, index: number): boolean {
  if (!listed(grammar.strings, source.typeOf(index))) return false;
  const parent = source.parentOf(index).type;
  return parent === 'expression_statement' || parent === 'module' || (parent === 'block' && grammar === grammars.python);
}

/** Behind a `return` or the like in the same block. */
function isUnreachable(look: Look, index: number): boolean {
  const { source } = look;
  const { parent, type } = source.at(index);
  if (!look.is(parent, 'blocks') || /function|class|method|case|default|label|declaration/.test(type)) return false;
  const before = source.beforeOf(index);
  return before !== undefined && isJump(look, before);
}

export function isJump(look: Look, index: number): boolean {
  const { source, language } = look;
  const [inner] = source.namedOf(index);
  if (language === 'shell') return source.typeOf(index) === 'command' && /^(exit|return)\b/.test(source.textOf(index));
  return look.is(index, 'jumps') || (source.typeOf(index) === 'expression_statement' && inner !== undefined && look.is(inner, 'jumps'));
}

/** What is called: the text before the arguments. */
export function calleeOf(source: Source, index: number): string {
  const { from, to } = source.at(index);
  const list = source
    .childrenOf(index)
    .find((child) => /arguments|argument_list|call_suffix|token_tree/.test(source.typeOf(child)) || source.at(child).field === 'argument');
  const end = list === undefined ? to : source.at(list).from;
  return end - from > longestCallee ? '' : source.text.slice(from, end).trim();
}

/** A server is asked by its address, and not by the words with which it says that it listens. */
function saysWhereItListens(look: Look, index: number): boolean {
  const { source } = look;
  const around = look.ownerOf(source.at(index).parent);
  return around > 0 && says.test(calleeOf(source, index)) && takerOf(source, around).endsWith('.listen');
}

const says = /^(console\.\w+|process\.std(out|err)\.write)$/;

/** A header of an answer that no user meets: it counts where a document names it. @param index of an argument */
export function isOfHeader({ source }: Look, index: number): boolean {
  const { parent } = source.at(index);
  if (source.typeOf(parent) !== 'arguments' || isMet.test(source.textOf(parent))) return false;
  return setsHeader.test(calleeOf(source, source.at(parent).parent));
}

const setsHeader = /\b(res|resp|response|reply|rep|ctx|headers|app)\.(set|setHeader|header|append|enable|disable)$/;
/** What a browser shows, saves, keeps or asks for. */
const isMet = /content-(type|disposition)|location|cookie|authenticate|allow/i;

/** What is called with this function; empty where it is no argument. */
export function takerOf(source: Source, owner: number): string {
  const { parent } = source.at(owner);
  return /^(arguments|argument_list)$/.test(source.typeOf(parent)) ? calleeOf(source, source.at(parent).parent) : '';
}

/** A longer chain of calls is no name. */
const longestCallee = 100;
