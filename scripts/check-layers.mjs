/**
 * Tests that imports follow the layers and floors of docs/house.md and form no circles: extension, cli -> language -> views,
 * host, models -> engine, and inside the engine from a higher floor to a lower one. Imports of types count, too. Code in a pure folder only
 * decides and renders text (I3): it uses no clock and nothing asynchronous.
 *
 *   node scripts/check-layers.mjs          this checkout, or another one by its path
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { globSync } from './glob.mjs';

/** What each layer may import: other layers (folders below `src`) and packages. An entry for a subfolder wins over its layer. */
const layers = {
  engine: { layers: ['engine', 'prompts'], packages: ['zod', 'yaml'] },
  host: {
    layers: ['engine', 'host', 'templates'],
    packages: ['@modelcontextprotocol/server', 'node', 'zod', 'simple-git', 'web-tree-sitter'],
  },
  models: { layers: ['engine', 'models'], packages: ['node', '@anthropic-ai/sdk', 'yaml', 'zod'] },
  views: { layers: ['engine', 'views'], packages: ['node'] },
  language: {
    layers: ['engine', 'views', 'language'],
    packages: ['vscode-languageserver-types', 'vscode-languageserver-textdocument', 'yaml', 'zod'],
  },
  'language/server': {
    layers: ['engine', 'host', 'views', 'language', 'language/server'],
    packages: ['node', 'vscode-languageserver', 'vscode-languageserver-textdocument'],
  },
  extension: { layers: ['engine', 'models', 'views', 'extension'], packages: ['node'] },
  'extension/editor': {
    layers: ['engine', 'models', 'views', 'language', 'extension', 'extension/editor'],
    packages: ['node', 'vscode', 'vscode-languageclient'],
  },
  'extension/worker': { layers: ['engine', 'host', 'models', 'views', 'extension', 'extension/worker'], packages: ['node'] },
  cli: {
    layers: ['engine', 'host', 'models', 'language', 'language/server', 'cli'],
    packages: ['@modelcontextprotocol/server', 'node', 'vscode-languageserver', 'vscode-languageserver-textdocument'],
  },
};

/** The pure floors of the engine, lowest first. */
const pure = ['ground', 'work', 'state', 'services', 'parse', 'judge', 'prove', 'diagnose', 'core', 'picture', 'render'];
/** All floors, lowest first. A file imports only from its own floor and from lower ones. */
const floors = [
  ...pure,
  'ports',
  'first-of',
  'kernel',
  'context',
  'branch',
  'run',
  'person',
  'resume',
  'tools',
  'agents',
  'actions',
  'loop',
];

/** Names that only asynchronous code, or code with a clock, has, and a way to all of them. */
const impure = ['Promise', 'Date', 'performance', 'setTimeout', 'setInterval', 'globalThis'];

/** They load what only a run knows: the bundle beside their own, and modules of the work. */
const loadsAtRunTime = ['src/extension/editor/language.ts', 'src/host/sandbox/begin-node.ts'];

process.chdir(process.argv[2] ?? '.');
const files = new Map(globSync('src', /\.[cm]?[jt]sx?$/).map((file) => [file, read(file)]));
const found = [...[...files].flatMap(([file, code]) => problems(file, code)), ...circles(files)];
for (const line of found) process.stdout.write(`${line}\n`);
process.stdout.write(found.length === 0 ? 'Layers: all arrows go one way.\n' : `${found.length} problems of layers.\n`);
process.exitCode = found.length === 0 ? 0 : 1;

function problems(file, { imports, words, unknown }) {
  const layer = layerOf(file);
  if (!layers[layer]) return [`${file}: there is no layer "${layer}".`];
  const arrows = imports.flatMap((target) => arrowProblem(file, layer, target) ?? floorProblem(file, target) ?? []);
  const hidden = loadsAtRunTime.includes(file) ? [] : unknown.map((text) => `${file}: may not import what only a run knows: ${text}.`);
  return [...arrows, ...hidden, ...purityProblem(file, words)];
}

function arrowProblem(file, layer, { package: name, path, text }) {
  if (name) return layers[layer].packages.includes(name) ? undefined : `${file}: ${layer} may not import ${text}.`;
  const to = layerOf(path);
  return layers[layer].layers.includes(to) ? undefined : `${file}: ${layer} may not import ${to} (${text}).`;
}

function floorProblem(file, { path }) {
  const [from, to] = [floorOf(file), floorOf(path ?? '')];
  if (from === undefined || to === undefined) return undefined;
  if (!floors.includes(from)) return `${file}: the engine has no floor "${from}".`;
  return floors.indexOf(from) < floors.indexOf(to) ? `${file}: ${from} is below ${to} (${path}).` : undefined;
}

function purityProblem(file, [word]) {
  const name = floorOf(file) ?? layerOf(file);
  if (word === undefined || (!pure.includes(name) && name !== 'language')) return [];
  return [`${file}: ${name} is pure, and may not use ${word}.`];
}

/** Finds circles of files by a depth-first search. */
function circles(graph) {
  const all = [];
  const done = new Set();
  const visit = (file, path) => {
    if (path.includes(file)) return void all.push([...path.slice(path.indexOf(file)), file]);
    if (done.has(file)) return;
    for (const target of graph.get(file)?.imports ?? []) if (graph.has(target.path)) visit(target.path, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return all.map((path) => `A circle: ${path.join(' -> ')}.`);
}

/** The layer of a file: the entry for its subfolder if there is one, else for its folder. */
function layerOf(path) {
  if (path.startsWith('prompts/')) return 'prompts';
  if (path.startsWith('media/templates/')) return 'templates';
  const [layer, folder] = path.split('/').slice(1);
  return layers[`${layer}/${folder}`] ? `${layer}/${folder}` : layer;
}

/** The floor of an engine's file: its folder, or its own name where it is in no folder. */
function floorOf(path) {
  return /^src\/engine\/([\w-]+)/.exec(path)?.[1];
}

/** @returns what a file imports, its impure words, and imports by something else than a text */
function read(file) {
  const text = readFileSync(file, 'utf8');
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  const [imports, words, unknown] = [[], [], []];
  const from = (node) => {
    if (typeof node?.value === 'string') imports.push(targetOf(file, node.value));
    else if (node) unknown.push(text.slice(node.start, node.end));
  };
  const source = (node) => from(node.source);
  const callable = (node) => node.async && words.push('async');
  const visit = {
    ImportDeclaration: source,
    ExportNamedDeclaration: source,
    ExportAllDeclaration: source,
    ImportExpression: source,
    TSImportType: source,
    TSExternalModuleReference: (node) => from(node.expression),
    CallExpression: (node) => node.callee.name === 'require' && from(node.arguments[0]),
    FunctionDeclaration: callable,
    FunctionExpression: callable,
    ArrowFunctionExpression: callable,
    AwaitExpression: () => words.push('await'),
    ForOfStatement: (node) => node.await && words.push('await'),
    Identifier: ({ name }) => impure.includes(name) && words.push(name),
    MemberExpression: ({ object, property }) =>
      object.name === 'Math' && [property.name, property.value].includes('random') && words.push('Math.random'),
  };
  new Visitor(visit).visit(program);
  return { imports, words, unknown };
}

/** @returns `path` for a file of this repository, else `package`; each module of Node counts as the package `node`. */
function targetOf(file, text) {
  if (text.startsWith('.')) return { text, path: relative('.', join(dirname(file), text)) };
  if (text.startsWith('node:')) return { text, package: 'node' };
  return {
    text,
    package: text
      .split('/')
      .slice(0, text.startsWith('@') ? 2 : 1)
      .join('/'),
  };
}
