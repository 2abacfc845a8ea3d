/**
 * What is started inside: a shell command or a verification's script, always from a read-only file, by the interpreter of
 * its shebang, else of its extension. A program that cannot be run ends with 127, which never counts as red (design §6).
 */
import { Bug } from '../../engine/ground/errors.ts';
import type { Job } from '../../engine/work/job.ts';
import type { Mount } from './bubblewrap.ts';
import { interpretersOf, knownExtensions, STRIP_TYPES } from './interpreter.ts';
import { PROGRAM_DIR } from './layout.ts';

export interface Program {
  argv: string[];
  mounts: Mount[];
  env: Record<string, string>;
}

/** Python starts with what it finds here, not with what the tree calls `sitecustomize`; the tree's modules come last (I8). */
const PYTHON_DIR = `${PROGRAM_DIR}/python`;

const COMMAND = firstOf([['bash'], ['sh']]);

export function programOf(run: Job['run'], root: string): Program {
  if ('command' in run) {
    const path = `${PROGRAM_DIR}/command`;
    return { argv: ['sh', '-c', COMMAND, path], mounts: [{ kind: 'text', path, text: run.command }], env: {} };
  }
  const ext = run.ext.replace(/^\./, '');
  if (!/^[\w-]+$/.test(run.name)) throw new Bug(`"${run.name}" is no name of a script`);
  const path = `${PROGRAM_DIR}/${run.name}.${ext.replace(/[^A-Za-z0-9]+/g, '')}`;
  return {
    argv: [...argvOf(ext, run.script), path],
    mounts: [
      { kind: 'text', path, text: run.script },
      // Node resolves packages and the module kind from the script's own folder: let it find the tree's.
      { kind: 'link', path: `${PROGRAM_DIR}/node_modules`, target: `${root}/node_modules` },
      { kind: 'link', path: `${PROGRAM_DIR}/package.json`, target: `${root}/package.json` },
      { kind: 'text', path: `${PYTHON_DIR}/sitecustomize.py`, text: `import sys\nsys.path.append(${JSON.stringify(root)})\n` },
      { kind: 'text', path: `${PYTHON_DIR}/usercustomize.py`, text: '' },
    ],
    env: { PYTHONPATH: PYTHON_DIR },
  };
}

function argvOf(ext: string, script: string): string[] {
  const [command, ...others] = interpretersOf(ext, script, process.platform);
  if (!command) return unknown(ext);
  if (others.length > 0) return ['sh', '-c', firstOf([command, ...others])];
  return command.includes(STRIP_TYPES) ? ['sh', '-c', unlessOld(command)] : command;
}

/** Becomes the first command that is there, for the script that is its `$0`. */
function firstOf(commands: string[][]): string {
  const last = commands.length - 1;
  return commands
    .map(
      ([name = '', ...options], index) =>
        `${index < last ? `command -v ${name} >/dev/null 2>&1 && ` : ''}exec ${[name, ...options].join(' ')} "$0"`,
    )
    .join('; ');
}

function unlessOld(node: string[]): string {
  return `if ${node.join(' ')} -e 0 >/dev/null 2>&1; then
  exec ${node.join(' ')} "$0"
fi
echo "This Node.js ($(node --version 2>&1)) cannot run TypeScript; it needs 22.6 or newer. Write the verification as .mjs instead." >&2
exit 127`;
}

function unknown(ext: string): string[] {
  const words = `No interpreter is known for .${ext.replace(/[^A-Za-z0-9]+/g, '')}; use one of .${knownExtensions.join(' .')}, or a shebang.`;
  return ['sh', '-c', `echo "${words}" >&2; exit 127`];
}
