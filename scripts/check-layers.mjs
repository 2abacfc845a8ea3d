/**
 * The arrows of the house go one way (docs/design.md): extension and cli -> views, host, models -> engine. The engine
 * imports zod, yaml, prompts and itself; only the extension and the views' editor parts know `vscode`.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { globSync } from './glob.mjs';

const allowed = {
  engine: { layers: ['engine', 'prompts'], packages: ['zod', 'yaml'] },
  host: { layers: ['engine', 'host'], packages: ['node', 'zod', 'simple-git', 'picomatch'] },
  models: { layers: ['engine', 'models'], packages: ['node', '@anthropic-ai/sdk', 'yaml', 'zod'] },
  views: { layers: ['engine', 'views'], packages: ['node', 'vscode'] },
  extension: { layers: ['engine', 'host', 'models', 'views', 'extension'], packages: ['node', 'vscode'] },
  cli: { layers: ['engine', 'host', 'models', 'cli'], packages: ['node'] },
};
/** The kernel decides and nothing else: it does not know how anything is done. */
const pure = ['decide', 'fold', 'fuel', 'ending', 'ledger', 'metrics', 'monitor', 'state'].map((name) => `src/engine/${name}.ts`);
/** Rows use tools, agents and verifications; none of these knows a row. */
const belowRows = /^src\/engine\/(tools|agents|verify|render|work)\//;
const rows = /^src\/engine\/actions\//;
const impure = /src\/engine\/(agents\/(session|ask|calls)|loop|kernel|context|resume)\.ts$/;

const wrong = globSync('src', /\.ts$/).flatMap(problems);
for (const line of wrong) process.stdout.write(`${line}\n`);
process.stdout.write(wrong.length === 0 ? 'Layers: all arrows go one way.\n' : `${wrong.length} arrows go the wrong way.\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;

function problems(file) {
  const layer = file.split('/')[1];
  const rule = allowed[layer];
  if (!rule) return [`${file}: there is no layer "${layer}".`];
  return importsOf(file).flatMap(({ target, isType }) => {
    const to = targetOf(file, target);
    if (to.package) return rule.packages.includes(to.package) ? [] : [`${file}: ${layer} may not import ${target}.`];
    if (!rule.layers.includes(to.layer)) return [`${file}: ${layer} may not import ${to.layer} (${target}).`];
    if (belowRows.test(file) && !isType && rows.test(to.path))
      return [`${file}: only the table and the kernel know rows (${target}).`];
    return pure.includes(file) && !isType && impure.test(to.path) ? [`${file}: deciding may not import ${target}.`] : [];
  });
}

function importsOf(file) {
  const text = readFileSync(file, 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s)?[^'"]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|^import\s+['"]([^'"]+)['"]/gm,
  );
  return [...statements].map(([, type, from, dynamic, bare]) => ({ target: from ?? dynamic ?? bare, isType: Boolean(type) }));
}

function targetOf(file, target) {
  if (!target.startsWith('.')) {
    const name = target.startsWith('node:')
      ? 'node'
      : target
          .split('/')
          .slice(0, target.startsWith('@') ? 2 : 1)
          .join('/');
    return { package: name };
  }
  const path = relative('.', join(dirname(file), target));
  return { path, layer: path.startsWith('prompts/') ? 'prompts' : path.split('/')[1] };
}
