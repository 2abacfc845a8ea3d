/**
 * The program of a sandbox reads its script from descriptor 5 and runs it in its own interpreter. So the script is in no file and
 * on no command line: what it starts cannot read it. Descriptor 5 is a socket, which cannot be reopened through /proc, and what
 * the script starts does not get it. When the script reached its own end with status 0, the mark that came with it is written
 * there: status 0 without the mark is not the script's (I8, docs/proof-judged-work.md).
 *
 * Work that runs inside of the script's own process could forge the mark. There this only makes it harder.
 */
import type { ScriptLanguage } from '../../engine/work/script-language.ts';
import { beginNode } from './begin-node.ts';
import { beginPython } from './begin-python.ts';
import { quoted } from '../../engine/ground/shell-quoted.ts';

/** TypeScript runs from a file: only newer versions of Node.js can run its text. */
export type BegunLanguage = Exclude<ScriptLanguage, 'typescript'>;

/** What is written to descriptor 5. @param path under which the script knows itself; there is no such file. */
export function handedOver(script: string, { mark, root, path }: { mark: string; root: string; path: string }): string {
  return [mark, root, path, script].join('\n');
}

/** Names that a script trusts, and that a file of the work which it sources could take. */
const trusted = "'[' test true false echo printf read grep diff cmp cat sed awk wc";

/** A status that says so: the script came to its end with 0, and its shell still ran what stands there. */
const reached = 213;

/**
 * Where bash knows who calls `exit`, a file of the work that the script sources cannot end it with status 0. Nor does status 0
 * count where such a file took a name that the script trusts, or set how bash compares and what words mean. What it left for the
 * script's end is not run.
 */
const bashExit = [
  'exit() { set -- "$?" "$@"; set -- "${2-$1}"',
  'if ! [[ $text =~ (^|[[:cntrl:]\\;\\&\\|\\(\\{]|then|do|else)[[:blank:]]*trap[[:space:]] ]]; then builtin trap - EXIT; fi',
  'case ${BASH_SOURCE[1]-} in "$0" | "") ;; *) builtin echo "[loop: ${BASH_SOURCE[1]} ended the script that sourced it]" >&2; builtin exit 125 ;; esac',
  'case $1 in 0) for __option in nocasematch expand_aliases',
  'do if builtin shopt -q "$__option" && ! [[ $text =~ (^|[[:cntrl:]\\;\\&\\|\\(\\{])[[:blank:]]*(builtin[[:blank:]]+)?shopt[[:blank:]][^[:cntrl:]]*$__option ]]; then ' +
    'builtin echo "[loop: the work set $__option in the process of the script]" >&2; builtin exit 125; fi; done',
  'builtin shopt -s extdebug',
  `__taken=$(builtin declare -F -- ${trusted}) || builtin :`,
  'while builtin read -r __line; do case $__line in "" | *" environment" | *" $0") ;; ' +
    '*) builtin echo "[loop: the work changed ${__line%% *} in the process of the script]" >&2; builtin exit 125 ;; esac; done <<<"$__taken" ;; esac',
  // A trap of the script's own has to see the status as it is.
  `case $BASH_SUBSHELL:$1:$(builtin trap -p EXIT) in 1:0:) builtin exit ${reached} ;; 1:${reached}:*) builtin exit 125 ;; esac`,
  'builtin exit "$1"; }',
].join('; ');

/** Another program in the shell's place, a trap, and an `exit` that is not the function say nothing of that kind. */
const bashEnd =
  `case $code in ${reached}) code=0 ;; 0) if ! [[ $text =~ (^|[[:cntrl:][:blank:]\\;\\&\\|\\(\\{])(exec|trap|builtin|command|unset|posix)[[:space:]\\;] ]]; then ` +
  'code=125; echo "[loop: the script did not come to its end]" >&2; fi ;; esac';

/** In its POSIX mode, as `sh`, bash lets nobody define `exit`. */
const isBash = 'case ${BASH_VERSION:+bash}:${SHELLOPTS-} in bash:*posix* | :*) false ;; esac';

/** In one line, so that the shell counts the script's lines from 1. A subshell runs it, so the mark and descriptor 5 stay outside. */
const shell = [
  'read -r mark <&5; read -r text <&5; read -r text <&5',
  'text=$(cat <&5)',
  `if ${isBash}; then eval ${quoted(bashExit)}; fi`,
  // With -e the outer shell would end where the script does.
  'begun=$-; set +e',
  // The shell's own word on a killed subshell comes or does not come: it is nobody's output.
  '{ ( exec 2>&4 4>&- 5>&-; case $begun in *e*) set -e ;; esac; unset mark begun; eval "$text"; exit ); code=$?; } 4>&2 2>/dev/null',
  `if ${isBash}; then eval ${quoted(bashEnd)}; fi`,
  'if [ "$code" = 0 ]; then echo "$mark" >&5; fi',
  'command exit "$code"',
].join('; ');

export const beginText: Readonly<Record<BegunLanguage, string>> = { shell: `${shell}\n`, python: beginPython, node: beginNode };
