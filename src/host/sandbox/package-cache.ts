/**
 * The package cache of a sprint: what package managers downloaded for the worktree, so that a scratch checkout downloads nothing a
 * second time. An install in another checkout sees a view of it, so no checkout can write into another one's packages.
 */
import { mkdirSync } from 'node:fs';
import type { Job } from '../../engine/work/job.ts';
import type { Mount } from './bubblewrap.ts';
import type { RunnerOptions } from './options.ts';
import type { View } from './view.ts';

/** Where an install sees it. */
const cacheDir = '/tmp/packages';

/** The folder that a job's install reads and writes; undefined where it has none. */
export function packageFolder({ packages }: Pick<RunnerOptions, 'packages'>, job: Job): string | undefined {
  if (!job.install || packages === undefined) return undefined;
  mkdirSync(packages, { recursive: true, mode: 0o700 });
  return packages;
}

/** Whether a job gets only a view of it. */
export function isViewed(job: Job): boolean {
  return job.at !== 'worktree';
}

/** @param view of the folder, where the job gets only that. */
export function packageMounts(folder: string | undefined, view: View | undefined): Mount[] {
  return folder === undefined ? [] : [{ kind: 'write', path: cacheDir, from: view?.copy ?? folder }];
}

/** Variables by which package managers use it. */
export function packageVariables(folder: string | undefined, job: Job): Record<string, string> {
  if (folder === undefined) return {};
  return {
    ...Object.fromEntries(Object.entries(caches).map(([name, part]) => [name, `${cacheDir}/${part}`])),
    // A link out of the cache would be one into the checkout.
    UV_LINK_MODE: 'copy',
    ...(isViewed(job) ? { npm_config_prefer_offline: 'true' } : {}),
  };
}

const caches = {
  npm_config_cache: 'npm',
  npm_config_store_dir: 'pnpm',
  YARN_CACHE_FOLDER: 'yarn',
  BUN_INSTALL_CACHE_DIR: 'bun',
  PIP_CACHE_DIR: 'pip',
  UV_CACHE_DIR: 'uv',
  POETRY_CACHE_DIR: 'poetry',
  COMPOSER_CACHE_DIR: 'composer',
  BUNDLE_USER_CACHE: 'bundler',
};
