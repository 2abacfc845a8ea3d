/** Both relays, as plain processes: in perl, and in Node where there is no perl. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { nodeRelay, perlRelay, relayed } from '../../../src/host/egress/relay.ts';

const size = 8 * 1024 * 1024;

for (const [name, path] of [
  ['perl', process.env['PATH'] ?? ''],
  ['Node', '/nonexistent'],
] as const)
  describe(`the relay in ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'loop-relay-'));
    const servers: Server[] = [];
    let child: ChildProcess;
    let ports: number[];
    before(async () => {
      const files = { perl: join(folder, 'relay.pl'), node: join(folder, 'relay.cjs') };
      writeFileSync(files.perl, perlRelay);
      writeFileSync(files.node, nodeRelay);
      ports = [await freePort(), await freePort()];
      // The first sends back what it gets once it has all; the second says a word and ends.
      servers.push(
        createServer({ allowHalfOpen: true }, (socket) => {
          const chunks: Buffer[] = [];
          socket.on('data', (chunk) => chunks.push(chunk)).on('end', () => socket.end(Buffer.concat(chunks)));
        }).listen(join(folder, 'echo')),
        createServer((socket) => socket.end('a word')).listen(join(folder, 'word')),
      );
      const relays = [
        { port: ports[0] ?? 0, socket: join(folder, 'echo') },
        { port: ports[1] ?? 0, socket: join(folder, 'word') },
      ];
      writeFileSync(join(folder, 'from'), 'a text\n');
      const copies = [[join(folder, 'from'), join(folder, "it's/below/to")]] as const;
      const [program = '', ...argv] = relayed(['/bin/sh', '-c', 'echo begun; read word'], files, { relays, copies }, process.execPath);
      // The relay outlives its program here; it is in the group that is ended below.
      child = spawn(program, argv, { env: { PATH: path, HOME: folder }, detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
      await new Promise((resolve) => child.stdout?.once('data', resolve));
    });
    after(() => {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      for (const server of servers) server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('listens before the program begins, and carries much both ways', async () => {
      const bytes = Buffer.alloc(size, 'loop');
      const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(ports[0] ?? 0, bytes)));
      for (const answer of answers) assert.ok(answer.equals(bytes));
    });

    it('copies files before the program begins', () => assert.equal(readFileSync(join(folder, "it's/below/to"), 'utf8'), 'a text\n'));

    it('ends a connection when the other side ends it', async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => exchange(ports[1] ?? 0, Buffer.alloc(0))));
      for (const answer of answers) assert.equal(answer.toString(), 'a word');
    });
  });

function exchange(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(bytes));
    socket.on('data', (chunk) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks)));
    socket.once('error', reject);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
