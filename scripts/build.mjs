/** Bundles: extension, worker, command line and webview into dist/; with `--tests`, every test into out/. */
import { build } from 'esbuild';
import { globSync } from './glob.mjs';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const tests = process.argv.includes('--tests');
const example = process.argv.includes('--example');
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

/**
 * Worker and command line share their chunks, and what is imported dynamically (the SDK) is a chunk of its own: half a
 * megabyte that is loaded on first use. One copy of each class, so that `instanceof` holds across them.
 */
const shared = {
  ...node,
  entryPoints: { worker: 'src/extension/worker.ts', cli: 'src/cli/main.ts' },
  outdir: 'dist',
  format: 'esm',
  splitting: true,
  minify,
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunk-[hash]',
  banner: { js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);" },
};
/** A bundle of its own: it is all that the process which starts sandboxes and git keeps in its memory. */
const launcher = { ...node, entryPoints: { launcher: 'src/host/launcher/launcher-process.ts' }, outdir: 'dist', minify };
const extension = { ...node, entryPoints: { extension: 'src/extension/extension.ts' }, outdir: 'dist', minify };

const webview = {
  entryPoints: { webview: 'src/views/webview/client.ts' },
  outdir: 'dist',
  bundle: true,
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
  minify,
  logLevel: 'warning',
};

const testEntries = () => globSync('test', /\.test\.ts$|^test\/(editor|bench)\/.*\.ts$|^test\/sprint\/(adopt-)?child\.ts$/);
/** Tests and the example are no bundles of dist/, and yet use what lies in it. */
const besideDist = { define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(process.cwd(), 'dist', 'tests.js')).href) } };
const out = () => ({
  ...node,
  ...besideDist,
  entryPoints: testEntries(),
  outbase: 'test',
  outdir: 'out/test',
  external: ['vscode', 'mocha', 'playwright-core', '@vscode/test-electron', 'esbuild'],
});

await rm('dist', { recursive: true, force: true });
await Promise.all([build(shared), build(launcher), build(extension), build(webview)]);
await chmod('dist/cli.mjs', 0o755);
if (tests) {
  await rm('out/test', { recursive: true, force: true });
  await build(out());
}
if (example) await build({ ...node, ...besideDist, entryPoints: { example: 'scripts/example.ts' }, outdir: 'out' });
