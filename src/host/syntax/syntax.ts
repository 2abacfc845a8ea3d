/**
 * Parses source of the work with tree-sitter (docs/decisions/0028). The library and each grammar are loaded when they are first
 * needed. A text that is too long, or takes too long, is not read: a proof then says so.
 */
import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import type { Language as Grammar, Node, Parser, Tree } from 'web-tree-sitter';
import type { Language } from '../../engine/prove/language.ts';
import type { SourceNode, SourceTree } from '../../engine/prove/source-tree.ts';
import type { Syntax } from '../../engine/ports.ts';
import { blocksOf, joined, unread, type Block } from './blocks.ts';
import { grammarOf, readable } from './grammars.ts';

/** Characters of a text. What a person writes is shorter. */
const longest = 500_000;
const limitMs = 2000;

/**
 * @param ms for one text
 * @param folder with the library's and the grammars' files: beside the bundle with this module
 */
export function createSyntax(ms = limitMs, folder = new URL('syntax/', import.meta.url)): Syntax {
  const read = async <T>(language: Language, text: string, use: (tree: Tree) => T): Promise<T | undefined> => {
    if (text.length > longest) return undefined;
    return parsed(await parserOf(folder), await grammar(folder, language), { text: readable(language, text), ms }, use);
  };
  const recovered = async (language: Language, text: string, whole: SourceTree | undefined): Promise<SourceTree | undefined> =>
    whole && whole.errors > 0 ? better(whole, await byBlocks(language, text)) : whole;
  const byBlocks = async (language: Language, text: string): Promise<SourceTree | undefined> => {
    const blocks = blocksOf(text);
    const trees: { block: Block; tree: SourceTree }[] = [];
    if (blocks.length > mostBlocks) return undefined;
    for (const block of blocks) {
      const tree = await read(language, block.text, ({ rootNode }) => flat(rootNode));
      if (!tree) return undefined;
      trees.push({ block, tree });
    }
    return joined(text.length, trees);
  };
  return {
    parse: async (language, text) => recovered(language, text, await read(language, text, ({ rootNode }) => flat(rootNode))),
    errors: async (language, text) => {
      const whole = await read(language, text, ({ rootNode }) => (rootNode.hasError ? flat(rootNode) : sound));
      return (await recovered(language, text, whole))?.errors;
    },
  };
}

/** Of a file; each is parsed by itself, for each fault again. */
const mostBlocks = 1000;
/** What nobody looks into is not made flat. */
const sound: SourceTree = { nodes: [], errors: 0 };

function better(whole: SourceTree, blocks: SourceTree | undefined): SourceTree {
  return blocks && unread(blocks) < unread(whole) ? blocks : whole;
}

/** One library and one copy of each grammar for the process: they cannot be unloaded. */
let library: Promise<Parser> | undefined;
const grammars = new Map<string, Promise<Grammar>>();

function parserOf(folder: URL): Promise<Parser> {
  library ??= (async () => {
    const tools = await import('web-tree-sitter');
    await tools.Parser.init({ wasmBinary: await readFile(new URL('web-tree-sitter.wasm', folder)) });
    return new tools.Parser();
  })();
  return library;
}

function grammar(folder: URL, language: Language): Promise<Grammar> {
  const name = grammarOf[language];
  const known = grammars.get(name);
  if (known) return known;
  const loaded = (async () => {
    const tools = await import('web-tree-sitter');
    return tools.Language.load(await readFile(new URL(`tree-sitter-${name}.wasm`, folder)));
  })();
  grammars.set(name, loaded);
  return loaded;
}

function parsed<T>(parser: Parser, language: Grammar, given: { text: string; ms: number }, use: (tree: Tree) => T): T | undefined {
  const until = performance.now() + given.ms;
  parser.setLanguage(language);
  const tree = parser.parse(given.text, null, { progressCallback: () => performance.now() > until });
  if (tree === null) {
    parser.reset();
    return undefined;
  }
  try {
    return use(tree);
  } finally {
    tree.delete();
  }
}

/** By a cursor, because a node of the library is slow to make and its depth has no limit. */
function flat(root: Node): SourceTree {
  const nodes: SourceNode[] = [];
  const { types, fields } = root.tree.language;
  const isNamed = types.map((_type, id) => root.tree.language.nodeTypeIsNamed(id));
  const mayLack = root.hasError;
  const cursor = root.walk();
  const above: number[] = [];
  let errors = 0;
  for (let more = true; more;) {
    // By numbers: each text would be copied out of the library's memory.
    const { nodeTypeId: id, currentFieldId, startIndex: from, endIndex: to } = cursor;
    const type = types[id] ?? 'ERROR';
    if (mayLack && (type === 'ERROR' || cursor.nodeIsMissing)) errors += 1;
    nodes.push({ type, named: isNamed[id] ?? true, field: fields[currentFieldId] ?? undefined, from, to, parent: above.at(-1) ?? -1 });
    if (cursor.gotoFirstChild()) {
      above.push(nodes.length - 1);
      continue;
    }
    while (!cursor.gotoNextSibling()) {
      above.pop();
      if (!cursor.gotoParent()) {
        more = false;
        break;
      }
    }
  }
  cursor.delete();
  return { nodes, errors };
}
