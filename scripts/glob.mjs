/** Lists files below a folder whose path matches, because Node 20 has no glob. */
import { readdirSync } from 'node:fs';

export function globSync(folder, pattern) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`)
    .filter((path) => pattern.test(path) && !path.includes('node_modules/'))
    .sort();
}
