/** Judges a mutant that QC offers, with the file's comments found by its parser. */
import type { Syntax } from '../ports.ts';
import { isSameCode, type Commented } from '../prove/comments.ts';
import { languageOf } from '../prove/language.ts';
import { mutated, offerProblem } from '../prove/offered.ts';
import { commentsOf } from '../prove/source-tree.ts';
import type { OfferedMutant, Script } from '../work/verification.ts';

type Change = Pick<OfferedMutant, 'path' | 'before' | 'after'>;

/** As `offerProblem`. */
export async function problemOfOffer(
  syntax: Syntax,
  change: Change,
  text: string | undefined,
  about: Pick<Script, 'red'> & { commits: readonly string[] },
): Promise<string | undefined> {
  const now = text === undefined ? undefined : mutated(text, change);
  const same = text !== undefined && now !== undefined && (await isSame(syntax, change.path, text, now));
  return offerProblem(change, text, { ...about, same });
}

/** Whether two texts of a file differ only in comments and white space. */
export async function isSame(syntax: Syntax, path: string, before: string, after: string): Promise<boolean> {
  return isSameCode(path, await commented(syntax, path, before), await commented(syntax, path, after));
}

async function commented(syntax: Syntax, path: string, text: string): Promise<Commented> {
  const language = languageOf(path, text);
  const tree = language && (await syntax.parse(language, text));
  return { text, comments: tree && commentsOf(tree) };
}
