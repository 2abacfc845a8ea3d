// Owns a running editor without a desktop: code-server's server on a free loopback port, with data of its own that go
// when it goes. Two flavours: one runs a test module in the extension host, the other is for driving as a person does.

import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { promisify } from 'node:util';

import { startProcess, waitFor, type StartedProcess } from './processes.ts';
import { temporaryFolder } from './temporary.ts';

const START_TIMEOUT_MS = 60_000;

/** The installed editor: what `ensureEditor()` of scripts/provision.mjs returns. */
export interface EditorInstallation {
  readonly node: string;
  readonly serverMain: string;
}

/** What the editor is started for. */
export type Flavour =
  /** Mocha in the extension host. Notifications are not drawn. */
  | { readonly kind: 'host-tests' }
  /** As somebody has it who installed these VSIX files. */
  | { readonly kind: 'person'; readonly vsix: readonly string[] };

export interface ServerOptions {
  readonly editor: EditorInstallation;
  readonly flavour: Flavour;
  /** Added to the environment of the extension host; undefined takes a variable away. */
  readonly env?: NodeJS.ProcessEnv;
  /** User settings beyond the quiet defaults. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** An extension under development, and the module in it whose `run()` the extension host is to call. */
export interface HostTests {
  readonly extension: string;
  readonly module: string;
}

export interface EditorServer {
  readonly pid: number;
  /** The address which opens this folder; with tests, the host runs them (flavour `host-tests` only). */
  address(folder: string, tests?: HostTests): string;
  /** The end of the server's own output. */
  output(): string;
  /** Ends the server and all that it started, and removes its data. */
  stop(): Promise<void>;
}

/** Starts a server; resolves when it answers. */
export async function startEditorServer(options: ServerOptions): Promise<EditorServer> {
  const temporary = await temporaryFolder('editor');
  const home = temporary.path;
  let server: StartedProcess | undefined;
  const stop = async (): Promise<void> => {
    await server?.stop();
    await temporary.remove();
  };
  try {
    const environment = await prepareHome(home, options);
    if (options.flavour.kind === 'person') await installExtensions(home, options, options.flavour.vsix, environment);
    server = startProcess(options.editor.node, serverArguments(home, options), environment);
    const port = await waitUntilReady(server);
    const { pid, output } = server;
    return { pid, output, stop, address: (folder, tests) => address(port, folder, tests) };
  } catch (error) {
    await stop();
    throw error;
  }
}

// Sockets and temporary files go into the home too: a killed server leaves them behind wherever they are.
async function prepareHome(home: string, options: ServerOptions): Promise<NodeJS.ProcessEnv> {
  const temporary = path.join(home, 'tmp');
  const userData = path.join(home, 'data', 'data', 'User');
  await mkdir(temporary);
  await mkdir(userData, { recursive: true });
  await writeFile(path.join(userData, 'settings.json'), JSON.stringify({ ...QUIET, ...options.settings }, undefined, 2));
  const ours = {
    TMPDIR: temporary,
    XDG_RUNTIME_DIR: temporary,
    XDG_CACHE_HOME: path.join(home, 'cache'),
    // No marketplace: code-server would ask one for every extension it sees.
    EXTENSIONS_GALLERY: '{}',
  };
  return { ...process.env, ...ours, ...options.env };
}

// No welcome page, no chat, no look-ups in the network: only what is asked for is on the screen.
const QUIET: Readonly<Record<string, unknown>> = {
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

function folders(home: string): string[] {
  return ['--server-data-dir', path.join(home, 'data'), '--extensions-dir', path.join(home, 'extensions')];
}

function serverArguments(home: string, { editor, flavour }: ServerOptions): string[] {
  return [
    editor.serverMain,
    '--host=127.0.0.1',
    '--port=0',
    '--without-connection-token',
    '--accept-server-license-terms',
    '--disable-telemetry',
    '--disable-workspace-trust',
    ...(flavour.kind === 'host-tests' ? ['--enable-smoke-test-driver'] : []),
    ...folders(home),
  ];
}

async function installExtensions(home: string, { editor }: ServerOptions, files: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const wanted = files.flatMap((file) => ['--install-extension', file]);
  await promisify(execFile)(editor.node, [editor.serverMain, ...wanted, '--force', ...folders(home)], { env });
}

// The server picks the port itself and tells it: no other process can take it in between.
async function waitUntilReady(server: StartedProcess): Promise<number> {
  const answers = async (): Promise<number | undefined> => {
    const reason = server.ended();
    if (reason !== undefined) throw new Error(`the editor's server ended while starting (${reason}):\n${server.output()}`);
    const port = /Extension host agent listening on (\d+)/.exec(server.output())?.[1];
    if (port === undefined) return undefined;
    const version = await fetch(`http://127.0.0.1:${port}/version`).catch(() => undefined);
    return version?.ok === true ? Number(port) : undefined;
  };
  return waitFor('the editor to answer', START_TIMEOUT_MS, answers).catch((error: unknown) => {
    throw new Error(`the editor's server is not ready; its output:\n${server.output()}`, { cause: error });
  });
}

function address(port: number, folder: string, tests: HostTests | undefined): string {
  const url = new URL(`http://127.0.0.1:${port}/`);
  url.searchParams.set('folder', folder);
  if (tests !== undefined) {
    const remote = (file: string): string => `vscode-remote://127.0.0.1:${port}${file}`;
    const payload = [
      ['extensionDevelopmentPath', remote(tests.extension)],
      ['extensionTestsPath', remote(tests.module)],
    ];
    url.searchParams.set('payload', JSON.stringify(payload));
  }
  return url.href;
}
