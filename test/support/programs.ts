/** Programs that ask models, as a test has them: `claude` and `codex` on a PATH of their own, with a home that is logged in. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ProgramName } from '../../src/engine/ground/model-names.ts';
import { programPort, toolsUrl } from '../../src/host/programs/start-program.ts';
import { createProgramModel } from '../../src/models/programs/program-model.ts';

const standIn = join(process.cwd(), 'test', 'peers', 'program-stand-in.cjs');
const logins = {
  '.claude/.credentials.json': { claudeAiOauth: { accessToken: 'a' } },
  '.codex/auth.json': { tokens: { access_token: 'a' } },
};

export interface ProgramWorld {
  folder: string;
  home: string;
  env: Record<string, string>;
  close(): void;
}

/** @param api where the programs ask; they reach nothing else. */
export function programWorld(api: string): ProgramWorld {
  const folder = mkdtempSync(join(tmpdir(), 'loop-test-'));
  const [bin, home] = [join(folder, 'bin'), join(folder, 'home')];
  mkdirSync(bin);
  for (const command of ['claude', 'codex']) symlinkSync(standIn, join(bin, command));
  for (const [place, login] of Object.entries(logins)) {
    mkdirSync(dirname(join(home, place)), { recursive: true });
    writeFileSync(join(home, place), JSON.stringify(login));
  }
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: home, ANTHROPIC_BASE_URL: api, OPENAI_BASE_URL: api };
  return { folder, home, env, close: () => rmSync(folder, { recursive: true, force: true }) };
}

export function programModel(program: ProgramName, { env }: ProgramWorld, idleMs?: number): ReturnType<typeof createProgramModel> {
  const port = programPort(program, env);
  if (!port) throw new Error(`There is no ${program}.`);
  return createProgramModel(program, { port, toolsUrl, ...(idleMs === undefined ? {} : { idleMs }) });
}
