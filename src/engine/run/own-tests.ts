/** The work's own tests, as files and in files, changed so that they do nothing. */
import type { Syntax } from '../ports.ts';
import { mayHoldTests, silencedTests, withoutTests } from '../prove/own-tests.ts';
import type { Files } from './files.ts';

export async function silentTests(syntax: Syntax, files: Readonly<Files>): Promise<Files> {
  const silent: Files = silencedTests(files);
  for (const [path, text] of Object.entries(files)) {
    const language = mayHoldTests(path, text);
    if (language === undefined || path in silent) continue;
    const tree = await syntax.parse(language, text);
    const now = tree && withoutTests(language, text, tree);
    if (now !== undefined) silent[path] = now;
  }
  return silent;
}
