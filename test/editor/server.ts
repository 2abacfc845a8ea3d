/**
 * A running editor without a desktop: code-server on a free loopback port, with a data folder of its own that is removed with it. It
 * either runs a test module in the extension host, or is driven as a person would.
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { promisify } from 'node:util';

import { startProcess, waitFor, type StartedProcess } from './processes.ts';
import { temporaryFolder } from './temporary.ts';

const startTimeoutMs = 180_000;

/** The installed editor, as `ensureEditor()` of scripts/provision.mjs returns it. */
export interface EditorInstallation {
  readonly node: string;
  readonly serverMain: string;
}

/** The purpose of the editor. */
export type Flavour =
  /** Runs mocha in the extension host, without visible notifications. */
  | { readonly kind: 'host-tests'; readonly vsix: readonly string[] }
  /** For a person who installed these VSIX files. */
  | { readonly kind: 'person'; readonly vsix: readonly string[] };

export interface ServerOptions {
  readonly editor: EditorInstallation;
  readonly flavour: Flavour;
  /** Added to the environment of the extension host; undefined removes a variable. */
  readonly env?: NodeJS.ProcessEnv;
  /** User settings beyond the quiet defaults. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** An extension under development, and its module whose `run()` the extension host calls. */
export interface HostTests {
  readonly extension: string;
  /** Others that it works with. A page takes one folder of development, so there they are installed. */
  readonly beside?: readonly { readonly folder: string; readonly vsix: string }[];
  readonly module: string;
}

export interface EditorServer {
  readonly pid: number;
  /** The address that opens this folder. With tests, the host runs them (flavour `host-tests` only). */
  address(folder: string, tests?: HostTests): string;
  /** Replaces the user settings beyond the quiet defaults. A window takes them when it is opened. */
  configure(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** The end of the server's own output. */
  output(): string;
  /** Ends the server with all that it started, and removes its data. */
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
    if (options.flavour.vsix.length > 0) await installExtensions(home, options, options.flavour.vsix, environment);
    server = startProcess(options.editor.node, serverArguments(home, options), environment);
    const port = await waitUntilReady(server);
    const { pid, output } = server;
    const configure = (settings: Readonly<Record<string, unknown>>): Promise<void> => writeSettings(home, settings);
    return { pid, output, stop, configure, address: (folder, tests) => address(port, folder, tests) };
  } catch (error) {
    await stop();
    throw error;
  }
}

// Sockets and temporary files go into the home too, since a killed server leaves them behind.
async function prepareHome(home: string, options: ServerOptions): Promise<NodeJS.ProcessEnv> {
  const temporary = path.join(home, 'tmp');
  await mkdir(temporary);
  await writeSettings(home, options.settings);
  const ownFolders = {
    TMPDIR: temporary,
    XDG_RUNTIME_DIR: temporary,
    XDG_CACHE_HOME: path.join(home, 'cache'),
    // Without this, code-server would ask a marketplace about every extension.
    EXTENSIONS_GALLERY: '{}',
  };
  return { ...process.env, ...ownFolders, ...options.env };
}

async function writeSettings(home: string, settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const userData = path.join(home, 'data', 'data', 'User');
  await mkdir(userData, { recursive: true });
  await writeFile(path.join(userData, 'settings.json'), JSON.stringify({ ...quietSettings, ...settings }, undefined, 2));
}

// No welcome page, no chat and no network: the screen shows only what a test opens.
const quietSettings: Readonly<Record<string, unknown>> = {
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
    ...(flavour.kind === 'host-tests' ? ['--enable-smoke-test-driver', '--disable-workspace-trust'] : ['--force-disable-user-env']),
    ...folders(home),
  ];
}

async function installExtensions(home: string, { editor }: ServerOptions, files: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const wanted = files.flatMap((file) => ['--install-extension', file]);
  await promisify(execFile)(editor.node, [editor.serverMain, ...wanted, '--force', ...folders(home)], { env });
}

// The server picks and prints the port itself, so no other process can take it meanwhile.
async function waitUntilReady(server: StartedProcess): Promise<number> {
  const answers = async (): Promise<number | undefined> => {
    const reason = server.ended();
    if (reason !== undefined) throw new Error(`the editor's server ended while starting (${reason}):\n${server.output()}`);
    const port = /Extension host agent listening on (\d+)/.exec(server.output())?.[1];
    if (port === undefined) return undefined;
    const version = await fetch(`http://127.0.0.1:${port}/version`).catch(() => undefined);
    return version?.ok === true ? Number(port) : undefined;
  };
  return waitFor('the editor to answer', startTimeoutMs, answers).catch((error: unknown) => {
    throw new Error(`the editor's server is not ready; its output:\n${server.output()}`, { cause: error });
  });
}

function address(port: number, folder: string, tests: HostTests | undefined): string {
  const url = new URL(`http://127.0.0.1:${port}/`);
  url.searchParams.set(folder.endsWith('.code-workspace') ? 'workspace' : 'folder', folder);
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
