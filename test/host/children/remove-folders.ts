/** Removes folders with a folder in each that its owner may not read, prints how often that failed, and ends. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../src/engine/ground/errors.ts';
import { removeFolder } from '../../../src/host/git/remove-folder.ts';

const rounds = 8;
const siblings = 10;
const depth = 20;

async function main(folder: string): Promise<void> {
  const problems: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const path = fill(join(folder, String(round)));
    await removeFolder(path).catch((error: unknown) => problems.push(messageOf(error)));
  }
  process.stdout.write(JSON.stringify(problems));
}

function fill(path: string): string {
  for (let each = 0; each < siblings; each += 1)
    mkdirSync(join(path, `sibling-${each}`, ...Array<string>(depth).fill('below')), { recursive: true });
  const closed = join(path, 'closed', 'closed');
  mkdirSync(closed, { recursive: true });
  writeFileSync(join(closed, 'file'), '');
  chmodSync(closed, 0);
  return path;
}

void main(process.argv[2] ?? '');
