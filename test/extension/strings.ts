/** Finds words in source: those that are given to `t` or `plural`, and those that a person would read untranslated. */
import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

export interface Words {
  /** Keys of translations. */
  keys: string[];
  /** `file: text` of literals that look like words and are not translated. */
  forgotten: string[];
}

interface Node {
  type: string;
  start: number;
  end: number;
  [name: string]: unknown;
}

export function wordsIn(file: string, source = readFileSync(file, 'utf8')): Words {
  const { program } = parseSync(file, source);
  const words: Words = { keys: [], forgotten: [] };
  visit(program as unknown as Node, { file, source, words });
  return words;
}

interface Around {
  file: string;
  source: string;
  words: Words;
  /** The property whose value it is. */
  property?: string | undefined;
}

function visit(node: Node, around: Around): void {
  if (isSilent(node, around.source)) return;
  if (node.type === 'CallExpression') return visitCall(node, around);
  if (node.type === 'Property') return visit(node['value'] as Node, { ...around, property: nameOf(node['key'] as Node) });
  const text = textOf(node);
  if (text !== undefined && isWords(text, around.property)) around.words.forgotten.push(`${around.file}: ${text}`);
  const next = text === undefined && node.type !== 'ConditionalExpression' ? { ...around, property: undefined } : around;
  for (const child of childrenOf(node)) visit(child, next);
}

/** Where each argument of a translating call stands for a key. */
const keyArguments: Record<string, number[]> = { t: [0], plural: [1, 2] };
/** Their literals are no words: ids, commands, kinds, lines of the log. */
const silentCalls =
  /(executeCommand|registerCommand|request|getConfiguration|createElement|querySelector(All)?|getElementById|addEventListener|createTestController|createOutputChannel|createStatusBarItem|log\(\)(\[level\]|\.\w+)|log\.\w+|idSuffix|\.(includes|startsWith|endsWith|replace|replaceAll|split|test|matchAll))$/;

function visitCall(node: Node, around: Around): void {
  const callee = node['callee'] as Node;
  const name = around.source.slice(callee.start, callee.end);
  const given = node['arguments'] as Node[];
  const keys = Object.hasOwn(keyArguments, name) ? (keyArguments[name] ?? []) : [];
  for (const index of keys) around.words.keys.push(...keysOf(given[index], around));
  const isSilentCall = silentCalls.test(name);
  visit(callee, { ...around, property: undefined });
  for (const [index, argument] of given.entries()) {
    const isText = textOf(argument) !== undefined;
    if (keys.includes(index) || ((isSilentCall || (name === 'h' && index === 0)) && isText)) continue;
    // The words of a look are translated where looks are made.
    if (name === 'look' && index === 0 && argument.type === 'Literal') around.words.keys.push(textOf(argument) ?? '');
    else visit(argument, { ...around, property: undefined });
  }
}

/** A key must be literal, or a choice of literals. */
function keysOf(node: Node | undefined, around: Around): string[] {
  if (node?.type === 'ConditionalExpression')
    return [node['consequent'], node['alternate']].flatMap((branch) => keysOf(branch as Node, around));
  const text = node?.type === 'Literal' ? textOf(node) : undefined;
  if (text === undefined) around.words.forgotten.push(`${around.file}: a key that is no literal`);
  return text === undefined ? [] : [text];
}

const silentTypes = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'ImportExpression', 'TaggedTemplateExpression']);

function isSilent(node: Node, source: string): boolean {
  if (silentTypes.has(node.type)) return true;
  if (node.type.startsWith('TS')) return !/^TS(As|Satisfies|NonNull)Expression$/.test(node.type);
  const callee = node['callee'] as Node | undefined;
  return node.type === 'NewExpression' && /(Error|Bug|RegExp|Worker|ThemeColor|ThemeIcon)$/.test(source.slice(callee?.start, callee?.end));
}

function childrenOf(node: Node): Node[] {
  if (node.type === 'SwitchCase') return node['consequent'] as Node[];
  const isComparison = node.type === 'BinaryExpression' && /^[!=]==?$|^in$/.test(String(node['operator']));
  return Object.values(node)
    .flat()
    .filter((child): child is Node => typeof child === 'object' && child !== null && 'type' in child)
    .filter((child) => !isComparison || child.type !== 'Literal');
}

function nameOf(key: Node): string | undefined {
  return typeof key['name'] === 'string' ? key['name'] : typeof key['value'] === 'string' ? key['value'] : undefined;
}

function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node?.type !== 'TemplateLiteral') return undefined;
  return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}');
}

/** Their values are ids. */
const silentProperties = new Set('kind type command scheme context id what icon colour class action about href role for'.split(' '));
const shownProperties = new Set('label words title description detail placeHolder prompt tooltip spoken'.split(' '));

/** A capitalised word, two words, or any word where words are shown. */
function isWords(text: string, property: string | undefined): boolean {
  const bare = text.replaceAll(/\{\}|\$\([\w~-]*\)?/g, '');
  if (property !== undefined && silentProperties.has(property)) return false;
  // Whoever reads it is told the product's name, and nothing else.
  if (!/\p{L}{2}/u.test(bare) || /^[\s$(){}~\w-]*Loop:?[\s{}]*$/.test(text)) return false;
  if (property !== undefined && shownProperties.has(property)) return /\p{L}{3}/u.test(bare);
  return /^\p{Lu}\p{Ll}+[.…?:]?\s?$/u.test(bare.trim()) || (/\s/.test(text) && /\p{L}{2}/u.test(bare));
}
