/**
 * The extension that the benchmark `host-delay` installs beside Loop: it measures the event loop of their common host between the
 * requests `/begin` and `/end` on the loopback.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ExtensionContext } from 'vscode';

import { startDelayMeter, type DelayMeter } from '../support/delay-meter.ts';

/** The environment variable with the file for the port. */
export const portFileVariable = 'LOOP_BENCH_PORT';

export function activate(context: ExtensionContext): void {
  const file = process.env[portFileVariable];
  if (file === undefined) throw new Error(`${portFileVariable} is not set: this extension is part of \`npm run bench host-delay\``);
  let meter: DelayMeter | undefined;
  const server = createServer((request, response) => {
    if (request.url === '/begin') meter = startDelayMeter();
    response.end(JSON.stringify(request.url === '/end' ? meter?.stop() : { pid: process.pid }));
  });
  server.listen(0, '127.0.0.1', () => writeFileSync(file, String((server.address() as AddressInfo).port)));
  context.subscriptions.push({ dispose: () => server.close() });
}
