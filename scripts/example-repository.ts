/** Creates the repository for an example sprint, for `npm start`, `npm run code` and the editor tests. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that a person writes; everything else in the example's `sprint/` belongs to the recorded model. */
const written = ['VISION.md', 'PRD.md'];

/**
 * Creates `repo` with one commit of what a person would have. The recording is beside the sprint, so that the editor offers it.
 * Git ignores it, so no worktree gets it.
 */
export function exampleRepository(example: string, repo: string): void {
  mkdirSync(repo, { recursive: true });
  cpSync(join(example, 'start'), repo, { recursive: true });
  cpSync(join(example, 'sprint'), join(repo, 'sprint'), { recursive: true });
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: repo, stdio: ['ignore', 'ignore', 'pipe'] });
  git('init', '--quiet', '--initial-branch=main');
  const recorded = readdirSync(join(example, 'sprint')).filter((name) => !written.includes(name));
  writeFileSync(join(repo, '.git', 'info', 'exclude'), recorded.map((name) => `/sprint/${name}\n`).join(''));
  git('add', '--all');
  git('-c', 'user.name=You', '-c', 'user.email=you@localhost', 'commit', '--quiet', '--message=First commit');
}
