/**
 * Bundles: extension, worker, cli, SDK provider and webview into dist/; with `--tests`, every test and its fixtures' helpers
 * into out/. The SDK has a bundle of its own, loaded on first use.
 */
import { build } from 'esbuild';
import { globSync } from './glob.mjs';
import { chmod, rm } from 'node:fs/promises';

const tests = process.argv.includes('--tests');
const minify = !process.argv.includes('--dev');

/** `import('./anthropic.ts')` stays a runtime import of its own bundle. */
const lazySdk = {
  name: 'lazy-sdk',
  setup({ onResolve }) {
    onResolve({ filter: /\/anthropic\.ts$/ }, ({ kind }) => (kind === 'dynamic-import' ? { path: './anthropic.js', external: true } : undefined));
  },
};

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

const dist = [
  { entryPoints: { extension: 'src/extension/extension.ts', worker: 'src/extension/worker.ts', cli: 'src/cli/main.ts' }, plugins: [lazySdk] },
  { entryPoints: { anthropic: 'src/models/anthropic.ts' } },
].map((part) => ({ ...node, minify, outdir: 'dist', ...part }));

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

const testEntries = () => globSync('test', /\.(test|bench)\.ts$|^test\/(editor|simulation|support)\/.*\.ts$/);
const out = () => ({
  ...node,
  entryPoints: testEntries(),
  outbase: 'test',
  outdir: 'out/test',
  sourcemap: 'inline',
  external: ['vscode', 'mocha', 'playwright-core', '@vscode/test-electron', 'esbuild'],
  plugins: [],
});

await rm('dist', { recursive: true, force: true });
await Promise.all([...dist.map((options) => build(options)), build(webview)]);
await chmod('dist/cli.js', 0o755);
if (tests) {
  await rm('out/test', { recursive: true, force: true });
  await build(out());
}
