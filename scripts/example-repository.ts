/** Owns the fresh repository that an example sprint is run in: `npm start`, `npm run code` and the editor tests share it. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a person writes; all else in the example's `sprint/` belongs to the recorded model. */
const written = ['VISION.md', 'PRD.md'];

/**
 * Makes `repo`, with one commit of what a person would have. The recording lies beside the sprint so that the editor offers
 * it, and git does not see it: no worktree gets it, and it is no part of what is built.
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
