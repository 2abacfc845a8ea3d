/**
 * The program of a sandbox reads its script from descriptor 5 and runs it in its own interpreter. So the script is in no file and
 * on no command line: what it starts cannot read it. Descriptor 5 is a socket, which cannot be reopened through /proc, and what
 * the script starts does not get it. When the script reached its own end with status 0, the mark that came with it is written
 * there: status 0 without the mark is not the script's (I8, docs/proof.md).
 *
 * Work that runs inside of the script's own process could forge the mark. There this only makes it harder.
 */
import type { ScriptLanguage } from '../../engine/work/script-language.ts';
import { beginNode } from './begin-node.ts';
import { beginPython } from './begin-python.ts';

/** TypeScript runs from a file: only newer versions of Node.js can run its text. */
export type BegunLanguage = Exclude<ScriptLanguage, 'typescript'>;

/** Begins the first line that counts: lines before it are the host's word to the supervisor of services. */
const firstSign = '[';

/** What is written to descriptor 5. @param path under which the script knows itself; there is no such file. */
export function handedOver(script: string, { mark, root, path }: { mark: string; root: string; path: string }): string {
  return `\n${[firstSign + mark, root, path, script].join('\n')}`;
}

/**
 * In one line, so that the shell counts the script's lines from 1. A subshell runs it, so the mark and descriptor 5 stay outside.
 * Where bash knows who calls `exit`, a file of the work that the script sources cannot end it with status 0.
 */
const shell = [
  "while IFS= read -r mark <&5; do case $mark in '['*) break ;; esac; done",
  'mark=${mark#?}; read -r text <&5; read -r text <&5',
  'text=$(cat <&5)',
  'if [ -n "${BASH_VERSION-}" ]; then eval \'exit() { set -- "$?" "$@"; case ${BASH_SOURCE[1]-} in "$0" | "") builtin exit "${2-$1}" ;; ' +
    '*) echo "[loop: ${BASH_SOURCE[1]} ended the script that sourced it]" >&2; builtin exit 125 ;; esac; }\'; fi',
  // The shell's own word on a killed subshell comes or does not come: it is nobody's output.
  '{ ( exec 2>&4 4>&- 5>&-; unset mark; eval "$text" ); code=$?; } 4>&2 2>/dev/null',
  'if [ "$code" = 0 ]; then echo "$mark" >&5; fi',
  'command exit "$code"',
].join('; ');

export const beginText: Readonly<Record<BegunLanguage, string>> = { shell: `${shell}\n`, python: beginPython, node: beginNode };
