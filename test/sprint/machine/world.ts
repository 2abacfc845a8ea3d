/** What the tests of the machine share: that nobody was called, and a server that verifications ask how the machine is today. */
import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import type { Event } from '../../../src/engine/state/events.ts';
import type { State } from '../../../src/engine/state/state.ts';

/** Asserts that nobody was called and nothing was taken back for what the machine did. */
export function assertUntouched(state: State, events: readonly Event[]): void {
  const rows = state.ledger.decisions.map(({ decision }) => decision.action);
  for (const row of ['fix', 'service-fix', 'research', 'strategy', 'course-correct'])
    assert.ok(!rows.includes(row as never), `${row} was decided`);
  assert.deepEqual(state.ledger.undone, []);
  for (const kind of ['lineage', 'signature', 'reserve', 'service', 'research'] as const)
    assert.deepEqual(state.ledger.burned[kind], {}, kind);
  assert.ok(!events.some((e) => e.type === 'step.begun' && e.step.kind === 'ask' && e.step.role === 'fixer'));
}

export interface Oracle {
  port: number;
  /** What each verification said when it asked, in order. */
  asked: string[];
  close(): Promise<void>;
}

/**
 * A verification connects, says its name, and keeps the connection while it runs. @param answer `slow` makes it hang. It is asked
 * with what tells the names of the others that run.
 */
export async function oracle(answer: (name: string, others: () => string[]) => string | Promise<string>): Promise<Oracle> {
  const open = new Map<Socket, string>();
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.once('data', (data) => {
      const name = data.toString().trim();
      open.set(socket, name);
      const others = (): string[] => [...open].filter(([one]) => one !== socket).map(([, other]) => other);
      asked.push(name);
      void Promise.resolve(answer(name, others)).then((word) => socket.write(`${word}\n`));
    });
  });
  const port = await listen(server, 0);
  return { port, asked, close: () => closed(server, [...open.keys()]) };
}

export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

export function closed(server: Server, open: readonly Socket[] = []): Promise<void> {
  for (const socket of open) socket.destroy();
  return new Promise((resolve) => void server.close(() => resolve()));
}

interface Written {
  write_verification: { path: string; content: string };
}

/** The same verification, which asks first and hangs where the answer is `slow`. */
export function asking({ write_verification: { path, content } }: Written, port: number, timeout = 2) {
  const [shebang, ...lines] = content.split('\n');
  const at = lines.findIndex((line) => !line.startsWith('#'));
  const ask = [`exec 3<>/dev/tcp/127.0.0.1/${port}; echo ${path} >&3; read -r word <&3`, 'if [ "$word" = slow ]; then sleep 600; fi'];
  return {
    write_verification: {
      path,
      content: [shebang, ...lines.slice(0, at), `# TIMEOUT: ${timeout}`, ...ask, ...lines.slice(at)].join('\n'),
    },
  };
}
