/**
 * What is started inside: a shell command or a verification's script, always from a read-only file, by the interpreter of
 * its shebang, else of its extension. A program that cannot be run ends with 127, which never counts as red (design §6).
 */
import type { Job } from '../../engine/ports.ts';
import type { Mount } from './bubblewrap.ts';
import { PROGRAM_DIR } from './layout.ts';

export interface Program {
  argv: string[];
  mounts: Mount[];
  env: Record<string, string>;
}

/** Python starts with what it finds here, not with what the tree calls `sitecustomize`; the tree's modules come last (I8). */
const PYTHON_DIR = `${PROGRAM_DIR}/python`;

const SHELL = 'command -v bash >/dev/null 2>&1 && exec bash "$0"; exec sh "$0"';
const TYPESCRIPT = `if node --experimental-strip-types -e 0 >/dev/null 2>&1; then
  exec node --experimental-strip-types --disable-warning=ExperimentalWarning "$0"
fi
echo "This Node.js ($(node --version 2>&1)) cannot run TypeScript; it needs 22.6 or newer. Write the verification as .mjs instead." >&2
exit 127`;

const INTERPRETERS: Record<string, string[]> = {
  sh: ['sh', '-c', SHELL],
  py: ['python3'],
  js: ['node'],
  mjs: ['node'],
  cjs: ['node'],
  ts: ['sh', '-c', TYPESCRIPT],
};

export function programOf(run: Job['run'], root: string): Program {
  if ('command' in run) {
    const path = `${PROGRAM_DIR}/command`;
    return { argv: ['sh', '-c', SHELL, path], mounts: [{ kind: 'text', path, text: run.command }], env: {} };
  }
  const ext = run.ext.replace(/^\./, '');
  const path = `${PROGRAM_DIR}/${run.name.replace(/[^A-Za-z0-9_-]+/g, '-')}.${ext.replace(/[^A-Za-z0-9]+/g, '')}`;
  return {
    argv: [...(fromShebang(run.script) ?? INTERPRETERS[ext] ?? unknown(ext)), path],
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

/** As the kernel reads it: the interpreter, and all the rest of the line as one argument. */
function fromShebang(script: string): string[] | undefined {
  const [, interpreter, argument] = /^#![ \t]*(\S+)(?:[ \t]+([^\r\n]*?))?[ \t]*(?:\r?\n|$)/.exec(script) ?? [];
  if (interpreter === undefined) return undefined;
  return argument ? [interpreter, argument] : [interpreter];
}

function unknown(ext: string): string[] {
  const words = `No interpreter is known for .${ext.replace(/[^A-Za-z0-9]+/g, '')}; use one of .${Object.keys(INTERPRETERS).join(' .')}, or a shebang.`;
  return ['sh', '-c', `echo "${words}" >&2; exit 127`];
}
