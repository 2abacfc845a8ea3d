/**
 * The program of one sandbox: a shell command or a verification's script, always started from a read-only file. A program that
 * cannot be run exits with 127, which never proves a verification.
 */
import { Bug } from '../../engine/ground/errors.ts';
import type { Job } from '../../engine/work/job.ts';
import type { Mount } from './bubblewrap.ts';
import { scriptExtensions } from '../../engine/work/script-language.ts';
import { interpretersOf, stripTypes } from './interpreter.ts';
import { programDir } from './layout.ts';

export interface Program {
  argv: string[];
  mounts: Mount[];
  env: Record<string, string>;
}

/** Python loads start-up files from here and not from the tree, whose modules come last in the search path (I8). */
const pythonDir = `${programDir}/python`;

const commandShell = firstOf([['bash'], ['sh']]);

export function programOf(run: Job['run'], root: string): Program {
  if ('command' in run) {
    const path = `${programDir}/command`;
    const mounts: Mount[] = [{ kind: 'text', path, text: run.command }, ...pythonMounts(pythonStart(root))];
    return { argv: ['sh', '-c', commandShell, path], mounts, env: { PYTHONPATH: pythonDir } };
  }
  const ext = run.ext.replace(/^\./, '');
  if (!/^[\w-]+$/.test(run.name)) throw new Bug(`"${run.name}" is not a valid name of a script`);
  const path = `${programDir}/${run.name}.${ext.replace(/[^A-Za-z0-9]+/g, '')}`;
  return {
    argv: [...argvOf(ext, run.script), path],
    mounts: [
      { kind: 'text', path, text: run.script },
      // Node looks for packages and the module type beside the script; these links lead it to the tree.
      { kind: 'link', path: `${programDir}/node_modules`, target: `${root}/node_modules` },
      { kind: 'link', path: `${programDir}/package.json`, target: `${root}/package.json` },
      ...pythonMounts(`${pythonStart(root)}sys.path.append(${JSON.stringify(root)})\n`),
    ],
    env: { PYTHONPATH: pythonDir },
  };
}

/** Python runs these two files first. The second one is empty, so that none of the tree's is taken. */
function pythonMounts(text: string): Mount[] {
  return [
    { kind: 'text', path: `${pythonDir}/sitecustomize.py`, text },
    { kind: 'text', path: `${pythonDir}/usercustomize.py`, text: '' },
  ];
}

/**
 * Every Python finds what was installed into the tree's `.venv` for its version, after its own modules. Files that Python would
 * run at its start (`.pth`) are not read there, because the work could write one (I8).
 */
function pythonStart(root: string): string {
  const folder = `${root}/.venv/lib/python`;
  return `import sys\nsys.path.append(${JSON.stringify(folder)} + '%d.%d/site-packages' % sys.version_info[:2])\n`;
}

function argvOf(ext: string, script: string): string[] {
  const [command, ...others] = interpretersOf(ext, script, process.platform);
  if (!command) return unknown(ext);
  if (others.length > 0) return ['sh', '-c', firstOf([command, ...others])];
  return command.includes(stripTypes) ? ['sh', '-c', unlessOld(command)] : command;
}

/** Shell text that becomes the first command that exists, with the script's path (`$0`) as its argument. */
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
  const problem = `No interpreter is known for .${ext.replace(/[^A-Za-z0-9]+/g, '')}; use one of .${scriptExtensions.join(' .')}, or a shebang.`;
  return ['sh', '-c', `echo "${problem}" >&2; exit 127`];
}
