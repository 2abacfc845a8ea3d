#!/usr/bin/env node
/**
 * `npm run simulate -- --sprints 20000 [--seed N]`: whole sprints of the real engine in a simulated world (docs/simulation.md).
 *
 *   npm run simulate -- --seed 7 --sprints 1          one sprint again
 *   npm run simulate -- --mutants [name …]            every broken guarantee must be found, and by which seed
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;
const out = join(root, 'out', 'simulation');

/** Sprints that a mutant gets to show itself. */
const chances = 6000;

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  if (args[0] === '--mutants') return mutants(args.slice(1));
  return run(await bundle('simulate', []), args);
}

async function mutants(names) {
  const { mutants: all } = await import(await bundle('mutants', [], 'test/simulation/mutants.ts'));
  const unknown = names.filter((name) => !all.some((mutant) => mutant.name === name));
  if (unknown.length > 0)
    throw new Error(`There is no mutant "${unknown.join('", "')}"; there are ${all.map((m) => m.name).join(', ')}.`);
  const seed = String(Math.floor(Math.random() * 1_000_000_000));
  const survivors = [];
  for (const mutant of all.filter(({ name }) => names.length === 0 || names.includes(name))) {
    process.stdout.write(`\n== ${mutant.name}: ${mutant.what}\n`);
    const file = await bundle(mutant.name.replaceAll(' ', '-'), mutant.edits);
    const world = mutant.world ? ['--with', JSON.stringify(mutant.world)] : [];
    const status = await run(file, ['--first', '--quiet', '--seed', seed, '--sprints', String(chances), ...world]);
    if (status === 0) survivors.push(mutant.name);
    process.stdout.write(status === 0 ? '== SURVIVED\n' : '== killed\n');
  }
  process.stdout.write(`\n${survivors.length === 0 ? 'Every mutant was killed.' : `Survived: ${survivors.join(', ')}`}\n`);
  return survivors.length === 0 ? 0 : 1;
}

/** One file with all of it; `edits` change sources on the way in. */
async function bundle(name, edits, entry = 'test/simulation/main.ts') {
  const outfile = join(out, `${name}.mjs`);
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    loader: { '.md': 'text' },
    sourcemap: 'inline',
    logLevel: 'warning',
    plugins: [edited(edits)],
    banner: { js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);" },
  });
  return outfile;
}

/** Fails where the text that is to be replaced is not there exactly once: the mutant has to follow the source. */
function edited(edits) {
  return {
    name: 'mutant',
    setup(bundler) {
      bundler.onLoad({ filter: /src\/engine\/.*\.ts$/ }, async ({ path }) => {
        const own = edits.filter(({ file }) => file === relative(root, path));
        if (own.length === 0) return undefined;
        let contents = await readFile(path, 'utf8');
        for (const { file, find, replace } of own) {
          if (contents.split(find).length !== 2) throw new Error(`${file} does not hold this exactly once: ${find}`);
          contents = contents.replace(find, () => replace);
        }
        return { contents, loader: 'ts' };
      });
    },
  };
}

function run(file, args) {
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--enable-source-maps', file, ...args], { stdio: 'inherit' });
    child.once('close', (code) => done(code ?? 1));
  });
}
