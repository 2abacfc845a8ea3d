/**
 * The house has layers, floors and no circles (docs/house.md): arrows go extension, cli -> views, host, models -> engine, and
 * inside the engine from a higher floor to a lower one. Types count as arrows. What lies in a pure folder decides and words
 * and nothing else (I3): it cannot reach anything that waits, and knows no clock.
 *
 *   node scripts/check-layers.mjs          this checkout; another one by its path
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { globSync } from './glob.mjs';

/** What each layer may import: layers by the folder below `src`, and packages. A folder of its own wins over its layer. */
const layers = {
  engine: { layers: ['engine', 'prompts'], packages: ['zod', 'yaml'] },
  host: { layers: ['engine', 'host'], packages: ['node', 'zod', 'simple-git', 'picomatch'] },
  models: { layers: ['engine', 'models'], packages: ['node', '@anthropic-ai/sdk', 'yaml', 'zod'] },
  views: { layers: ['engine', 'views'], packages: ['node'] },
  extension: { layers: ['engine', 'views', 'extension'], packages: ['node'] },
  'extension/editor': { layers: ['engine', 'views', 'extension', 'extension/editor'], packages: ['node', 'vscode'] },
  'extension/worker': { layers: ['engine', 'host', 'models', 'views', 'extension', 'extension/worker'], packages: ['node'] },
  cli: { layers: ['engine', 'host', 'models', 'cli'], packages: ['node'] },
};

/** Of the engine, from the ground up. A file imports from its own floor and from those below it. */
const pure = ['ground', 'work', 'state', 'services', 'parse', 'judge', 'prove', 'diagnose', 'core', 'picture', 'render'];
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

/** Only what waits or looks at a clock needs these words. */
const impure = /\b(?:async|await) (?=[\w([])|\b(?:Promise|Date|performance|setTimeout|setInterval)\b|\bMath\.random\b/;

process.chdir(process.argv[2] ?? '.');
const files = new Map(globSync('src', /\.ts$/).map((file) => [file, importsOf(file)]));
const wrong = [...[...files].flatMap(([file, imports]) => problems(file, imports)), ...circles(files)];
for (const line of wrong) process.stdout.write(`${line}\n`);
process.stdout.write(wrong.length === 0 ? 'Layers: all arrows go one way.\n' : `${wrong.length} problems of layers.\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;

function problems(file, imports) {
  const layer = layerOf(file);
  if (!layers[layer]) return [`${file}: there is no layer "${layer}".`];
  const arrows = imports.flatMap((target) => arrowProblem(file, layer, target) ?? floorProblem(file, target) ?? []);
  return [...arrows, ...purityProblem(file)];
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

function purityProblem(file) {
  if (!pure.includes(floorOf(file))) return [];
  const [word] = impure.exec(codeOf(readFileSync(file, 'utf8'))) ?? [];
  return word === undefined ? [] : [`${file}: ${floorOf(file)} is pure, and may not use ${word.trim()}.`];
}

/** Each circle of files once, from the first of its files by name. */
function circles(graph) {
  const found = [];
  const done = new Set();
  const visit = (file, way) => {
    if (way.includes(file)) return void found.push([...way.slice(way.indexOf(file)), file]);
    if (done.has(file)) return;
    for (const { path } of graph.get(file) ?? []) if (graph.has(path)) visit(path, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return found.map((way) => `A circle: ${way.join(' -> ')}.`);
}

/** The layer of a file, by the longest folder that has rules of its own. */
function layerOf(path) {
  if (path.startsWith('prompts/')) return 'prompts';
  const [layer, folder] = path.split('/').slice(1);
  return layers[`${layer}/${folder}`] ? `${layer}/${folder}` : layer;
}

/** Of an engine's file: its folder, or its own name where it lies in none. */
function floorOf(path) {
  return /^src\/engine\/([\w-]+)/.exec(path)?.[1];
}

function importsOf(file) {
  const statements = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\s[^'"`;]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|^import\s+['"]([^'"]+)['"]/gm,
  );
  return [...statements].map(([, from, dynamic, bare]) => targetOf(file, from ?? dynamic ?? bare));
}

/** @returns the path of one of our files, or the name of a package; every module of Node is `node`. */
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

/** Without comments and what stands in quotes. */
function codeOf(text) {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/gm, '');
}
