/** Bundles extension, worker, command line, launcher, the sandbox's `browser` and webview into dist/; with `--tests` also every test into out/. */
import { build } from 'esbuild';
import { globSync } from './glob.mjs';
import { copySyntax } from './syntax-files.mjs';
import { chmod, cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const withTests = process.argv.includes('--tests');
// Tests start an example.
const withExample = withTests || process.argv.includes('--example');
const withHonesty = process.argv.includes('--honesty');
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
 * Worker, command line and language server share chunks, so there is one copy of each class and `instanceof` works. The SDK is imported
 * dynamically, so its half megabyte is a chunk of its own that is loaded on first use.
 */
const shared = {
  ...node,
  ...splitting,
  entryPoints: { worker: 'src/extension/worker/main.ts', cli: 'src/cli/main.ts', 'language-server': 'src/language/server/main.ts' },
  outdir: 'dist',
  minify,
};
/** A small bundle of its own, because the launcher's process must use little memory (docs/decisions/0024). */
const launcher = {
  ...node,
  entryPoints: { launcher: 'src/host/launcher/launcher-process.ts' },
  outdir: 'dist',
  minify,
  // Without its half for browsers: each start of a process copies what is loaded.
  alias: { debug: 'debug/src/node.js' },
};
/** It runs in sandboxes, where nothing else of Loop is. */
const browserCommand = { ...node, entryPoints: { 'browser-command': 'src/host/browser/command.ts' }, outdir: 'dist', minify };
/**
 * Each module that imports the editor's API would copy all of its names, which takes longer than all else of loading: one copies them
 * for all.
 */
const oneEditorApi = {
  name: 'one-editor-api',
  setup(/** @type {import('esbuild').PluginBuild} */ api) {
    api.onResolve({ filter: /^vscode$/ }, ({ namespace, kind }) =>
      namespace === 'api' || kind === 'require-call' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'api' },
    );
    api.onLoad({ filter: /.*/, namespace: 'api' }, () => ({ contents: "export * from 'vscode';" }));
  },
};
const extension = {
  ...node,
  external: [],
  plugins: [oneEditorApi],
  // The client is a bundle of its own, because activation must not load it.
  entryPoints: { extension: 'src/extension/editor/extension.ts', 'language-client': 'src/extension/editor/language-client.ts' },
  outdir: 'dist',
  minify,
};

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

/** Tests and the example are not in dist/, but use files there, so their `import.meta.url` points to it. */
const besideDist = { define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(process.cwd(), 'dist', 'tests.js')).href) } };
const test = {
  ...node,
  ...besideDist,
  outbase: 'test',
  outdir: 'out/test',
  external: ['vscode', 'mocha', 'playwright-core', '@vscode/test-electron', 'esbuild', 'oxc-parser', 'axe-core'],
};
/** CommonJS, because an extension host loads nothing else. */
const inEditor = () => ({ ...test, entryPoints: globSync('test', /^test\/(editor|bench)\/(?!driven\/.*\.test\.ts$).*\.ts$/) });
/** The other tests share chunks, because hundreds of copies of the same modules take ten seconds to write. */
const outside = () => ({
  ...test,
  ...splitting,
  entryPoints: globSync('test', /^test\/(?!editor\/host\/).*\.test\.ts$|^test\/sprint\/(adopt-|pipeline-)?child\.ts$/),
});

await rm('dist', { recursive: true, force: true });
await Promise.all([build(shared), build(launcher), build(browserCommand), build(extension), build(webview)]);
await copySyntax('dist/syntax');
await cp('pipelines', 'dist/pipelines', { recursive: true });
for (const name of ['start', 'supplied', 'sprint'])
  await cp(join('examples', 'receipts', name), join('dist', 'example', name), {
    recursive: true,
    // The other ending and what the model was asked are for tests.
    filter: (file) => !/\.requests\.yaml$|otherwise\.yaml$/.test(file),
  });
await chmod('dist/cli.mjs', 0o755);
if (withTests) {
  await rm('out/test', { recursive: true, force: true });
  await Promise.all([build(outside()), build(inEditor())]);
}
if (withExample)
  await build({ ...node, ...besideDist, entryPoints: { example: 'scripts/example.ts', replay: 'scripts/replay.ts' }, outdir: 'out' });
if (withHonesty)
  await build({ ...node, ...besideDist, ...splitting, splitting: false, entryPoints: { honesty: 'test/honesty/main.ts' }, outdir: 'out' });
