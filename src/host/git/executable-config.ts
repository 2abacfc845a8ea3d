/**
 * A repository's configuration can name programs that git runs when it reads or writes files. `call.ts` switches most of them
 * off. Filters and drivers cannot be switched off, so a repository with one is refused (I10). The person's own configuration
 * for all repositories is trusted.
 */
import { InputError } from '../../engine/ground/errors.ts';
import type { Git } from './git.ts';

/** Keys as git prints them: section and variable in lower case, the part between them unchanged. */
const executable = [
  /^filter\..*\.(clean|smudge|process)$/s,
  /^diff\.external$/,
  /^diff\..*\.(command|textconv)$/s,
  /^merge\..*\.driver$/s,
  /^core\.(sshcommand|gitproxy|alternaterefscommand)$/,
  /^remote\..*\.(uploadpack|receivepack|vcs)$/s,
  /^protocol\.ext\.allow$/,
  /^trailer\..*\.(command|cmd)$/s,
];
/** The values that `git lfs install --local` sets. */
const lfs = /^git-lfs (clean -- %f|smudge( --skip)? -- %f|filter-process( --skip)?)$/;

/** @throws InputError with the first such key, its file, and how to remove it. */
export async function refuseExecutableConfig(git: Git): Promise<void> {
  const fields = await git.list(['config', '--list', '-z', '--show-scope', '--show-origin', '--includes']);
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope = '', origin = '', entry = ''] = fields.slice(at, at + 3);
    if (scope !== 'local' && scope !== 'worktree') continue;
    const [key = '', ...value] = entry.split('\n');
    if (!executable.some((pattern) => pattern.test(key))) continue;
    if (key.startsWith('filter.lfs.') && lfs.test(value.join('\n'))) continue;
    const file = origin.replace(/^file:/, '');
    throw new InputError(
      `The repository's configuration ${file} sets "${key}", a program that git would run on files that an agent writes.`,
      `If you trust it, move it to your own configuration (git config --global); otherwise remove it: git config --file "${file}" --unset-all ${key}`,
    );
  }
}
