/** The author of Loop's commits: the person if git knows name and address, else Loop. Git never asks and never guesses. */
import type { Git } from './git.ts';

/** Settings for one `commit` call, as values: a scratch checkout lies where the conditions of an `includeIf` do not hold. */
export async function identity(git: Git): Promise<string[]> {
  const set = await git.list(['config', '-z', '--get-regexp', '^user\\.(name|email)$'], { answers: [1] });
  // The last value of a key counts.
  const values = new Map(set.map((entry) => [entry.slice(0, entry.indexOf('\n')), entry.slice(entry.indexOf('\n') + 1)]));
  const [name, email] = [values.get('user.name'), values.get('user.email')];
  return name && email ? [`user.name=${name}`, `user.email=${email}`] : ['user.name=Loop', 'user.email=loop@localhost'];
}
