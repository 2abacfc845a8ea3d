/** Causes of a dead service, from what real programs really printed (I11). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { DeadService } from '../../../src/engine/work/job.ts';
import { causeOf } from '../../../src/engine/diagnose/service-cause.ts';
import type { Service } from '../../../src/engine/work/service.ts';

const api: Service = { name: 'api', start: { script: 'serve' }, ready: { http: 'http://localhost:3000/' }, limit: 20 };
const exited = (exit: number): DeadService => ({ name: 'api', how: 'exited', exit });
const how = (way: DeadService['how'], more: Partial<DeadService> = {}): DeadService => ({
  name: 'api',
  how: way,
  exit: null,
  ...more,
});

const node = `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module 'express'
Require stack:
- /work/server.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)`;
const esm = `Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'fastify' imported from /work/server.mjs`;
const python = `Traceback (most recent call last):
  File "/work/app.py", line 1, in <module>
    import flask
ModuleNotFoundError: No module named 'flask'`;
const inUse = `Error: listen EADDRINUSE: address already in use 127.0.0.1:3000
    at Server.setupListenHandle [as _listen2] (node:net:1817:16)`;

const cases: [string, DeadService, string, string, string][] = [
  ['a package of Node.js', exited(1), node, 'missing-module', 'the module express is missing'],
  ['a package of an ES module', exited(1), esm, 'missing-module', 'the module fastify is missing'],
  ['a module of Python', exited(1), python, 'missing-module', 'the module flask is missing'],
  [
    'a script of package.json',
    exited(1),
    'npm error Missing script: "serve"\nnpm error\n',
    'missing-script',
    'the script serve is missing in package.json',
  ],
  [
    'a command',
    exited(127),
    '/run/verification/service-0: line 1: uvicorn: command not found',
    'missing-command',
    'the command uvicorn is missing',
  ],
  ['a command, as dash says it', exited(127), 'sh: 1: uvicorn: not found', 'missing-command', 'the command uvicorn is missing'],
  [
    'a file that is no program',
    exited(126),
    'bash: ./serve: Permission denied',
    'missing-command',
    'its command cannot be run (exit status 126)',
  ],
  ['a port, of Node.js', exited(1), inUse, 'port-taken', 'its port is taken'],
  ['a port, of Python', exited(1), 'OSError: [Errno 98] Address already in use', 'port-taken', 'its port is taken'],
  ['a port, of Go', exited(1), 'listen tcp :8080: bind: address already in use', 'port-taken', 'its port is taken'],
  [
    'a port whose holder is known',
    how('taken', { holder: 'process 7 (node old.js)' }),
    '',
    'port-taken',
    'its port is taken by process 7 (node old.js)',
  ],
  ['an end', exited(3), 'boom', 'exited', 'it ended with exit status 3'],
  ['a signal', how('exited'), '', 'exited', 'it ended with a signal'],
  ['patience', how('not-ready'), 'compiling ...', 'not-ready', 'http://localhost:3000/ was not ready within 20 s'],
  ['patience, though a module is mentioned', how('not-ready'), node, 'not-ready', 'http://localhost:3000/ was not ready within 20 s'],
  ['an answer', how('refused'), '', 'not-ready', 'nothing answers at http://localhost:3000/'],
];

describe('the cause of a dead service', () => {
  for (const [what, dead, log, cause, why] of cases)
    it(`is told where it lacks ${what}`, () => assert.deepEqual(causeOf(api, dead, log), { cause, why }));
});
