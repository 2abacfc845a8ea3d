/** What lies on the disk; nothing where that cannot be read. Synchronous, which for a small file is faster than a call on another thread. */
import { readFileSync, readdirSync } from 'node:fs';

export function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
