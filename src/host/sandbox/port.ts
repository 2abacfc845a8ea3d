/** Hands out free TCP ports, never the same one twice at the same time. */
import { createServer, type AddressInfo } from 'node:net';

const taken = new Set<number>();

/**
 * Reserves so many free ports until `use` ends.
 * @param shared whether the run shares this machine's network. In a network of its own every port is free.
 */
export async function withPorts<T>(count: number, shared: boolean, use: (ports: readonly number[]) => Promise<T>): Promise<T> {
  const ports: number[] = [];
  try {
    while (ports.length < count) {
      const port = shared ? await freePort() : nextPort();
      taken.add(port);
      ports.push(port);
    }
    return await use(ports);
  } finally {
    for (const port of ports) taken.delete(port);
  }
}

/** Below the ephemeral ports, which systems give to outgoing connections. */
const firstPort = 20_000;
const portCount = 10_000;
let last = firstPort;

function nextPort(): number {
  do last = firstPort + ((last - firstPort + 1) % portCount);
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
