/**
 * Which lines of the tree a run reaches: Node.js by V8's precise coverage, Python by `sys.settrace`, bash by its DEBUG trap. Each
 * program appends `path:line` to a file of its own below the folder of reports as soon as it reaches a line, because a service is
 * killed at the end; Node.js `path:line:from-to` for columns of a line that it reaches in part, such as a function that nobody calls
 * yet. Of pages the command `browser` tells it (`host/browser/page-reach.ts`). What the work runs in any other way is not told.
 */
import { join, normalize, relative } from 'node:path';
import type { Reached, ReachedPlace } from '../../engine/work/job.ts';
import type { Mount } from './bubblewrap.ts';
import { programDir } from './layout.ts';
import { reachedPlaces } from './reached-places.ts';
import { namesIn, readPlain, reportsDir } from './reports.ts';

const folder = '.reach';
/** Where programs say it, inside. */
export const reachDir = `${reportsDir}/${folder}`;
const nodeFile = `${programDir}/reach.cjs`;
const bashFile = `${programDir}/reach.sh`;
/** Python's begin and start-up file run it where it is. */
export const pythonReachFile = `${programDir}/reach.py`;

export const reachEnv: Readonly<Record<string, string>> = { NODE_OPTIONS: `--require ${nodeFile}`, BASH_ENV: bashFile };

/** @param root of the tree, inside. */
export function reachMounts(root: string): Mount[] {
  return [
    { kind: 'text', path: nodeFile, text: node(root) },
    { kind: 'text', path: bashFile, text: bash },
    { kind: 'text', path: pythonReachFile, text: python(root) },
  ];
}

/** Files and bytes that are read at most. */
const mostFiles = 500;
const mostBytes = 4 * 1024 * 1024;

/** @param reports the folder of reports on the host. @param root of the tree, as the run saw it. */
export function readReached(reports: string, root: string): Reached {
  const reached = new Map<string, { lines: Set<number>; parts: Map<string, [number, number, number]> }>();
  let room = mostBytes;
  for (const name of namesIn(join(reports, folder)).slice(0, mostFiles)) {
    // Code under test may have written there too.
    const text = readPlain(join(reports, folder, name), room) ?? '';
    room -= Buffer.byteLength(text);
    for (const line of text.split('\n')) {
      const [, path = '', number, from, to] = /^(.+?):(\d+)(?::(\d+)-(\d+))?$/.exec(line) ?? [];
      const inTree = relative(root, normalize(path.startsWith('/') ? path : join(root, path)));
      if (number === undefined || inTree === '' || inTree.startsWith('..')) continue;
      const known = reached.get(inTree) ?? { lines: new Set(), parts: new Map() };
      reached.set(inTree, known);
      if (from === undefined) known.lines.add(Number(number));
      else known.parts.set(`${number}:${from}-${to}`, [Number(number), Number(from), Number(to)]);
    }
  }
  return Object.fromEntries([...reached].map(([path, { lines, parts }]) => [path, inOrder([...lines], [...parts.values()])]));
}

/** A part of a line says nothing more where the whole line was reached. */
function inOrder(lines: readonly number[], parts: readonly (readonly [number, number, number])[]): ReachedPlace[] {
  const open = parts.filter(([line]) => !lines.includes(line));
  const lineOf = (place: ReachedPlace): number => (typeof place === 'number' ? place : place[0]);
  return [...lines, ...open].sort((a, b) => lineOf(a) - lineOf(b) || (typeof a === 'number' || typeof b === 'number' ? 0 : a[1] - b[1]));
}

/** Counts are taken often, because a program that is killed tells nothing at its end. */
const everyMs = 50;

/** So long services go on when the program has ended, to tell what its last call reached. Seconds. */
export const lastReach = 0.5;

