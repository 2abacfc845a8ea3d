/** The repository of the example pipeline, with its recording where the editor offers it. Git ignores that, so no worktree gets it. */
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

import { checkoutRoot } from '../provisioned.ts';
import { commitAll, git } from './greeter-folder.ts';

const example = path.join(checkoutRoot(), 'examples', 'pipeline');

export function pipelineFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(example, 'start'), folder, { recursive: true });
  git(folder, 'init', '--quiet', '--initial-branch=main');
  copyFileSync(path.join(example, 'recording.yaml'), path.join(folder, 'recording.yaml'));
  writeFileSync(path.join(folder, '.git', 'info', 'exclude'), '/recording.yaml\n');
  commitAll(folder);
}
