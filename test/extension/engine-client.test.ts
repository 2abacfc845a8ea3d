/** The extension host's end of the worker's thread, when either of them ends. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { EngineClient, EngineFailure, type EngineListener } from '../../src/extension/editor/engine-client.ts';

describe('the connection to the engine', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'loop-client-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** @param script of the thread, which writes down that it began. */
  const client = (script: string, listener: Partial<EngineListener> = {}): EngineClient => {
    const file = join(folder, 'worker.mjs');
    const begins = `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(join(folder, 'begun'))}, 'x');`;
    writeFileSync(file, `import { parentPort } from 'node:worker_threads';\n${begins}\n${script}`);
    return new EngineClient(file, listener as EngineListener);
  };
  const begun = (): number => (existsSync(join(folder, 'begun')) ? readFileSync(join(folder, 'begun'), 'utf8').length : 0);
  const failed = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'it is answered',
      (error: unknown) => error,
    );
  const stays = 'parentPort.on("message", () => undefined);';

  it('begins no other thread once the editor leaves', async () => {
    const engine = client(stays);
    const open = failed(engine.request('read', { sprintDir: '/sprint' }));
    await engine.dispose();
    assert.ok((await open) instanceof EngineFailure);
    const late = await Promise.race([failed(engine.request('read', { sprintDir: '/sprint' })), wait(500)]);
    assert.ok(late instanceof EngineFailure, String(late));
    assert.ok(begun() <= 1);
  });

  it('begins no other thread for a key that the one before asked for', async () => {
    let give = (_key: string): void => undefined;
    const secret = (): Promise<string> => new Promise((resolve) => (give = resolve));
    const engine = client('parentPort.postMessage({ type: "want-secret", id: 1 }); setTimeout(() => process.exit(1), 100);', { secret });
    assert.ok((await failed(engine.request('read', { sprintDir: '/sprint' }))) instanceof EngineFailure);
    give('sk-ant');
    await wait(500);
    assert.equal(begun(), 1);
    await engine.dispose();
  });
});

function wait(ms: number): Promise<string> {
  return new Promise((resolve) => setTimeout(() => resolve('nothing came'), ms));
}