function node(root: string): string {
  return String.raw`
'use strict';
try {
  const fs = require('node:fs');
  const { Session } = require('node:inspector');
  const { fileURLToPath } = require('node:url');
  const root = ${JSON.stringify(`${root}/`)};
  const file = ${JSON.stringify(`${reachDir}/node-`)} + process.pid + '-' + Math.random().toString(36).slice(2);
  fs.mkdirSync(${JSON.stringify(reachDir)}, { recursive: true });
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const places = ${reachedPlaces.toString()};
  const sources = new Map();
  const known = new Set();
  const source = (path) => {
    if (!sources.has(path)) {
      let text = '';
      try {
        text = fs.readFileSync(path, 'utf8');
      } catch {}
      sources.set(path, text);
    }
    return sources.get(path);
  };
  const take = () => {
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      const found = [];
      for (const { url, functions } of error ? [] : taken.result) {
        const path = url.startsWith('file:') ? fileURLToPath(url) : url;
        if (!path.startsWith(root)) continue;
        for (const place of places(source(path), functions).map((one) => path + ':' + one))
          if (!known.has(place)) found.push(place), known.add(place);
      }
      if (found.length > 0) fs.appendFileSync(file, found.join('\n') + '\n');
    });
  };
  process.on('exit', take);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    const end = () => {
      take();
      if (process.listenerCount(signal) > 1) return;
      process.removeListener(signal, end);
      process.kill(process.pid, signal);
    };
    process.on(signal, end);
  }
  setInterval(take, ${everyMs}).unref();
  // What a script starts with variables of its own is told, too.
  const handed = (given) => {
    const env = {};
    // As Node.js does, also what it inherits.
    for (const name in given) env[name] = given[name];
    const options = env.NODE_OPTIONS ?? '';
    const own = '--require ' + __filename;
    return { ...env, NODE_OPTIONS: options.includes(__filename) ? options : own + ' ' + options, BASH_ENV: env.BASH_ENV ?? ${JSON.stringify(bashFile)} };
  };
  const processes = require('node:child_process');
  const { custom } = require('node:util').promisify;
  const withReach = (start) => (...given) =>
    start(...given.map((one) => (one !== null && typeof one === 'object' && one.env ? { ...one, env: handed(one.env) } : one)));
  for (const name of ['spawn', 'fork', 'exec', 'execFile', 'spawnSync', 'execFileSync', 'execSync']) {
    const start = processes[name];
    const more = start[custom] ? { [custom]: { value: withReach(start[custom]) } } : {};
    processes[name] = Object.defineProperties(withReach(start), { ...Object.getOwnPropertyDescriptors(start), ...more });
  }
  require('node:module').syncBuiltinESMExports();
} catch {}
`;
}

/** A trap that is set in a file which bash reads before each script; functions and subshells inherit it. */
const bash = String.raw`
mkdir -p ${reachDir} 2>/dev/null
set -T
declare -A __reached
trap 'if [ -z "${'$'}{__reached[${'$'}{BASH_SOURCE[0]-}:$LINENO]-}" ]; then __reached[${'$'}{BASH_SOURCE[0]-}:$LINENO]=1; echo "${'$'}{BASH_SOURCE[0]-}:$LINENO" >>${reachDir}/bash-$$; fi' DEBUG
`;

/** Lines of one frame that are looked at: a long loop is not worth its time. */
const mostLines = 20_000;

function python(root: string): string {
  return String.raw`
import os, sys, threading


def begin():
    root = ${JSON.stringify(`${root}/`)}
    os.makedirs(${JSON.stringify(reachDir)}, exist_ok=True)
    name = ${JSON.stringify(`${reachDir}/python-`)}
    append, pid = os.O_WRONLY | os.O_CREAT | os.O_APPEND, os.getpid
    write, opened, closed = os.write, os.open, os.close
    known = set()
    inside = {}

    def is_inside(path):
        if path not in inside:
            inside[path] = path[:1] != '<' and os.path.abspath(path).startswith(root)
        return inside[path]

    def reach(frame):
        place = '%s:%d\n' % (os.path.abspath(frame.f_code.co_filename), frame.f_lineno)
        if place not in known:
            known.add(place)
            fd = opened(name + str(pid()), append)
            write(fd, place.encode())
            closed(fd)

    def enter(frame, event, argument):
        if not is_inside(frame.f_code.co_filename):
            return None
        left = [${mostLines}]

        def line(frame, event, argument):
            if event == 'line':
                reach(frame)
                left[0] -= 1
                if left[0] == 0:
                    frame.f_trace_lines = False
            return line

        return line

    sys.settrace(enter)
    threading.settrace(enter)


begin()
`;
}
