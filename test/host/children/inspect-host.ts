/** Prints the home that a sandbox would be laid out for. */
import { writeSync } from 'node:fs';
import { inspectHost } from '../../../src/host/sandbox/layout.ts';

writeSync(1, inspectHost(process.env).home);
