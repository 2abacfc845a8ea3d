/** The parser and its grammars are loaded from files, when they are needed (docs/decisions/0028). */
import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** @param folder beside the bundle that loads them */
export async function copySyntax(folder) {
  const require = createRequire(import.meta.url);
  const most = join(dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm');
  const files = [
    require.resolve('web-tree-sitter/web-tree-sitter.wasm'),
    require.resolve('@lumis-sh/wasm-html/tree-sitter-html.wasm'),
    require.resolve('@lumis-sh/wasm-kotlin/tree-sitter-kotlin.wasm'),
    ...'bash c-sharp cpp css go java javascript php python ruby rust tsx typescript'
      .split(' ')
      .map((name) => join(most, `tree-sitter-${name}.wasm`)),
  ];
  await mkdir(folder, { recursive: true });
  for (const file of files) await copyFile(file, join(folder, basename(file)));
}
