/** A program that asks models, for the editor of the driven suites: none is found until a test wants one. */
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

import { startPlayedServer } from '../../peers/played-server.ts';
import { honest } from '../../support/greeter.ts';
import { checkoutRoot } from '../provisioned.ts';

export interface Played {
  /** Whether the machine is kept awake. */
  isAwake(): boolean;
  takeAway(): void;
}

export interface EditorPrograms {
  env: NodeJS.ProcessEnv;
  play(sprintDir: string): Played;
  close(): Promise<void>;
}

export async function editorPrograms(folder: string): Promise<EditorPrograms> {
  const [bin, own] = [path.join(folder, 'bin'), path.join(folder, 'codex')];
  for (const made of [bin, own]) mkdirSync(made, { recursive: true });
  writeFileSync(path.join(own, 'auth.json'), JSON.stringify({ tokens: { access_token: 'a' } }));
  let playing = '';
  const server = await startPlayedServer(honest, () => playing);
  // Programs of the person's own must not be found, wherever they are.
  const others = (process.env['PATH'] ?? '').split(':').filter((one) => !/claude|codex/.test(one));
  return {
    env: { PATH: [bin, ...others].join(':'), CODEX_HOME: own, OPENAI_BASE_URL: server.url },
    play(sprintDir) {
      playing = sprintDir;
      const command = path.join(bin, 'codex');
      symlinkSync(path.join(checkoutRoot(), 'test', 'peers', 'program-stand-in.cjs'), command);
      const [inhibit, held] = [path.join(bin, 'systemd-inhibit'), path.join(folder, 'held')];
      writeFileSync(inhibit, `#!/bin/sh\nfor last; do :; done\n[ "$last" = true ] && exit 0\ntouch "${held}"; cat; rm "${held}"\n`, {
        mode: 0o755,
      });
      return {
        isAwake: () => existsSync(held),
        takeAway: () => [command, inhibit].forEach((file) => rmSync(file)),
      };
    },
    close: () => server.close(),
  };
}
