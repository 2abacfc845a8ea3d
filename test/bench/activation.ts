/**
 * Benchmark: ten cold activations, each in an extension host of its own, without and with a sprint in the workspace. The sprint is put
 * there once the editor has looked for one, or it would activate Loop before the measurement.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import * as path from 'node:path';

import { startWindow, type EditorWindow } from '../editor/browser.ts';
import { waitFor } from '../editor/processes.ts';
import { checkoutRoot, provideTestGround } from '../editor/provisioned.ts';
import { startEditorServer, type EditorServer } from '../editor/server.ts';
import { temporaryFolder } from '../editor/temporary.ts';
import { prd, vision } from '../support/greeter.ts';
import { staged, timesFileVariable, type ActivationTimes } from './support/activation-times.ts';
import { bench, median, report, rounded, print, seedOf } from './support/figures.ts';
import { writeLifelikeJournal } from './support/lifelike-journal.ts';

const startCount = 10;
const sprintEvents = 300;
const goalMs = 50;
const startTimeoutMs = 120_000;

bench(async () => {
  const seed = seedOf();
  const folder = await temporaryFolder('bench-activation');
  try {
    const times = path.join(folder.path, 'times.jsonl');
    const ground = await provideTestGround();
    const flavour = { kind: 'host-tests', vsix: [] } as const;
    const env = { [timesFileVariable]: times, LOOP_STATE_HOME: path.join(folder.path, 'state') };
    const server = await startEditorServer({ editor: ground.editor, flavour, env });
    const browser = await startWindow(ground.browser);
    try {
      await measure({ server, starts: await startsOf(browser), times, folder: folder.path, seed });
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
  readonly starts: (address: string) => Promise<void>;
  readonly times: string;
  readonly folder: string;
  readonly seed: number;
}

async function measure({ server, starts, times, folder, seed }: Surroundings): Promise<void> {
  const workspaces = { without: path.join(folder, 'without'), with: path.join(folder, 'with') };
  await writeSprint(path.join(`${workspaces.with}${staged}`, 'teams', 'till', 'sprints', 'greeting'), seed);
  const root = checkoutRoot();
  const tests = { extension: root, module: path.join(root, 'out', 'test', 'bench', 'children', 'activate.js') };
  const start = async (workspace: string): Promise<ActivationTimes> => {
    await rm(times, { force: true });
    await rm(workspace, { recursive: true, force: true });
    await mkdir(workspace);
    await starts(server.address(workspace, tests));
    if (!existsSync(times)) throw new Error(`nothing was measured; the server's output:\n${server.output()}`);
    return JSON.parse(readFileSync(times, 'utf8')) as ActivationTimes;
  };
  // The first start fills the caches of server and browser with the editor's own files. Each host is new.
  await start(workspaces.without);
  const measured: { without: ActivationTimes[]; with: ActivationTimes[] } = { without: [], with: [] };
  for (let index = 1; index <= startCount; index += 1) {
    print(`cold start ${index} of ${startCount}, without and with a sprint`);
    measured.without.push(await start(workspaces.without));
    measured.with.push(await start(workspaces.with));
  }
  reportTimes('activation', measured.without, {});
  reportTimes('activation-with-sprint', measured.with, { seed });
}

/** Reports the whole activation, which other extensions wait for, and the part without the editor's round trips to its window. */
function reportTimes(name: string, times: readonly ActivationTimes[], more: Record<string, unknown>): void {
  const all = (of: (t: ActivationTimes) => number): number[] => times.map(of).map(rounded);
  const middle = (of: (t: ActivationTimes) => number): number => rounded(median(times.map(of)));
  const parts = { load: middle((t) => t.load), call: middle((t) => t.call), delayAfter: middle((t) => t.delayAfter) };
  report({ name, value: middle((t) => t.total), unit: 'ms', goal: goalMs }, { ...parts, samples: all((t) => t.total), ...more });
  const own = (t: ActivationTimes): number => t.load + t.call;
  report({ name: `${name}-own`, value: middle(own), unit: 'ms', goal: goalMs }, { samples: all(own), ...more });
}

async function writeSprint(sprint: string, seed: number): Promise<void> {
  await mkdir(path.join(sprint, '.loop'), { recursive: true });
  await writeFile(path.join(sprint, 'VISION.md'), vision);
  await writeFile(path.join(sprint, 'PRD.md'), prd);
  await writeLifelikeJournal(path.join(sprint, '.loop', 'journal.jsonl'), sprintEvents, seed);
}

/** Returns a function that opens an address, waits until the host has run its module, and leaves, which ends the host. */
async function startsOf({ page }: EditorWindow): Promise<(address: string) => Promise<void>> {
  let lines: string[] = [];
  let exited: number | undefined;
  await page.exposeFunction('codeAutomationLog', (kind: string, parts: unknown[]) => {
    lines.push(`${kind}: ${parts.map(String).join(' ')}`);
  });
  await page.exposeFunction('codeAutomationExit', (code: number) => {
    exited = code;
  });
  return async (address) => {
    lines = [];
    exited = undefined;
    await page.goto(address);
    const code = await waitFor('the extension host', startTimeoutMs, async () => exited);
    await page.goto('about:blank');
    if (code !== 0) throw new Error(`the extension host ended with ${code}:\n${lines.slice(-20).join('\n')}`);
  };
}
