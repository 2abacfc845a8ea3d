/** A program that asks models, for the editor of the driven suites: none is found until a test wants one. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

import { startPlayedServer } from '../../peers/played-server.ts';
import { honest } from '../../support/greeter.ts';
import { checkoutRoot } from '../provisioned.ts';

export interface EditorPrograms {
  env: NodeJS.ProcessEnv;
  play(sprintDir: string): () => void;
  close(): Promise<void>;
}

export async function editorPrograms(folder: string): Promise<EditorPrograms> {
  const [bin, own] = [path.join(folder, 'bin'), path.join(folder, 'claude')];
  for (const made of [bin, own]) mkdirSync(made, { recursive: true });
  writeFileSync(path.join(own, '.credentials.json'), JSON.stringify({ claudeAiOauth: { accessToken: 'a' } }));
  let playing = '';
  const server = await startPlayedServer(honest, () => playing);
  // Programs of the person's own must not be found, wherever they are.
  const others = (process.env['PATH'] ?? '').split(':').filter((one) => !/claude|codex/.test(one));
  return {
    env: { PATH: [bin, ...others].join(':'), CLAUDE_CONFIG_DIR: own, ANTHROPIC_BASE_URL: server.url },
    play(sprintDir) {
      playing = sprintDir;
      const command = path.join(bin, 'claude');
      symlinkSync(path.join(checkoutRoot(), 'test', 'peers', 'program-stand-in.cjs'), command);
      return () => rmSync(command);
    },
    close: () => server.close(),
  };
}
