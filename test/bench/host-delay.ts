/**
 * Benchmark: the longest event-loop delay of the extension host while the example sprint runs with a person's clicks, beyond that of
 * the same host when idle for the same time. Each round has a fresh host and a fresh repository.
 */
import { existsSync, readFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import * as path from 'node:path';
import { performance } from 'node:perf_hooks';

import { exampleRepository } from '../../scripts/example-repository.ts';
import { startWindow, type EditorWindow } from '../editor/browser.ts';
import { waitFor } from '../editor/processes.ts';
import { checkoutRoot, provideTestGround } from '../editor/provisioned.ts';
import { startEditorServer, type EditorServer } from '../editor/server.ts';
import { temporaryFolder } from '../editor/temporary.ts';
import type { Workbench } from '../editor/workbench.ts';
import { portFileVariable } from './children/meter.ts';
import type { Delays } from './support/delay-meter.ts';
import { bench, median, report, rounded, print } from './support/figures.ts';
import { packLoop, packModule } from './support/packages.ts';

const roundCount = 3;
const settleMs = 5_000;
const sprintTimeoutMs = 240_000;
const goalMs = 50;

interface Round {
  readonly sprint: Delays;
  readonly idle: Delays;
  /** The length of each of the two measurements. */
  readonly seconds: number;
}

bench(async () => {
  const folder = await temporaryFolder('bench-delay');
  try {
    const portFile = path.join(folder.path, 'port');
    const meter = path.join(checkoutRoot(), 'out', 'test', 'bench', 'children', 'meter.js');
    const vsix = [await packLoop(folder.path), await packModule(meter, 'event-loop-meter', folder.path)];
    const ground = await provideTestGround();
    const env = { [portFileVariable]: portFile, LOOP_STATE_HOME: path.join(folder.path, 'state') };
    const server = await startEditorServer({ editor: ground.editor, flavour: { kind: 'person', vsix }, env });
    const browser = await startWindow(ground.browser);
    try {
      await measure({ server, browser, portFile, folder: folder.path });
    } finally {
      await browser.close();
      await server.stop();
    }
  } finally {
    await folder.remove();
  }
});

interface Surroundings {
  readonly server: EditorServer;
  readonly browser: EditorWindow;
  readonly portFile: string;
  readonly folder: string;
}

async function measure(ground: Surroundings): Promise<void> {
  const rounds: Round[] = [];
  for (let index = 1; index <= roundCount; index += 1) {
    print(`sprint ${index} of ${roundCount}, then as long without one`);
    rounds.push(await measureRound(ground, path.join(ground.folder, `round-${index}`, 'receipts')));
  }
  const excess = rounds.map(({ sprint, idle }) => rounded(sprint.max - idle.max));
  report({ name: 'host-delay', value: median(excess), unit: 'ms', goal: goalMs }, { samples: excess, rounds });
  const p99 = rounds.map(({ sprint, idle }) => rounded(sprint.p99 - idle.p99));
  report({ name: 'host-delay-p99', value: median(p99), unit: 'ms', goal: null }, { samples: p99 });
}

async function measureRound({ server, browser, portFile }: Surroundings, repository: string): Promise<Round> {
  exampleRepository(example(), repository);
  await rm(portFile, { force: true });
  const workbench = await browser.open(server.address(repository));
  const ask = await connectToMeter(portFile);
  await workbench.openContainer('Loop');
  await chooseToStart(workbench);
  await pause(settleMs);
  const begun = performance.now();
  await ask('begin');
  await playSprint(workbench, repository);
  const sprint = await ask('end');
  const ms = performance.now() - begun;
  await pause(settleMs);
  await ask('begin');
  await pause(ms);
  return { sprint, idle: await ask('end'), seconds: Math.round(ms / 1000) };
}

/** Answers the questions of *Start*, up to the one with the worst case. */
async function chooseToStart(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Loop: Start Sprint');
  await workbench.pick('Recorded model', 'Which model works?');
  await workbench.pick('Only to install dependencies', 'reach?');
  await workbench.pick('8 hours', 'How long may it run?');
}

async function playSprint(workbench: Workbench, repository: string): Promise<void> {
  await workbench.pressInDialog('Start the sprint', 'Start');
  await workbench.notification('Loop needs you', sprintTimeoutMs);
  await cp(path.join(example(), 'supplied'), repository, { recursive: true });
  await workbench.pressInNotification('Loop needs you', 'I have done it');
  await workbench.notification('is delivered', sprintTimeoutMs);
}

type Ask = (what: 'begin' | 'end') => Promise<Delays>;

async function connectToMeter(portFile: string): Promise<Ask> {
  const port = await waitFor('the meter in the extension host', sprintTimeoutMs, async () =>
    existsSync(portFile) ? readFileSync(portFile, 'utf8') || undefined : undefined,
  );
  return async (what) => (await (await fetch(`http://127.0.0.1:${port}/${what}`)).json()) as Delays;
}

function example(): string {
  return path.join(checkoutRoot(), 'examples', 'receipts');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
