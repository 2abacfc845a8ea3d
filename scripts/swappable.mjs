#!/usr/bin/env node
/**
 * Builds bundles in which `swap` (test/support/swap.ts) can replace any function that the engine exports: each module registers
 * a setter for its functions. Never used for what is shipped.
 *
 *   node scripts/swappable.mjs ENTRY OUTFILE     a bundle that uses the files in dist/, as tests do
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const swappable = {
  name: 'swappable',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]src[\\/]engine[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const names = new Set([...text.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name]) => name));
      const places = [...names].map((name) => `globalThis.swaps.set(${name}, (other) => { ${name} = other; });`);
      return { contents: [text, 'globalThis.swaps ??= new Map();', ...places].join('\n'), loader: 'ts' };
    });
  },
};

/** Writes one file with everything that `entry` imports. */
export async function bundle(entry, outfile, options = {}) {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    loader: { '.md': 'text' },
    sourcemap: 'inline',
    logLevel: 'warning',
    banner: { js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);" },
    ...options,
  });
  return outfile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [entry, outfile] = process.argv.slice(2);
  const here = JSON.stringify(pathToFileURL(join(process.cwd(), 'dist', 'tests.js')).href);
  await bundle(entry, outfile, { plugins: [swappable], format: 'cjs', banner: {}, define: { 'import.meta.url': here } });
}
