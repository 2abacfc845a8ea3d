/**
 * For a bundle in which `swap` (test/support/swap.ts) may put another function in the place of any that the engine exports: each
 * leaves the way to do that behind. What is shipped is not built with it.
 */
import { readFile } from 'node:fs/promises';

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
