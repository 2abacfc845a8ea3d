/**
 * The program of one sandbox: a shell command or a verification's script. Both begin alike (`begin.ts`). A language that cannot
 * begin so runs from a read-only file. A program that cannot be run exits with 127, which never proves a verification.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Bug } from '../../engine/ground/errors.ts';
import type { Job } from '../../engine/work/job.ts';
import type { Mount } from './bubblewrap.ts';
import { scriptExtensions } from '../../engine/work/script-language.ts';
import { beginText, handedOver, type BegunLanguage } from './begin.ts';
import { begunLanguageOf, interpretersOf, stripTypes } from './interpreter.ts';
import { homeDir, programDir } from './layout.ts';
import { pythonFor, pythonInstalled } from './python-packages.ts';
import { pythonReachFile } from './reach.ts';
import type { Toolchains } from './toolchains.ts';

export interface Program {
  argv: string[];
  mounts: Mount[];
  env: Record<string, string>;
  /** What it reads from descriptor 5; left out where it runs from a file. */
  handed?: Handed;
}

export interface Handed {
  text: string;
  /** What it writes to descriptor 5 when it has reached its own end with status 0. */
  mark: string;
  /** Whether status 0 counts only with the mark. */
  judges: boolean;
}

/** Python loads start-up files from here and not from the tree, whose modules come last in the search path (I8). */
const pythonDir = `${programDir}/python`;
/** The same path whatever runs, so that what it starts cannot tell a verification from a command. */
const mainFile = `${programDir}/main`;

const shells = [['bash'], ['sh']];

export function programOf(run: Job['run'], root: string, toolchains: Toolchains): Program {
  if ('command' in run) return begun('shell', firstOf(shells, mainFile), { script: run.command, path: mainFile, judges: false, root });
  const ext = run.ext.replace(/^\./, '').replace(/[^A-Za-z0-9]+/g, '');
  if (!/^[\w-]+$/.test(run.name)) throw new Bug(`"${run.name}" is not a valid name of a script`);
  const path = `${programDir}/${run.name}.${ext}`;
  const commands = interpretersOf(ext, run.script, process.platform, pythonFor(root, toolchains));
  const language = begunLanguageOf(commands[0]);
  if (language) return begun(language, startOf(commands, language), { script: run.script, path, judges: true, root });
  return {
    argv: [...fromFile(ext, commands), path],
    mounts: [
      { kind: 'text', path, text: run.script },
      // Node looks for packages and the module type beside the script; these links lead it to the tree.
      { kind: 'link', path: `${programDir}/package.json`, target: `${root}/package.json` },
      ...commonMounts(root),
    ],
    env: { PYTHONPATH: pythonDir },
  };
}

function begun(
  language: BegunLanguage,
  argv: string[],
  { script, path, judges, root }: { script: string; path: string; judges: boolean; root: string },
): Program {
  const mark = randomUUID();
  return {
    argv,
    mounts: [{ kind: 'text', path: mainFile, text: beginText[language] }, ...commonMounts(root)],
    env: { PYTHONPATH: pythonDir },
    handed: { text: handedOver(script, { mark, root, path }), mark, judges },
  };
}

function commonMounts(root: string): Mount[] {
  return [
    { kind: 'link', path: `${programDir}/node_modules`, target: `${root}/node_modules` },
    ...pythonMounts(pythonStart(root)),
    ...userMounts(root),
  ];
}

/** Python starts without the variables, the user's packages and the folder that would let the tree speak first. */
const safely: Readonly<Record<BegunLanguage, readonly string[]>> = { shell: [], python: ['-I'], node: [] };

function startOf(commands: readonly string[][], language: BegunLanguage): string[] {
  const [command = [], ...others] = commands;
  return others.length > 0 ? firstOf(commands, mainFile) : [...command, ...safely[language], mainFile];
}

/** Python runs these two files first. The second one is empty, so that none of the tree's is taken. */
function pythonMounts(text: string): Mount[] {
  return [
    { kind: 'text', path: `${pythonDir}/sitecustomize.py`, text },
    { kind: 'text', path: `${pythonDir}/usercustomize.py`, text: '' },
  ];
}

/** A command that sets PYTHONPATH for what it starts still finds what was installed: the same file lies among the user's packages. */
function userMounts(root: string): Mount[] {
  const text = pythonStart(root);
  return pythonsOf(root).map((name) => ({ kind: 'text', path: `${homeDir}/.local/lib/${name}/site-packages/sitecustomize.py`, text }));
}

/** `python3.11`, where the tree's `.venv` is for that version. */
function pythonsOf(root: string): string[] {
  try {
    return readdirSync(join(root, '.venv', 'lib')).filter((name) => /^python3\.\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Every Python finds what was installed into the tree, after its own modules. */
function pythonStart(root: string): string {
  const reach = JSON.stringify(pythonReachFile);
  return `import os, sys
${pythonInstalled}
sys.path += installed(${JSON.stringify(root)})
if os.path.exists(${reach}):
    with open(${reach}) as text:
        exec(compile(text.read(), ${reach}, 'exec'), {'__name__': 'reach'})
`;
}

function fromFile(ext: string, [command]: readonly string[][]): string[] {
  if (!command) return unknown(ext);
  return command.includes(stripTypes) ? ['sh', '-c', unlessOld(command)] : command;
}

/** Shell text that becomes the first command that exists, with the script's path (`$0`) as its argument. */
function firstOf(commands: readonly string[][], path: string): string[] {
  const last = commands.length - 1;
  const words = commands.map(
    ([name = '', ...options], index) =>
      `${index < last ? `command -v ${name} >/dev/null 2>&1 && ` : ''}exec ${[name, ...options].join(' ')} "$0"`,
  );
  return ['sh', '-c', words.join('; '), path];
}

function unlessOld(node: string[]): string {
  return `if ${node.join(' ')} -e 0 >/dev/null 2>&1; then
  exec ${node.join(' ')} "$0"
fi
echo "This Node.js ($(node --version 2>&1)) cannot run TypeScript; it needs 22.6 or newer. Write the verification as .mjs instead." >&2
exit 127`;
}

function unknown(ext: string): string[] {
  const problem = `No interpreter is known for .${ext}; use one of .${scriptExtensions.join(' .')}, or a shebang.`;
  return ['sh', '-c', `echo "${problem}" >&2; exit 127`];
}
