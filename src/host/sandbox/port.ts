/** Free TCP ports, never the same one to two runs at the same time. */
import { createServer, type AddressInfo } from 'node:net';

const taken = new Set<number>();

/** Hands a free port to `use`, and keeps it from others until that ends. */
export async function withPort<T>(use: (port: number) => Promise<T>): Promise<T> {
  const port = await freePort();
  taken.add(port);
  try {
    return await use(port);
  } finally {
    taken.delete(port);
  }
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
