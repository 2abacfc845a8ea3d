/** TCP ports that are free where a run will listen, never the same one to two runs at the same time. */
import { createServer, type AddressInfo } from 'node:net';

const taken = new Set<number>();

/**
 * Hands a free port to `use`, and keeps it from others until that ends.
 * @param shared whether the run shares this machine's network. Where it has one of its own, every port is free.
 */
export async function withPort<T>(shared: boolean, use: (port: number) => Promise<T>): Promise<T> {
  const port = shared ? await freePort() : nextPort();
  taken.add(port);
  try {
    return await use(port);
  } finally {
    taken.delete(port);
  }
}

/** Below those that systems give to connections by themselves. */
const FIRST = 20_000;
const COUNT = 10_000;
let last = FIRST;

function nextPort(): number {
  do last = FIRST + ((last - FIRST + 1) % COUNT);
  while (taken.has(last));
  return last;
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = await offeredPort();
    if (!taken.has(port)) return port;
  }
}

function offeredPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
