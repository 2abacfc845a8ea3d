/** Where a sandbox has the command `browser` (`host/browser/command.ts`): a program of Loop's in a folder of PATH. Pure. */
import type { Mount } from './bubblewrap.ts';
import { proxyVariables } from './environment.ts';
import type { BrowserCommand } from './options.ts';
import { reachDir } from './reach.ts';
import { quoted } from '../../engine/ground/shell-quoted.ts';

export const toolsDir = '/run/tools';
const bundle = `${toolsDir}/browser.cjs`;

/**
 * @param reach whether it tells which lines of the tree its pages run.
 * @param network whether pages may reach what the person's own proxy reaches; else no proxy hears of the browser's own calls.
 */
export function browserMounts({ program, command }: BrowserCommand, { reach, network }: { reach: boolean; network: boolean }): Mount[] {
  return [
    { kind: 'read', path: bundle, from: command },
    {
      kind: 'text',
      path: `${toolsDir}/browser`,
      text: startText({ program, reach: reach ? reachDir : '', hidden: network ? [] : proxyVariables }),
      executable: true,
    },
  ];
}

/** Options for Node.js are the work's, and this program is not. */
function startText({ program, reach, hidden }: { program: string; reach: string; hidden: readonly string[] }): string {
  return `#!/bin/sh
if ! command -v node >/dev/null 2>&1; then
  echo 'browser: it needs Node.js, which this machine lacks.' >&2
  exit 127
fi
unset ${['NODE_OPTIONS', ...hidden].join(' ')}
exec node ${bundle} ${quoted(program)} ${quoted(reach)} "$@"
`;
}
