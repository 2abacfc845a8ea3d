/** Benchmark: the language server with a PRD of 3,000 lines and 300 requirements: after a keystroke, for lenses, and its memory. */
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';

import { CodeLensRequest } from 'vscode-languageserver-protocol/node';

import { memoryFlags } from '../../src/language/server-memory.ts';
import { seeded } from '../support/random.ts';
import { startClient } from '../language/client.ts';
import { bench, median, report, seedOf } from './support/figures.ts';

const sections = 30;
const requirementsOfSection = 10;
const samples = 101;

bench(async () => {
  const random = seeded(seedOf());
  const text = longPrd();
  const client = await startClient(['language-server.mjs', '--stdio'], memoryFlags);
  const folder = path.join(tmpdir(), 'loop-bench-language');
  const uri = client.open(path.join(folder, 'PRD.md'), text);
  await client.diagnosticsOf(uri, 1);
  const requirements = [...text.matchAll(/^- (\d+\.\d+) /gm)].map(([, id = '']) => standing(id));
  await client.connection.sendNotification('loop/sprintChanged', {
    sprintDir: pathToFileURL(folder).href,
    view: { requirements, services: [] },
  });
  const [keystrokes, lenses]: [number[], number[]] = [[], []];
  const lines = text.split('\n').length;
  for (let version = 2; version < samples + 2; version += 1) {
    const at = { line: Math.floor(random() * lines), character: 0 };
    const from = performance.now();
    client.change(uri, version, [{ range: { start: at, end: at }, text: 'a' }]);
    await client.diagnosticsOf(uri, version);
    keystrokes.push(performance.now() - from);
    const asked = performance.now();
    await client.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } });
    lenses.push(performance.now() - asked);
  }
  const memory = await residentMegabytes(client.pid);
  await client.stop();
  const how = { samples, lines, requirements: requirements.length };
  report({ name: 'language-diagnostics', value: median(keystrokes), unit: 'ms', goal: 50 }, how);
  report({ name: 'language-lenses', value: median(lenses), unit: 'ms', goal: 30 }, how);
  report({ name: 'language-memory', value: memory, unit: 'MB', goal: 80 }, how);
});

/** Ten lines for each requirement. */
function longPrd(): string {
  const numbers = Array.from({ length: sections }, (_, n) => n + 1);
  const items = (section: number): string[] =>
    Array.from({ length: requirementsOfSection }, (_, n) => {
      const details = Array.from(
        { length: 8 },
        (_detail, m) => `  The amount of line ${m} is shown with two decimals, as §${section}.1 says.`,
      );
      return [`- ${section}.${n + 1} The total of case ${n} is printed when the file ends.`, ...details, ''].join('\n');
    });
  return ['# Receipts', '', ...numbers.flatMap((section) => [`## ${section}. Part ${section}`, ...items(section)])].join('\n');
}

function standing(id: string) {
  const details = ['Task T1, done: print the total', 'Verification cli/total, passed: the total. Last run: exit status 0 after 0.4 s.'];
  return {
    id,
    words: '1 task, done · 1 verification, passed · verified so far',
    details,
    verifications: ['cli/total'],
    runnable: ['cli/total'],
  };
}

/** What the server's process holds in memory. */
async function residentMegabytes(pid: number): Promise<number> {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1000;
}
