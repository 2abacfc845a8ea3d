/** Scripts and style sheets in a page. */
import type { Language } from './language.ts';
import { Source, type Range, type SourceTree } from './source-tree.ts';

type Embedded = Range & { language: Language };

export function embeddedIn(language: Language, text: string, tree: SourceTree): Embedded[] {
  if (language !== 'html') return [];
  const source = new Source(text, tree);
  return source.nodes.flatMap(({ type, parent, from, to }): Embedded[] => {
    if (type !== 'raw_text') return [];
    const holder = source.typeOf(parent);
    if (holder === 'style_element') return [{ language: 'css', from, to }];
    const [tag = -1] = source.childrenOf(parent);
    // A block of data, or a template, is no script.
    const kind = /\btype\s*=\s*["']?([^"'\s>]*)/i.exec(source.textOf(tag))?.[1] ?? '';
    return kind === '' || /javascript|module/i.test(kind) ? [{ language: 'javascript', from, to }] : [];
  });
}
