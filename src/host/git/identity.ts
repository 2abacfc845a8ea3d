/** Who a commit of Loop is by: the person if git knows them, Loop otherwise; git never asks and never guesses. */
import type { Git } from './git.ts';

/** Settings for one `commit` call. */
export async function identity(git: Git): Promise<string[]> {
  const [name, email] = await Promise.all(['user.name', 'user.email'].map((key) => valueOf(git, key)));
  return name !== '' && email !== '' ? [] : ['user.name=Loop', 'user.email=loop@localhost'];
}

/** A setting's value, empty if unset. */
export async function valueOf(git: Git, key: string, type: 'string' | 'path' = 'string'): Promise<string> {
  const typed = type === 'path' ? ['--type=path'] : [];
  return (await git.run(['config', ...typed, '--get', key], { answers: [1] })).replace(/\n$/, '');
}
