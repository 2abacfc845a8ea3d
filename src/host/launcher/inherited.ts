/**
 * Descriptors that a terminal, or whatever started Loop, left open for its children. A program in a sandbox would get them, and one
 * of a folder leads out of it, to be read and written. Node.js closes its own where a program starts.
 */
import { closeSync } from 'node:fs';
import { namesIn, textAt } from '../peek.ts';

/** Must be called before this process opens anything. */
export function closeInherited(): void {
  for (const fd of namesIn('/proc/self/fd').map(Number)) if (fd > 2 && isInheritable(fd)) closeSync(fd);
}

/** Linux's `O_CLOEXEC`, for which Node has no name. */
const closedAtStart = 0o2000000;

function isInheritable(fd: number): boolean {
  const [, flags] = /^flags:\s*([0-7]+)/m.exec(textAt(`/proc/self/fdinfo/${fd}`)) ?? [];
  return flags !== undefined && (Number.parseInt(flags, 8) & closedAtStart) === 0;
}
