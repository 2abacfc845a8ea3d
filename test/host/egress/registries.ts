/** Small registries on this machine's loopback: npm's protocol and a simple index for pip. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Listening {
  port: number;
  /** Each request: method, path, and its `Authorization` where it has one. */
  asked: string[];
  /** Answers a request; for a server of another kind. */
  answer: RequestListener;
  close(): void;
}

export interface PackageOf {
  name: string;
  version?: string;
  manifest?: Record<string, unknown>;
  files?: Record<string, string>;
}

interface NpmOptions {
  /** The `Authorization` that each request must have; none by default. */
  login?: string;
  /** Asked first. @returns whether it answers the request */
  instead?: (...on: Parameters<RequestListener>) => boolean;
  /** The protocol that its packages are fetched by; `http` by default. */
  protocol?: 'https';
}

export async function npmRegistry(packages: readonly PackageOf[], { login, instead, protocol }: NpmOptions = {}): Promise<Listening> {
  const tarballs = new Map(packages.map((one) => [tarballPath(one), tarballOf(one)]));
  return listening((req, res) => {
    if (instead?.(req, res)) return;
    const path = decodeURIComponent(req.url ?? '');
    const tarball = tarballs.get(path);
    const versions = packages.filter(({ name }) => path === `/${name}`);
    if (login !== undefined && req.headers.authorization !== login) res.writeHead(401).end('who are you?');
    else if (tarball) res.end(tarball);
    else if (versions.length > 0)
      res.setHeader('content-type', 'application/json').end(packument(versions, `${protocol ?? 'http'}://${req.headers.host}`));
    else res.writeHead(404).end('{}');
  });

  function packument(versions: readonly PackageOf[], base: string): string {
    const latest = versions.at(-1)?.version ?? '1.0.0';
    const described = versions.map((one) => {
      const tarball = tarballs.get(tarballPath(one)) ?? Buffer.alloc(0);
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      return [one.version ?? '1.0.0', { ...manifestOf(one), dist: { tarball: base + tarballPath(one), integrity } }];
    });
    return JSON.stringify({ name: versions[0]?.name, 'dist-tags': { latest }, versions: Object.fromEntries(described) });
  }
}

/** @param names of packages: each is a wheel with one module that has a function `word`. */
export async function simpleIndex(names: readonly string[]): Promise<Listening> {
  const wheels = new Map(names.map((name) => [`/files/${name}-1.0-py3-none-any.whl`, wheelOf(name)]));
  return listening((req, res) => {
    const [, name] = /^\/simple\/([^/]+)\/$/.exec(req.url ?? '') ?? [];
    const wheel = wheels.get(req.url ?? '');
    if (wheel) res.end(wheel);
    else if (name !== undefined && names.includes(name)) {
      const file = `${name}-1.0-py3-none-any.whl`;
      res.setHeader('content-type', 'text/html').end(`<!DOCTYPE html><html><body><a href="/files/${file}">${file}</a></body></html>`);
    } else res.writeHead(404).end();
  });
}

/** Go's module proxy. @param modules each has a function `Word` that returns the last part of its name. */
export async function goProxy(modules: readonly string[]): Promise<Listening> {
  const version = 'v1.0.0';
  const archives = new Map(modules.map((name) => [name, moduleOf(name, version)]));
  return listening((req, res) => {
    const [, name = '', file] = /^\/(.+)\/@v\/(.+)$/.exec(req.url ?? '') ?? [];
    const archive = archives.get(name);
    if (!archive) res.writeHead(404).end();
    else if (file === 'list') res.end(`${version}\n`);
    else if (file === `${version}.info`) res.end(JSON.stringify({ Version: version }));
    else if (file === `${version}.mod`) res.end(`module ${name}\n`);
    else if (file === `${version}.zip`) res.end(archive);
    else res.writeHead(404).end();
  });
}

/** A server that notes what it is asked. */
export async function listening(answer: RequestListener): Promise<Listening> {
  const asked: string[] = [];
  const noted: RequestListener = (req, res) => {
    const { authorization } = req.headers;
    asked.push(`${req.method} ${req.url}${authorization === undefined ? '' : ` ${authorization}`}`);
    answer(req, res);
  };
  const server: Server = createServer(noted);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, asked, answer: noted, close };
}

function tarballPath({ name, version = '1.0.0' }: PackageOf): string {
  return `/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
}

function manifestOf({ name, version = '1.0.0', manifest = {} }: PackageOf): Record<string, unknown> {
  return { name, version, main: 'index.js', ...manifest };
}

function tarballOf(one: PackageOf): Buffer {
  const files = { 'package.json': JSON.stringify(manifestOf(one)), 'index.js': `module.exports = '${one.name}';\n`, ...one.files };
  return inFolder(files, 'package', (folder) => execFileSync('tar', ['-czf', '-', '-C', folder, 'package']));
}

function wheelOf(name: string): Buffer {
  const info = `${name}-1.0.dist-info`;
  const files = {
    [`${name}.py`]: `def word():\n    return '${name}'\n`,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`,
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/RECORD`]: `${name}.py,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n`,
  };
  return inFolder(files, 'wheel', (folder) => {
    execFileSync('python3', ['-m', 'zipfile', '-c', '../out.whl', `${name}.py`, info], { cwd: join(folder, 'wheel') });
    return readFileSync(join(folder, 'out.whl'));
  });
}

function moduleOf(name: string, version: string): Buffer {
  const word = name.split('/').at(-1) ?? '';
  const at = `${name}@${version}`;
  const files = {
    [`${at}/go.mod`]: `module ${name}\n`,
    [`${at}/word.go`]: `package ${word}\n\nfunc Word() string { return "${word}" }\n`,
  };
  return inFolder(files, 'module', (folder) => {
    // Entries of files only, since Go refuses those of folders.
    const archive = 'import sys, zipfile; z = zipfile.ZipFile("../out.zip", "w"); [z.write(name) for name in sys.argv[1:]]';
    execFileSync('python3', ['-c', archive, ...Object.keys(files)], { cwd: join(folder, 'module') });
    return readFileSync(join(folder, 'out.zip'));
  });
}

function inFolder(files: Readonly<Record<string, string>>, below: string, use: (folder: string) => Buffer): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'loop-package-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, below, path)), { recursive: true });
      writeFileSync(join(folder, below, path), text);
    }
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
