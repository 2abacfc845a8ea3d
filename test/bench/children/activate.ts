/**
 * Runs in a fresh extension host for the benchmark `activation`: activates Loop for the first time in this process, and adds a line
 * with the times to a file.
 */
import { appendFileSync, cpSync, existsSync } from 'node:fs';
import Module from 'node:module';
import { performance } from 'node:perf_hooks';

import * as vscode from 'vscode';

import { staged, timesFileVariable, type ActivationTimes } from '../support/activation-times.ts';
import { startDelayMeter } from '../support/delay-meter.ts';

const observedMs = 1_000;

/** Called by the editor. @throws when Loop is missing or already active, since nothing can be measured then */
export async function run(): Promise<void> {
  const file = process.env[timesFileVariable];
  if (file === undefined) throw new Error(`${timesFileVariable} is not set: run this by \`npm run bench activation\``);
  const extension = vscode.extensions.getExtension('loop.loop');
  if (extension === undefined) throw new Error('the extension host does not know loop.loop');
  if (extension.isActive) throw new Error('Loop was active before it was measured');
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  if (existsSync(`${folder}${staged}`)) cpSync(`${folder}${staged}`, folder, { recursive: true });
  const parts = timeBundle(extension.extensionPath);
  const begun = performance.now();
  await extension.activate();
  const total = performance.now() - begun;
  const delayAfter = await longestDelay();
  const times: ActivationTimes = { total, ...parts(), delayAfter };
  appendFileSync(file, `${JSON.stringify(times)}\n`);
}

async function longestDelay(): Promise<number> {
  const meter = startDelayMeter();
  await new Promise((resolve) => setTimeout(resolve, observedMs));
  return meter.stop().max;
}

interface Loader {
  _load(request: string, ...rest: unknown[]): unknown;
}
type Activate = (...args: unknown[]) => unknown;

/** Measures the editor's calls of the bundle: loading it, and its `activate`. */
function timeBundle(extensionPath: string): () => { load: number; call: number } {
  const loader = Module as unknown as Loader;
  const load = loader._load;
  const times: { load?: number; call?: number } = {};
  loader._load = function (this: unknown, request, ...rest) {
    const begun = performance.now();
    const loaded = load.call(this, request, ...rest);
    if (!request.startsWith(extensionPath)) return loaded;
    times.load = performance.now() - begun;
    const { activate, ...others } = loaded as { activate: Activate };
    return { ...others, activate: timed(activate, (ms) => (times.call = ms)) };
  };
  return () => {
    loader._load = load;
    if (times.load === undefined || times.call === undefined) throw new Error('the editor loaded Loop in an unknown way');
    return { load: times.load, call: times.call };
  };
}

function timed(activate: Activate, record: (ms: number) => void): Activate {
  return (...args) => {
    const begun = performance.now();
    const result = activate(...args);
    record(performance.now() - begun);
    return result;
  };
}
