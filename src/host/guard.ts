/**
 * The guard: a git hook of the person's repository that runs what sprints proved before each push. Only on their word; another hook is
 * never overwritten.
 */
import { chmod, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { goesOn } from '../engine/core/fold.ts';
import { quoted } from '../engine/ground/shell-quoted.ts';
import { InputError } from '../engine/ground/errors.ts';
import { unlessMissing } from './disk.ts';
import { inspectRepository } from './git/inspect.ts';
import { openGit } from './git/git.ts';
import { readSprint } from './sprint.ts';

export interface Loop {
  /** Node.js, and the built command line. */
  node: string;
  cli: string;
}

/** @returns what was done, in words. @throws InputError where it cannot be set, and nothing was changed. */
export async function setGuard(sprintDir: string, on: boolean, loop: Loop): Promise<string> {
  const { root, gitDir, gitCommonDir } = await inspectRepository(sprintDir);
  if (on) await refuseOwnHooks({ root, gitDir });
  const file = join(gitCommonDir, 'hooks', 'pre-push');
  const text = await guardIn(file);
  const line = lineOf(sprintDir);
  if (text === undefined)
    throw new InputError(`There is a hook of yours already: ${file}.`, `Add this line to it: ${commandOf(loop)} ${line}`);
  if (on) await requireOver(sprintDir);
  const others = text.split('\n').filter((one) => one.startsWith('verify ') && one !== line);
  const lines = on ? [...others, line] : others;
  if (lines.length === 0) {
    await rm(file, { force: true });
    return 'No push is guarded any more.';
  }
  await mkdir(join(gitCommonDir, 'hooks'), { recursive: true });
  await writeFile(file, hookOf(lines, loop));
  await chmod(file, 0o755);
  return on ? `Before each push the verifications of ${sprintDir} run now, by ${file}.` : `${sprintDir} is not guarded any more.`;
}

/** Empty where no hook is there; undefined for the person's own, which a link always is, and what cannot be read. */
async function guardIn(file: string): Promise<string | undefined> {
  const stat = await unlessMissing(lstat(file));
  if (!stat) return '';
  const text = stat.isFile() ? await readFile(file, 'utf8').catch(() => '') : '';
  return text.includes(mark) ? text : undefined;
}

const mark = '# Written by "loop guard"';

function hookOf(lines: readonly string[], loop: Loop): string {
  return `#!/bin/sh
${mark}: before a push it runs what sprints proved. "loop guard FOLDER off" takes one out.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
[ -f ${quoted(loop.cli)} ] || { echo 'Loop has moved: "loop guard FOLDER on" writes this hook anew, and removing it ends the guard.' >&2; exit 1; }
verify() {
  ${commandOf(loop)} verify "$1" </dev/null >&2 && return
  echo "Loop: what $1 proved does not hold on this checkout, so nothing was pushed. git push --no-verify pushes all the same." >&2
  exit 1
}
${lines.join('\n')}
`;
}

function lineOf(sprintDir: string): string {
  return `verify ${quoted(sprintDir)}`;
}

/** The editor's own program is Node.js with this variable. */
function commandOf({ node, cli }: Loop): string {
  return `ELECTRON_RUN_AS_NODE=1 ${quoted(node)} ${quoted(cli)}`;
}

/** A sprint that goes on is verified by itself; its work is not on the person's branch yet. */
async function requireOver(sprintDir: string): Promise<void> {
  const state = await readSprint(sprintDir);
  if (!state) throw new InputError(`No sprint was started in ${sprintDir}.`, 'Give the folder of one that was merged.');
  const how = state.ledger.finished?.how;
  if (goesOn(state) || (how !== 'merge' && how !== 'squash'))
    throw new InputError(
      `The sprint in ${sprintDir} is not merged: nothing of it is there to be kept.`,
      'Finish it with merge or squash first.',
    );
}

/** Hooks that lie elsewhere are often files of the repository. Git counts the last value; that of the command is Loop's own. */
async function refuseOwnHooks({ root, gitDir }: { root: string; gitDir: string }): Promise<void> {
  const ask = ['config', '--null', '--show-scope', '--get-all', 'core.hooksPath'];
  const fields = (await openGit({ folder: root, gitDir }).run(ask, { answers: [1] })).split('\0');
  const paths = fields.flatMap((scope, at) => (at % 2 === 0 && scope !== '' && scope !== 'command' ? [fields[at + 1] ?? ''] : []));
  const path = paths.at(-1);
  if (path !== undefined)
    throw new InputError(
      `The hooks of this repository lie in ${path}, by core.hooksPath.`,
      'Call "loop verify FOLDER" in the hook pre-push there.',
    );
}
