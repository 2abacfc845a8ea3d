/** What a new sprint must have, also where its start waited while another one, which went on without it, came to its end. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { InputError } from '../../src/engine/ground/errors.ts';
import { requireDocuments } from '../../src/host/read-inputs.ts';

describe('a new sprint', () => {
  const documents = ['VISION.md', 'PRD.md'].map((name) => ({ name, text: 'It holds.' }));

  it('opens with both documents, and with nothing less', () => {
    requireDocuments('/home/ann/sprint', { documents });
    for (const { name } of documents) {
      const others = documents.filter((one) => one.name !== name);
      const isAbout = (error: unknown): boolean => error instanceof InputError && error.message.includes(`it has no ${name}`);
      assert.throws(() => requireDocuments('/home/ann/sprint', { documents: others }), isAbout);
    }
  });
});
