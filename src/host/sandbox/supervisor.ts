/**
 * The shell script that starts services inside a sandbox, one after the other, probes each until it is ready, and then runs the
 * program. It runs in bash where there is one, else in any POSIX shell. It probes with curl, else with bash's own sockets, else with nc.
 *
 * Descriptor 5 is the socket to the host. It is closed in every service and probe, and a socket cannot be reopened through /proc.
 * So only the supervisor can write to it, and the program, which reads its script there (`begin.ts`). On descriptor 6 the host
 * tells how many seconds the machine gave the services that start: limits count that time.
 */

import { holdsOn } from '../../engine/services/holds-on.ts';
import { quoted } from '../../engine/ground/shell-quoted.ts';

/** Shell text that runs the file `$0` in bash where there is one. */
const inShell = 'command -v bash >/dev/null 2>&1 && exec bash "$0" "$@"; exec sh "$0" "$@"';

/** The arguments that start the supervisor. @param path of the supervisor's text, inside. */
export function supervisorArgv(path: string, program: readonly string[]): string[] {
  return ['sh', '-c', inShell, path, ...program];
}

/**
 * @param lines calls of `require_free` and `bring_up`, and the function `send_all_logs`.
 * @param begins whether the program reads its script from descriptor 5, and closes it.
 * @param lingers seconds that the services go on when it has ended.
 */
export function supervisorText(lines: readonly string[], { begins, lingers }: { begins: boolean; lingers: number }): string {
  return [functions, 'keep_time &', 'keeper=$!', ...lines, rest(begins ? '"$@" 6<&-' : '"$@" 5>&- 6<&-', lingers)].join('\n');
}

/** A log is kept in parts of so many reads of so many bytes: the last three. */
const part = { reads: 256, bytes: 4096 };
/** How much of it is reported to the host, in bytes. */
const reportedBytes = 16_000;

const functions = String.raw`
logs=/tmp/services
mkdir -p "$logs"
# Nobody writes to it, and it never ends: development servers take the end of their input for the end of whoever called them.
mkfifo -m 600 "$logs/input"
shell=${quoted(inShell)}

report() { printf '%s\n' "$*" >&5; }

send_log() { { cat "$logs/$1.older" "$logs/$1.old" "$logs/$1.log" 2>/dev/null | tail -c ${reportedBytes}; echo; } | sed "s/^/log $2 /" >&5; }

die() {
  sleep 0.1
  send_log "$1" "$2"
  report "dead $2 $3 $4"
  exit 1
}

bounded() {
  if command -v timeout >/dev/null 2>&1; then timeout 5 "$@"; else "$@"; fi
}

probe_http() {
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

probe_tcp() {
  if command -v bash >/dev/null 2>&1; then bounded bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$1" "$2" 2>/dev/null
  else nc -z -w 5 "$1" "$2" 2>/dev/null; fi
}

stays_open() {
  if command -v bash >/dev/null 2>&1; then bash -c ${quoted(holdsOn)} "$1" "$2" 2>/dev/null
  else probe_tcp "$1" "$2"; fi
}

# A service of this sandbox is asked only once it listens: the kernel's table costs no program.
listens() {
  [ -r /proc/net/tcp ] || return 0
  hex=$(printf '%04X' "$1")
  for table in /proc/net/tcp /proc/net/tcp6; do
    while read -r _ place _ state _; do
      case $place:$state in *:"$hex":0A) return 0 ;; esac
    done 2>/dev/null <"$table"
  done
  return 1
}

probe() {
  case $1 in
    http) probe_http "$2" "$3" "$4" "$5" ;;
    own-http) listens "$3" && probe_http "$2" "$3" "$4" "$5" ;;
    own-tcp) listens "$3" && { probe_tcp "$2" "$3" || probe_tcp ::1 "$3"; } ;;
    forwarded) stays_open "$2" "$3" ;;
    command) bounded sh -c "$shell" "$2" >/dev/null 2>&1 </dev/null ;;
  esac
}

require_free() {
  index=$1 name=$2
  shift 2
  if probe "$@" 5>&- 6<&-; then die "$index" "$name" taken -; fi
}

is_alive() {
  while read -r key state _; do
    if [ "$key" = State: ]; then
      case $state in [ZX]) return 1 ;; *) return 0 ;; esac
    fi
  done 2>/dev/null <"/proc/$1/status"
  return 1
}

# Processes whose parent has ended. One may be known by nothing else: a title covers its environment.
orphans() { grep -ls '^PPid:[[:space:]]*1$' /proc/[0-9]*/status; }

runs_in_background() {
  for orphan in $(orphans); do
    case $1 in *"$orphan"*) ;; *) return 0 ;; esac
  done
  return 1
}

# The next part begins a file of its own; an empty one is the end. On a full disk the rest is thrown away.
capture() {
  {
    while dd bs=${part.bytes} count=${part.reads} >"$1.log" && [ -s "$1.log" ]; do
      mv "$1.old" "$1.older"
      mv "$1.log" "$1.old"
    done
    exec cat >/dev/null
  } <"$1.out" 2>/dev/null
}

keep_time() {
  while read -r seconds <&6; do echo "$seconds" >"$logs/time"; done 2>/dev/null
}

look_at_time() {
  seconds=
  read -r seconds <"$logs/time"
  case $seconds in '' | *[!0-9]*) ;; *) time=$seconds ;; esac
} 2>/dev/null

# Returns once it is ready. A shell of its own, since the one that runs the program would tell there how a service ended.
bring_up() (
  index=$1 name=$2 limit=$3 PORT=$4 file=$5
  shift 5
  export PORT
  pid=
  time=0
  look_at_time
  limit=$((time + limit))
  if [ "$file" != - ]; then
    mkfifo -m 600 "$logs/$index.out"
    before=$(orphans)
    capture "$logs/$index" 5>&- 6<&- &
    sh -c "$shell" "$file" >"$logs/$index.out" 2>&1 <>"$logs/input" 5>&- 6<&- &
    pid=$!
  fi
  while :; do
    ready=
    if probe "$@" 5>&- 6<&-; then ready=1; fi
    if [ -n "$pid" ] && ! is_alive "$pid"; then
      wait "$pid"
      code=$?
      pid=
      if [ "$code" -ne 0 ] || ! runs_in_background "$before"; then die "$index" "$name" exited "$code"; fi
    fi
    if [ -n "$ready" ]; then break; fi
    if [ "$file" = - ]; then die "$index" "$name" refused -; fi
    look_at_time
    if [ "$time" -gt "$limit" ]; then die "$index" "$name" not-ready -; fi
    sleep 0.1
  done
  report "up $name"
)
`;

/** @param program the line that runs it. */
const rest = (program: string, lingers: number): string => String.raw`
kill "$keeper"
wait "$keeper" 2>/dev/null
report ready
${program}
code=$?
${lingers > 0 ? `sleep ${lingers}` : ''}
if [ "$code" -ne 0 ]; then
  sleep 0.1
  send_all_logs
fi
exit "$code"
`;
