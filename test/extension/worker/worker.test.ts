/** The worker's thread, as the extension host starts it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { EngineClient, EngineFailure, type EngineListener } from '../../../src/extension/editor/engine-client.ts';
import type { RequestKind } from '../../../src/extension/protocol.ts';

const sprintDir = '/proc/nowhere/sprint';
const nothing = (): void => undefined;
const listener: EngineListener = {
  onView: nothing,
  onPipeline: nothing,
  onActivity: nothing,
  onVerifying: nothing,
  onVerified: nothing,
  onLog: nothing,
  secret: () => Promise.resolve(null),
  ask: () => new Promise(() => undefined),
};

describe('the worker of the editor', () => {
  let engine: EngineClient;
  beforeEach(() => (engine = new EngineClient(resolve('dist', 'worker.mjs'), listener)));
  afterEach(() => engine.dispose());

  /** @returns why it is refused, in words. */
  async function refusal(kind: RequestKind, of = engine): Promise<string> {
    const params = { sprintDir, overrides: {}, model: { kind: 'anthropic' }, baseURL: null, said: { kind: 'pause' } };
    const error: unknown = await of.request(kind, params as never).then(nothing, (reason: unknown) => reason);
    assert.ok(error instanceof EngineFailure && error.failure.kind === 'input', String(error));
    return `${error.failure.message} ${error.failure.next}`;
  }

  it('refuses at once what would wait for verifications that this window runs by hand', async () => {
    const kinds = ['run', 'answer-human-action', 'say', 'amend', 'edit-offer', 'edit-answer', 'finish-preview', 'finish'] as const;
    const verifying = engine.request('verify', { sprintDir, only: [] }).catch(nothing);
    for (const words of await Promise.all(kinds.map((kind) => refusal(kind))))
      assert.equal(words, 'Verifications of this sprint are running in this window. Wait until they end, or cancel them.');
    await verifying;
    assert.match(await refusal('say'), /nothing to pause/);
  });

  for (const { language, why } of [
    {
      language: 'de',
      why: 'Es gibt keinen API-Schlüssel für Claude. Führen Sie „Loop: API-Schlüssel eingeben“ aus, dann starten Sie noch einmal.',
    },
    { language: 'ja', why: 'ClaudeのAPIキーがありません。 「Loop: APIキーを設定」を実行してから、もう一度開始してください。' },
  ])
    it(`refuses in the language of the editor: ${language}`, async () => {
      const words = JSON.parse(readFileSync(`l10n/bundle.l10n.${language}.json`, 'utf8')) as Record<string, string>;
      const translated = new EngineClient(resolve('dist', 'worker.mjs'), { ...listener, words });
      try {
        assert.equal(await refusal('run', translated), why);
      } finally {
        await translated.dispose();
      }
    });
});
