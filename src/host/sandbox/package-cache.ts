/**
 * The package cache of a sprint: what npm downloaded for the worktree, so that no other checkout downloads it again. Only a download
 * that runs nothing of the work writes it; an install, whose scripts are the work's, gets a view. So no work can put something else
 * in a package's place (I8).
 */
import { mkdirSync } from 'node:fs';
import type { Job } from '../../engine/work/job.ts';
import type { Mount } from './bubblewrap.ts';
import type { RunnerOptions } from './options.ts';
import type { View } from './view.ts';

/** Where a job sees it. */
const cacheDir = '/tmp/packages';

/** The folder of the host; undefined where the job sees none. */
export function packageFolder({ packages }: Pick<RunnerOptions, 'packages'>, job: Job): string | undefined {
  if (!job.packages || packages === undefined) return undefined;
  mkdirSync(packages, { recursive: true, mode: 0o700 });
  return packages;
}

/** @param view of the folder, where the job gets only that. */
export function packageMounts(folder: string | undefined, view: View | undefined): Mount[] {
  return folder === undefined ? [] : [{ kind: 'write', path: cacheDir, from: view?.copy ?? folder }];
}

export function packageVariables(folder: string | undefined, job: Job): Record<string, string> {
  if (folder === undefined) return {};
  return { npm_config_cache: cacheDir, ...(job.packages === 'use' ? { npm_config_prefer_offline: 'true' } : {}) };
}
