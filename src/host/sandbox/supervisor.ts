/**
 * The shell that starts services inside a sandbox, asks them whether they are ready, and then runs the program. It runs in
 * bash where there is one, else in any POSIX shell; it asks by curl, else by bash's own sockets, else by nc.
 *
 * Descriptor 5 is the socket to the host. It is closed for everything that is started here, and a socket cannot be opened
 * anew through /proc, so what is said on it is the supervisor's word.
 */

import { holdsOn } from '../../engine/services/service-words.ts';

/** Runs a file of shell lines, in bash where there is one. */
const SHELL = 'command -v bash >/dev/null 2>&1 && exec bash "$0" "$@"; exec sh "$0" "$@"';

/** Becomes the supervisor of these lines, with the program's own words behind it. */
export function supervisorArgv(path: string, program: readonly string[]): string[] {
  return ['sh', '-c', SHELL, path, ...program];
}

/** @param lines calls of `free` and `keep`, and the function `tell_all`. */
export function supervisorText(lines: readonly string[]): string {
  return [functions, ...lines, rest].join('\n');
}

/** A word as any shell reads it back. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Bytes of a service's log that are kept, and that are told. */
const LOG_BLOCKS = 4096;
const TOLD_BYTES = 16_000;

const functions = String.raw`
logs=/tmp/services
mkdir -p "$logs"
keepers=
trap 'exit 1' TERM
shell=${quoted(SHELL)}

say() { printf '%s\n' "$*" >&5; }

tell() { { tail -c ${TOLD_BYTES} "$logs/$1.log" 2>/dev/null; echo; } | sed "s/^/log $2 /" >&5; }

die() {
  sleep 0.1
  tell "$1" "$2"
  say "dead $2 $3 $4"
  kill -TERM $$
  exit 1
}

bounded() {
  if command -v timeout >/dev/null 2>&1; then timeout 5 "$@"; else "$@"; fi
}

fetch() {
  if command -v curl >/dev/null 2>&1; then
    case $(curl -q -s -o /dev/null -m 5 --noproxy '*' -w '%{http_code}' "$4" 2>/dev/null) in [23]??) return 0 ;; esac
    return 1
  fi
  bounded bash -c '
    exec 3<>"/dev/tcp/$0/$1" || exit 1
    printf "GET %s HTTP/1.0\r\nHost: %s:%s\r\n\r\n" "$2" "$0" "$1" >&3
    IFS= read -r line <&3
    case $line in HTTP/*" "[23]??*) exit 0 ;; esac
    exit 1' "$1" "$2" "$3" 2>/dev/null
}

reach() {
  if command -v bash >/dev/null 2>&1; then bounded bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$1" "$2" 2>/dev/null
  else nc -z -w 5 "$1" "$2" 2>/dev/null; fi
}

hold() {
  if command -v bash >/dev/null 2>&1; then bash -c ${quoted(holdsOn)} "$1" "$2" 2>/dev/null
  else reach "$1" "$2"; fi
}

ask() {
  case $1 in
    http) fetch "$2" "$3" "$4" "$5" ;;
    tcp) reach "$2" "$3" ;;
    forwarded) hold "$2" "$3" ;;
    command) bounded sh -c "$shell" "$2" >/dev/null 2>&1 </dev/null ;;
  esac
}

free() {
  index=$1 name=$2
  shift 2
  if ask "$@" 5>&-; then die "$index" "$name" taken -; fi
}

alive() {
  while read -r key state _; do
    if [ "$key" = State: ]; then
      case $state in [ZX]) return 1 ;; *) return 0 ;; esac
    fi
  done 2>/dev/null <"/proc/$1/status"
  return 1
}

in_background() { grep -qs "LOOP_SERVICE=$1:" /proc/[0-9]*/environ; }

capture() {
  { (ulimit -f ${LOG_BLOCKS}; exec cat >"$1.log"); exec cat >/dev/null; } <"$1.out" 2>/dev/null
}

keep() {
  index=$1 name=$2 limit=$3 file=$4
  shift 4
  pid=
  end=$(($(date +%s) + limit + 1))
  if [ "$file" != - ]; then
    mkfifo -m 600 "$logs/$index.out"
    capture "$logs/$index" 5>&- &
    LOOP_SERVICE="$index:$name" sh -c "$shell" "$file" >"$logs/$index.out" 2>&1 </dev/null 5>&- &
    pid=$!
  fi
  while :; do
    ready=
    if ask "$@" 5>&-; then ready=1; fi
    if [ -n "$pid" ] && ! alive "$pid"; then
      wait "$pid"
      code=$?
      pid=
      if [ "$code" -ne 0 ] || ! in_background "$index"; then die "$index" "$name" exited "$code"; fi
    fi
    if [ -n "$ready" ]; then break; fi
    if [ "$file" = - ]; then die "$index" "$name" refused -; fi
    if [ "$(date +%s)" -ge "$end" ]; then die "$index" "$name" not-ready -; fi
    sleep 0.1
  done
  say "up $name"
}
`;

const rest = String.raw`
for keeper in $keepers; do wait "$keeper" || exit 1; done
trap - TERM
say ready
"$@" 5>&-
code=$?
if [ "$code" -ne 0 ]; then
  sleep 0.1
  tell_all
fi
exit "$code"
`;
