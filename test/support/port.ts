/** Finds a free port for a server that a test starts later. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** A port that is free now and below the system's ephemeral range, so that no other process gets it by chance. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(30_000, 32_768);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
