/**
 * Scratch checkouts of the person's checkout as it is, with what they have not committed. Theirs is only read: what differs is
 * staged in an index of its own, whose objects nothing refers to. Ignored files, and new ones whose names say that they hold a
 * key, are left out.
 */
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { looksSecret } from '../../engine/ground/secret-names.ts';
import { InputError } from '../../engine/ground/errors.ts';
import { writeExcludes } from './excludes.ts';
import { openGit, type Git } from './git.ts';
import { removeFolder } from './remove-folder.ts';
import type { Checkout, SprintRepo } from './repo.ts';
import { age, withScratch } from './scratch.ts';
import { stageAll } from './staging.ts';
import { commitOf } from './worktree.ts';

/** @returns checkouts of the tree as it is now. @throws InputError where there is no commit. */
export async function ownCheckout(repo: SprintRepo): Promise<Checkout> {
  await writeExcludes(repo.scratches.excludes, repo.personal);
  const head = await commitOf(repo.personal, 'HEAD');
  if (head === undefined) throw new InputError('Your checkout has no commit.', 'Commit what is there, then try again.');
  const tree = await treeAsItIs(repo, head);
  return (use) =>
    withScratch(repo.scratches, head, async (git) => {
      await git.run(['read-tree', '--reset', '-u', tree]);
      await age(git);
      await repo.inputs.putInto(git.at.folder);
      return use({ scratch: git.at.folder });
    });
}

async function treeAsItIs({ options, scratches, personal }: SprintRepo, head: string): Promise<string> {
  const gitDir = join(options.state, `index-${randomUUID().slice(0, 8)}`);
  await mkdir(gitDir, { recursive: true, mode: 0o700 });
  try {
    await writeFile(join(gitDir, 'HEAD'), `${head}\n`);
    await writeFile(join(gitDir, 'commondir'), `${scratches.gitCommonDir}\n`);
    const git = openGit({ ...personal.at, gitDir, excludes: scratches.excludes });
    await git.run(['read-tree', 'HEAD']);
    await skipAbsent(personal, git);
    const added = await git.list(['ls-files', '-z', '-o', '--exclude-standard', '--', ':(top)']);
    await stageAll(git, added.filter(looksSecret));
    return (await git.run(['write-tree'])).trim();
  } finally {
    await removeFolder(gitDir);
  }
}

/** What a sparse checkout leaves out is not deleted. What lies there although git skips it is the person's, as all else. */
async function skipAbsent(personal: Git, git: Git): Promise<void> {
  const skipped = (await personal.list(['ls-files', '-t', '-z'])).filter((entry) => entry.startsWith('S ')).map((entry) => entry.slice(2));
  if (skipped.length === 0) return;
  const committed = new Set(await git.list(['ls-files', '-z']));
  const absent: string[] = [];
  for (const path of skipped.filter((one) => committed.has(one)))
    if (!(await lstat(join(git.at.folder, path)).catch(() => undefined))) absent.push(path);
  const input = absent.map((path) => `${path}\0`).join('');
  if (input !== '') await git.run(['update-index', '--skip-worktree', '-z', '--stdin'], { input });
}
