/** Where a sandbox has the command `browser` (`host/browser/command.ts`): a program of Loop's in a folder of PATH. Pure. */
import type { Mount } from './bubblewrap.ts';
import type { BrowserCommand } from './options.ts';
import { reachDir } from './reach.ts';
import { quoted } from './supervisor.ts';

export const toolsDir = '/run/tools';
const bundle = `${toolsDir}/browser.cjs`;

/** @param reach whether it tells which lines of the tree its pages run. */
export function browserMounts({ program, command }: BrowserCommand, reach: boolean): Mount[] {
  return [
    { kind: 'read', path: bundle, from: command },
    { kind: 'text', path: `${toolsDir}/browser`, text: startText(program, reach ? reachDir : ''), executable: true },
  ];
}

/** Options for Node.js are the work's, and this program is not. */
function startText(program: string, reach: string): string {
  return `#!/bin/sh
if ! command -v node >/dev/null 2>&1; then
  echo 'browser: it needs Node.js, which this machine lacks.' >&2
  exit 127
fi
unset NODE_OPTIONS
exec node ${bundle} ${quoted(program)} ${quoted(reach)} "$@"
`;
}
