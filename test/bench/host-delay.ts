// Owns the benchmark of how responsive the extension host stays: its longest event-loop delay while the example sprint
// runs, started and answered by a person's clicks, beyond that of the same host when it idles equally long. A fresh host and
// a fresh repository each round.

import { existsSync, readFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import * as path from 'node:path';
import { performance } from 'node:perf_hooks';

import { exampleRepository } from '../../scripts/example-repository.ts';
import { startBrowser, type EditorBrowser } from '../editor/browser.ts';
import { waitFor } from '../editor/processes.ts';
import { checkoutRoot, provideTestGround } from '../editor/provisioned.ts';
import { startEditorServer, type EditorServer } from '../editor/server.ts';
import { temporaryFolder } from '../editor/temporary.ts';
import type { Workbench } from '../editor/workbench.ts';
import { PORT_FILE } from './children/meter.ts';
import type { Delays } from './support/delay-meter.ts';
import { bench, median, report, rounded, say } from './support/figures.ts';
import { packLoop, packModule } from './support/packages.ts';

const ROUNDS = 3;
const SETTLE_MS = 5_000;
const SPRINT_TIMEOUT_MS = 240_000;
const GOAL_MS = 50;

interface Round {
  readonly sprint: Delays;
  readonly idle: Delays;
  /** Of each of the two windows. */
  readonly seconds: number;
}

bench(async () => {
  const folder = await temporaryFolder('bench-delay');
  try {
    const portFile = path.join(folder.path, 'port');
    const probe = path.join(checkoutRoot(), 'out', 'test', 'bench', 'children', 'probe.js');
    const vsix = [await packLoop(folder.path), await packModule(probe, 'event-loop-probe', folder.path)];
    const ground = await provideTestGround();
    const env = { [PORT_FILE]: portFile, LOOP_STATE_HOME: path.join(folder.path, 'state') };
    const server = await startEditorServer({ editor: ground.editor, flavour: { kind: 'person', vsix }, env });
    const browser = await startBrowser(ground.browser);
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
  readonly browser: EditorBrowser;
  readonly portFile: string;
  readonly folder: string;
}

async function measure(around: Surroundings): Promise<void> {
  const rounds: Round[] = [];
  for (let index = 1; index <= ROUNDS; index += 1) {
    say(`sprint ${index} of ${ROUNDS}, then as long without one`);
    rounds.push(await measureRound(around, path.join(around.folder, `round-${index}`, 'receipts')));
  }
  const beyond = rounds.map(({ sprint, idle }) => rounded(sprint.max - idle.max));
  report({ name: 'host-delay', value: median(beyond), unit: 'ms', goal: GOAL_MS }, { samples: beyond, rounds });
  const p99 = rounds.map(({ sprint, idle }) => rounded(sprint.p99 - idle.p99));
  report({ name: 'host-delay-p99', value: median(p99), unit: 'ms', goal: null }, { samples: p99 });
}

async function measureRound({ server, browser, portFile }: Surroundings, repository: string): Promise<Round> {
  exampleRepository(example(), repository);
  await rm(portFile, { force: true });
  const workbench = await browser.open(server.address(repository));
  const ask = await probeOf(portFile);
  await workbench.openContainer('Loop');
  await choose(workbench);
  await humanAction(SETTLE_MS);
  const begun = performance.now();
  await ask('begin');
  await playSprint(workbench, repository);
  const sprint = await ask('end');
  const ms = performance.now() - begun;
  await humanAction(SETTLE_MS);
  await ask('begin');
  await humanAction(ms);
  return { sprint, idle: await ask('end'), seconds: Math.round(ms / 1000) };
}

/** Up to the question that shows the worst case. */
async function choose(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Loop: Start Sprint');
  await workbench.pick('receipts', 'Which sprint?');
  await workbench.pick('Recorded model', 'Which model works?');
  await workbench.pick('Only to install dependencies', 'reach?');
}

async function playSprint(workbench: Workbench, repository: string): Promise<void> {
  await workbench.pressInDialog('Start the sprint', 'Start');
  await workbench.notification('Loop needs you', SPRINT_TIMEOUT_MS);
  await cp(path.join(example(), 'supplied'), repository, { recursive: true });
  await workbench.pressInNotification('Loop needs you', 'I have done it');
  await workbench.notification('is delivered', SPRINT_TIMEOUT_MS);
}

type Ask = (what: 'begin' | 'end') => Promise<Delays>;

async function probeOf(portFile: string): Promise<Ask> {
  const port = await waitFor('the probe in the extension host', SPRINT_TIMEOUT_MS, async () =>
    existsSync(portFile) ? readFileSync(portFile, 'utf8') || undefined : undefined,
  );
  return async (what) => (await (await fetch(`http://127.0.0.1:${port}/${what}`)).json()) as Delays;
}

function example(): string {
  return path.join(checkoutRoot(), 'examples', 'receipts');
}

function humanAction(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
