/**
 * Bash that succeeds if a connection to address `$0` and port `$1` stays open. Docker accepts connections to a published port
 * before anything listens in the container, but closes them at once.
 */
export const holdsOn = 'exec 3<>"/dev/tcp/$0/$1" || exit 1; cat <&3 >/dev/null & sleep 0.2; kill $! 2>/dev/null';
