/** What a plain user counts and reads where a run closed its reports. Root becomes `nobody` first, since no permission binds root. */
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesIn, readReports } from '../../../src/host/sandbox/reports.ts';
import { removeFolder } from '../../../src/host/git/remove-folder.ts';

async function main(): Promise<void> {
  if (process.getuid?.() === 0) process.setuid?.(65_534);
  const folder = mkdtempSync(join(tmpdir(), 'loop-closed-'));
  const inner = join(folder, 'inner');
  mkdirSync(inner);
  writeFileSync(join(inner, 'a'), 'x'.repeat(5000));
  const inspect = (path: string, mode: number): unknown[] => {
    chmodSync(path, mode);
    const result = [Number.isFinite(bytesIn(folder)), readReports(folder)];
    chmodSync(path, 0o700);
    return result;
  };
  const results = {
    open: inspect(inner, 0o700),
    unreadable: inspect(inner, 0),
    unsearchable: inspect(inner, 0o400),
    closed: inspect(folder, 0),
  };
  await removeFolder(folder);
  writeSync(1, JSON.stringify({ ...results, gone: [bytesIn(folder), readReports(folder)] }));
}

void main();
