/**
 * A verification that is red and green by turns on one tree in one place. Nothing that a run writes is there in the next one, so
 * it asks a server of the test, on the machine's loopback.
 */
import { createServer } from 'node:net';

export interface ByTurns {
  /** Lines of a script in bash that end it. It prints `wrong greeting` where it is red. */
  lines: string[];
  close(): void;
}

/** The sprint's commands must have the network `all`. */
export async function byTurns(): Promise<ByTurns> {
  const seen = new Map<string, number>();
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', (data) => {
        const key = data.toString();
        const times = (seen.get(key) ?? 0) + 1;
        seen.set(key, times);
        socket.end(times % 2 === 1 ? 'red\n' : 'green\n');
      });
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  const tree = 'find . -type f | sort | xargs cksum 2>/dev/null | cksum';
  const ask = `exec 3<>/dev/tcp/127.0.0.1/${port}; echo "$PWD $(${tree})" >&3; read -r word <&3`;
  return { lines: [ask, 'if [ "$word" = green ]; then exit 0; fi', 'echo "wrong greeting"; exit 1'], close: () => void server.close() };
}
