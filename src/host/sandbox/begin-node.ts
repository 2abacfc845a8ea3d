/** How a script in Node.js begins and ends (`begin.ts`). */

/**
 * A script of CommonJS is compiled from its text. A script of ECMAScript modules has to be a file while it is loaded; the module
 * that it imports first removes that file. Whoever calls `process.exit` from a file of the tree does not end the script, and
 * neither does status 0 where something of the language or of Node.js is not what it was, unless the script itself replaced it.
 */
export const beginNode = String.raw`
'use strict';
const fs = require('node:fs');
const Module = require('node:module');
const { dirname, extname } = require('node:path');
const { pathToFileURL, fileURLToPath } = require('node:url');
const { Script } = require('node:vm');

const { mark, root, path, script } = given();
const asModule = isModule();
const file = asModule ? path.replace(/\.[^.]*$/, '.mjs') : path;
const { writeSync, rmSync } = fs;
const { defineProperty, getOwnPropertyDescriptor } = Object;
let evaluated = false;
let failed = false;
let own = false;
process.argv.splice(1, Infinity, file);
process.on('uncaughtExceptionMonitor', () => {
  failed = true;
});
process.on('exit', (code) => {
  if (code !== 0 || failed || !(own || evaluated)) return;
  const changed = changedSince();
  const waiting = own ? undefined : [...unended.values()][0];
  if (changed !== undefined) writeSync(2, '[loop: the work changed ' + changed + ' in the process of the script]\n');
  else if (waiting !== undefined)
    writeSync(2, '[loop: the script did not come to its end: nothing is left to be done, and its line ' + waiting + ' still waits. Wait there with a limit, or end by process.exit]\n');
  else writeSync(5, mark + '\n');
});
const exit = process.exit;
process.exit = function (code) {
  own = isOwn();
  if (!own && (code ?? process.exitCode ?? 0) === 0) {
    writeSync(2, '[loop: a file of the work ended the script]\n');
    code = 125;
  }
  return exit.call(process, code);
};
const changedSince = watch();
const unended = calls();
if (asModule) loadModule();
else compile();

function given() {
  const chunks = [];
  const chunk = Buffer.alloc(65536);
  for (;;) {
    const length = fs.readSync(5, chunk);
    if (length === 0) break;
    chunks.push(Buffer.from(chunk.subarray(0, length)));
  }
  const [mark, root, path, ...lines] = Buffer.concat(chunks).toString().split('\n');
  return { mark, root, path, script: lines.join('\n').replace(/^\uFEFF/, '').replace(/^#!.*/, '') };
}

/** The places that called, the nearest first; the first is the caller's own. */
function sitesOf(count) {
  const prepare = getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const limit = Error.stackTraceLimit;
  // The work may have put a setter there.
  defineProperty(Error, 'prepareStackTrace', { value: (_, sites) => sites, configurable: true });
  Error.stackTraceLimit = count + 1;
  const [, ...sites] = new Error().stack;
  if (prepare) defineProperty(Error, 'prepareStackTrace', prepare);
  else delete Error.prepareStackTrace;
  Error.stackTraceLimit = limit;
  return sites;
}

/** Whether the nearest caller that is not Node's own is the script, or lies outside of the tree. */
function isOwn() {
  const files = sitesOf(50).map((site) => site.getFileName() ?? '').filter((name) => name !== '' && name !== __filename && !name.startsWith('node:'));
  if (files.length === 0) return false;
  const caller = files[0].startsWith('file:') ? fileURLToPath(files[0]) : files[0];
  return caller === file || !caller.startsWith(root + '/');
}

/**
 * The lines of async functions of the script that have begun and not ended. What waits for the work there would wait for ever once
 * nothing is left to be done, and Node.js ends with status 0. Its own promise is the one that such a function makes first, with no
 * other before it; what the script makes of Promise itself has no line as its nearest.
 */
function calls() {
  const unended = new Map();
  const { promiseHooks } = require('node:v8');
  if (promiseHooks === undefined) return unended;
  let isLooking = false;
  promiseHooks.createHook({
    init(promise, parent) {
      if (parent !== undefined || isLooking) return;
      isLooking = true;
      const [, site] = sitesOf(2);
      isLooking = false;
      // The module's own ends otherwise.
      const name = asModule && site?.getPosition() === 0 ? '' : (site?.getFileName() ?? '');
      if (name === file || name === pathToFileURL(file).href) unended.set(promise, site.getLineNumber());
    },
    settled: (promise) => void unended.delete(promise),
  });
  return unended;
}

/** Notes every function of the language and of the modules that the script names; what is returned tells which one was replaced. */
function watch() {
  const { entries, getOwnPropertyDescriptors, getOwnPropertyNames, getPrototypeOf, hasOwn } = Object;
  const { ownKeys, apply } = Reflect;
  const { toString } = Function.prototype;
  const { includes } = String.prototype;
  const known = new Map();
  // Libraries replace these to hear of it (graceful-fs, source-map-support), and a check that goes on decides nothing by them.
  const heard = new Map([[fs, ['close', 'closeSync']], [Error, ['prepareStackTrace']]]);
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
  const note = (name, object) => {
    if (!isObject(object) || known.has(object)) return;
    const parts = getOwnPropertyDescriptors(object);
    known.set(object, { name, parts: ownKeys(parts).filter((key) => !heard.get(object)?.includes(key)).map((key) => [key, parts[key].value ?? parts[key].get]) });
  };
  for (const name of getOwnPropertyNames(globalThis)) {
    const value = Object.getOwnPropertyDescriptor(globalThis, name).value;
    if (!isObject(value) || value === globalThis) continue;
    note(name, value);
    note(name + '.prototype', value.prototype);
  }
  note('globalThis', globalThis);
  note('process', process);
  // Node.js itself replaces others.
  const { parts: ofProcess } = known.get(process);
  known.get(process).parts = ofProcess.filter(([key]) => ['exit', 'reallyExit', 'emit', 'on', 'nextTick', 'hrtime'].includes(key));
  note('iterators', getPrototypeOf([][Symbol.iterator]()));
  note('iterators', getPrototypeOf(getPrototypeOf([][Symbol.iterator]())));
  note('promises', getPrototypeOf(async function () {}));
  for (const name of ['module', ...Module.builtinModules.filter((name) => !name.includes('/') && new RegExp('\\b' + name + '\\b').test(script))]) {
    const module = require(name);
    note(name, module);
    for (const [key, value] of entries(getOwnPropertyDescriptors(module)))
      if (typeof value.value === 'function') note(name + '.' + key + '.prototype', value.value.prototype);
  }
  const isScripts = (value) => typeof value !== 'function' || apply(includes, script, [apply(toString, value, [])]);
  return () => {
    for (const [object, { name, parts }] of known)
      for (const [key, value] of parts) {
        if (typeof value !== 'function') continue;
        const now = Object.getOwnPropertyDescriptor(object, key);
        const is = now?.value ?? now?.get;
        if (is !== value && !(now?.value !== undefined && value.name.startsWith('get ')) && !(is !== undefined && isScripts(is)))
          return name + '.' + String(key);
      }
    for (const stream of ['stdout', 'stderr'])
      if (hasOwn(process[stream], 'write') && !isScripts(process[stream].write)) return 'process.' + stream + '.write';
    return undefined;
  };
}

/** As Node.js decides it; text without a stated kind is a module where it is nothing else. */
function isModule() {
  const extension = extname(path);
  if (extension === '.mjs') return true;
  if (extension === '.cjs') return false;
  try {
    if (JSON.parse(fs.readFileSync(root + '/package.json', 'utf8')).type === 'module') return true;
  } catch {}
  try {
    new Script(Module.wrap(script));
    return false;
  } catch {
    return true;
  }
}

function compile() {
  const main = new Module(path);
  main.id = '.';
  main.filename = path;
  main.paths = Module._nodeModulePaths(dirname(path));
  process.mainModule = main;
  Module._cache[path] = main;
  main._compile(script, path);
  main.loaded = true;
  evaluated = true;
}

function loadModule() {
  const begin = Symbol.for('loop.begin');
  globalThis[begin] = () => {
    rmSync(file);
    delete globalThis[begin];
  };
  fs.writeFileSync(file, 'import "data:text/javascript,globalThis[Symbol.for(\'loop.begin\')]()";' + script);
  import(pathToFileURL(file)).then(
    () => {
      evaluated = true;
    },
    (error) => {
      fs.rmSync(file, { force: true });
      process.nextTick(() => {
        throw error;
      });
    },
  );
}
`;
