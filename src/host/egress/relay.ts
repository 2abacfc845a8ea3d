/**
 * Leads ports of the sandbox's own loopback to Unix sockets of the host. It runs inside, beside the program, and ends with the
 * sandbox. It is written for perl without modules, which starts in two milliseconds, and for Node where there is no perl.
 */
import { quoted } from '../../engine/ground/shell-quoted.ts';

/** A port inside, and the socket that its connections go to. */
export interface Relayed {
  port: number;
  socket: string;
}

export interface RelayFiles {
  perl: string;
  node: string;
}

/**
 * A command line that starts the relay, waits until it listens, and then becomes the program.
 * @param copies files to copy first, so that the program may write them: from a path to a path.
 * @param runtime Node as it is called inside.
 */
export function relayed(
  argv: readonly string[],
  files: RelayFiles,
  { relays, copies }: { relays: readonly Relayed[]; copies: readonly (readonly [from: string, to: string])[] },
  runtime: string,
): string[] {
  const words = [...relays.map(({ port, socket }) => [port, socket] as const), ...copies].flat();
  const pairs = words.map((word) => quoted(String(word))).join(' ');
  const script = [
    // Descriptor 5 belongs to the supervisor of services alone.
    'if command -v perl >/dev/null 2>&1',
    `then perl ${files.perl} ${pairs} </dev/null >/dev/null 2>&1 5>&-`,
    // The substitution ends when the relay closes its output: then it listens.
    `else : "$(ELECTRON_RUN_AS_NODE=1 "$0" ${files.node} ${pairs} </dev/null 2>/dev/null 5>&- &)"`,
    'fi',
    'exec "$@"',
  ].join('\n');
  return ['/bin/sh', '-c', script, runtime, ...argv];
}

/** The numbers are those of Linux: `AF_UNIX` 1, `AF_INET` 2, `SOCK_STREAM` 1, `O_NONBLOCK` 2048. */
export const perlRelay = String.raw`
my ($family, $local, $stream, $nonblock, $most) = (2, 1, 1, 2048, 262144);
my (%socket_of, @ends);
$SIG{PIPE} = 'IGNORE';
while (@ARGV) {
  my ($port, $path) = splice(@ARGV, 0, 2);
  if ($port !~ /^\d+$/) { copy($port, $path); next }
  socket(my $listener, $family, $stream, 0) or next;
  setsockopt($listener, 1, 2, pack('i', 1));
  bind($listener, pack('S n C4 x8', $family, $port, 127, 0, 0, 1)) or next;
  listen($listener, 128) or next;
  $socket_of{fileno $listener} = [$listener, $path];
}
my $child = fork;
exit 0 if $child or !defined $child;

# EAGAIN and EINTR; their names would load a module.
sub later { $! == 11 || $! == 4 }

sub copy {
  my ($from, $to) = @_;
  my $folder = '';
  $folder .= $1, mkdir $folder while $to =~ m{\G([^/]*/)}g;
  open(my $in, '<', $from) or return;
  open(my $out, '>', $to) or return;
  local $/;
  print $out scalar <$in>;
}

sub shut {
  my ($end) = @_;
  for my $one ($end, $end->{peer}) { close $one->{handle}; $one->{gone} = 1 }
}

sub drain {
  my ($end) = @_;
  if (length $end->{out}) {
    my $sent = syswrite $end->{handle}, $end->{out};
    if (defined $sent) { substr($end->{out}, 0, $sent) = '' } elsif (!later()) { return shut($end) }
  }
  return if length $end->{out} or !$end->{peer}{ended} or $end->{shut};
  shutdown $end->{handle}, 1;
  $end->{shut} = 1;
  shut($end) if $end->{ended} && $end->{peer}{shut};
}

while (1) {
  my ($read, $write) = ('', '');
  vec($read, $_, 1) = 1 for keys %socket_of;
  for (@ends) {
    vec($read, fileno $_->{handle}, 1) = 1 if !$_->{ended} && length $_->{peer}{out} < $most;
    vec($write, fileno $_->{handle}, 1) = 1 if length $_->{out};
  }
  next if select($read, $write, undef, undef) < 0;
  for (@ends) {
    next if $_->{gone};
    my $fd = fileno $_->{handle};
    drain($_) if vec($write, $fd, 1);
    next if $_->{gone} or $_->{ended} or !vec($read, $fd, 1);
    my $got = sysread $_->{handle}, my $bytes, 65536;
    if (!defined $got) { shut($_) if !later(); next }
    if ($got) { $_->{peer}{out} .= $bytes } else { $_->{ended} = 1 }
    drain($_->{peer});
  }
  @ends = grep { !$_->{gone} } @ends;
  for (values %socket_of) {
    my ($listener, $path) = @$_;
    next if !vec($read, fileno $listener, 1) or @ends > 900;
    accept(my $from, $listener) or next;
    socket(my $to, $local, $stream, 0) or next;
    connect($to, pack('S a*', $local, $path)) or next;
    fcntl($_, 4, $nonblock) for $from, $to;
    my ($a, $b) = ({ handle => $from, out => '' }, { handle => $to, out => '' });
    ($a->{peer}, $b->{peer}) = ($b, $a);
    push @ends, $a, $b;
  }
}
`;

export const nodeRelay = String.raw`
const { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } = require('node:fs');
const { createServer, connect } = require('node:net');
const { dirname } = require('node:path');
const pairs = process.argv.slice(2);
while (pairs.length > 0 && !/^\d+$/.test(pairs[pairs.length - 2])) {
  const [from, to] = pairs.splice(-2);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, readFileSync(from));
}
let left = pairs.length / 2;
const begun = () => {
  if (--left > 0) return;
  closeSync(1);
  openSync('/dev/null', 'w'); // becomes descriptor 1, which Node looks at
};
for (let n = 0; n < pairs.length; n += 2) {
  const server = createServer({ allowHalfOpen: true }, (from) => {
    const to = connect({ path: pairs[n + 1], allowHalfOpen: true });
    for (const [one, other] of [[from, to], [to, from]]) {
      one.on('error', () => other.destroy()).once('close', () => other.end().resume());
      one.pipe(other);
    }
  });
  server.once('error', begun).listen(Number(pairs[n]), '127.0.0.1', begun);
}
`;
