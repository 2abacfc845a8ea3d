/** The causes of a dead service, with outputs of real programs (I11). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { DeadService } from '../../../src/engine/work/job.ts';
import { causeOf } from '../../../src/engine/diagnose/service-cause.ts';
import type { Service } from '../../../src/engine/work/service.ts';

const api: Service = { name: 'api', start: { script: 'serve' }, ready: { http: 'http://localhost:3000/' }, limit: 20 };
const exited = (exit: number): DeadService => ({ name: 'api', how: 'exited', exit });
const died = (how: DeadService['how'], more: Partial<DeadService> = {}): DeadService => ({
  name: 'api',
  how,
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

const cases: { what: string; dead: DeadService; log: string; cause: string; why: string }[] = [
  { what: 'a missing package of Node.js', dead: exited(1), log: node, cause: 'missing-module', why: 'the module express is missing' },
  { what: 'a missing package of an ES module', dead: exited(1), log: esm, cause: 'missing-module', why: 'the module fastify is missing' },
  { what: 'a missing module of Python', dead: exited(1), log: python, cause: 'missing-module', why: 'the module flask is missing' },
  {
    what: 'a missing script of package.json',
    dead: exited(1),
    log: 'npm error Missing script: "serve"\nnpm error\n',
    cause: 'missing-script',
    why: 'the script serve is missing in package.json',
  },
  {
    what: 'a missing command',
    dead: exited(127),
    log: '/run/program/service-0: line 1: uvicorn: command not found',
    cause: 'missing-command',
    why: 'the command uvicorn is missing',
  },
  {
    what: 'a missing command, in the words of dash',
    dead: exited(127),
    log: 'sh: 1: uvicorn: not found',
    cause: 'missing-command',
    why: 'the command uvicorn is missing',
  },
  {
    what: 'a file that is not a program',
    dead: exited(126),
    log: 'bash: ./serve: Permission denied',
    cause: 'missing-command',
    why: 'its command cannot be run (exit status 126)',
  },
  { what: 'a taken port, in Node.js', dead: exited(1), log: inUse, cause: 'port-taken', why: 'its port is taken' },
  {
    what: 'a taken port, in Python',
    dead: exited(1),
    log: 'OSError: [Errno 98] Address already in use',
    cause: 'port-taken',
    why: 'its port is taken',
  },
  {
    what: 'a taken port, in Go',
    dead: exited(1),
    log: 'listen tcp :8080: bind: address already in use',
    cause: 'port-taken',
    why: 'its port is taken',
  },
  {
    what: 'a taken port with a known holder',
    dead: died('taken', { holder: 'process 7 (node old.js)' }),
    log: '',
    cause: 'port-taken',
    why: 'its port is taken by process 7 (node old.js)',
  },
  { what: 'an exit', dead: exited(3), log: 'boom', cause: 'exited', why: 'it ended with exit status 3' },
  { what: 'a signal', dead: died('exited'), log: '', cause: 'exited', why: 'it ended with a signal' },
  {
    what: 'a start that takes too long',
    dead: died('not-ready'),
    log: 'compiling ...',
    cause: 'not-ready',
    why: 'http://localhost:3000/ was not ready within 20 s',
  },
  {
    what: 'a start that takes too long, even if the log mentions a module',
    dead: died('not-ready'),
    log: node,
    cause: 'not-ready',
    why: 'http://localhost:3000/ was not ready within 20 s',
  },
  { what: 'a refused connection', dead: died('refused'), log: '', cause: 'not-ready', why: 'nothing answers at http://localhost:3000/' },
];

describe('the cause of a dead service', () => {
  for (const { what, dead, log, cause, why } of cases)
    it(`is found for ${what}`, () => assert.deepEqual(causeOf(api, dead, log), { cause, why }));
});
