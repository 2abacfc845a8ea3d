/** Bundles: extension, worker, command line and webview into dist/; with `--tests`, every test into out/. */
import { build } from 'esbuild';
import { globSync } from './glob.mjs';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const withTests = process.argv.includes('--tests');
const withExample = process.argv.includes('--example');
const minify = !process.argv.includes('--dev');

const node = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  loader: { '.md': 'text' },
  external: ['vscode'],
  logLevel: 'warning',
  legalComments: 'none',
};

const splitting = {
  format: 'esm',
  splitting: true,
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunk-[hash]',
  banner: { js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);" },
};
/**
 * Worker and command line share their chunks, and what is imported dynamically (the SDK) is a chunk of its own: half a
 * megabyte that is loaded on first use. One copy of each class, so that `instanceof` holds across them.
 */
const shared = {
  ...node,
  ...splitting,
  entryPoints: { worker: 'src/extension/worker/worker.ts', cli: 'src/cli/main.ts' },
  outdir: 'dist',
  minify,
};
/** A bundle of its own: it is all that the process which starts sandboxes and git keeps in its memory. */
const launcher = { ...node, entryPoints: { launcher: 'src/host/launcher/launcher-process.ts' }, outdir: 'dist', minify };
const extension = { ...node, entryPoints: { extension: 'src/extension/editor/extension.ts' }, outdir: 'dist', minify };

const webview = {
  entryPoints: { webview: 'src/views/page/client.ts' },
  outdir: 'dist',
  bundle: true,
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
  minify,
  logLevel: 'warning',
};

/** Tests and the example are no bundles of dist/, and yet use what lies in it. */
const besideDist = { define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(process.cwd(), 'dist', 'tests.js')).href) } };
const test = {
  ...node,
  ...besideDist,
  outbase: 'test',
  outdir: 'out/test',
  external: ['vscode', 'mocha', 'playwright-core', '@vscode/test-electron', 'esbuild'],
};
/** An extension host loads CommonJS only. */
const inEditor = () => ({ ...test, entryPoints: globSync('test', /^test\/(editor|bench)\/.*\.ts$/) });
/** The others share chunks: hundreds of copies of the same modules take ten seconds to write. */
const outside = () => ({
  ...test,
  ...splitting,
  entryPoints: globSync('test', /^test\/(?!editor\/).*\.test\.ts$|^test\/sprint\/(adopt-)?child\.ts$/),
});

await rm('dist', { recursive: true, force: true });
await Promise.all([build(shared), build(launcher), build(extension), build(webview)]);
await chmod('dist/cli.mjs', 0o755);
if (withTests) {
  await rm('out/test', { recursive: true, force: true });
  await Promise.all([build(outside()), build(inEditor())]);
}
if (withExample) await build({ ...node, ...besideDist, entryPoints: { example: 'scripts/example.ts' }, outdir: 'out' });
