/** What QC sees of scripts that it may have to write again: they stand in no file that it could read. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { textsToRewrite } from '../../src/engine/actions/told/texts-to-rewrite.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { world } from '../support/fakes.ts';
import { refOf } from './support/events.ts';
import * as p from './support/parts.ts';

describe('scripts that may have to be written again', () => {
  /** How many characters of each are shown, and whether that is all of it. */
  const shown = async (lengths: readonly number[]): Promise<[number, boolean][]> => {
    const w = world();
    const texts = lengths.map((length, i) => `${i}`.repeat(length));
    const written = texts.map((text, i): Fact => {
      const id = `value/${i}`;
      return { fact: 'verification.written', verification: p.verification({ id, lineage: id, script: refOf(text) }) };
    });
    const { state } = p.planned().act('write-verifications', ...written);
    for (const text of texts) await w.payloads.put(text);
    const prompt = await textsToRewrite({ state, ports: w.ports }, ['1']);
    return texts.map((text, i) => [prompt.match(new RegExp(`${i}{9,}`, 'g'))?.join('').length ?? 0, prompt.includes(text)]);
  };

  it('are whole where they fit together', async () => {
    assert.deepEqual(await shown([50_000, 300]), [
      [50_000, true],
      [300, true],
    ]);
  });

  it('are whole where they are short, and long ones have equal parts of the rest', async () => {
    const [first, second, short] = await shown([90_000, 50_000, 8000]);
    assert.deepEqual(short, [8000, true]);
    for (const [length, isWhole] of [first ?? assert.fail(), second ?? assert.fail()])
      assert.ok(!isWhole && length > 15_000 && length <= 26_000, String(length));
  });
});
