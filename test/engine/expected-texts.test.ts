/** A builder is shown the files that its task expects to change, so that it need not ask for them. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { expectedTexts } from '../../src/engine/actions/expected-texts.ts';
import { world } from '../support/fakes.ts';
import * as p from './support/parts.ts';

const shown = (files: Record<string, string>, filesExpected: string[]): Promise<string> =>
  expectedTexts(world({ files }), p.task({ filesExpected }));

describe('the files that a task expects to change', () => {
  it('are shown whole, in the order of the task', async () => {
    assert.equal(
      await shown({ 'a.js': 'let a;\n', 'b.js': 'let b;', 'c.js': 'let c;\n' }, ['b.js', 'new.js', 'a.js']),
      'The files that it expects to change, as they stand now:\n\nb.js:\n\n```\nlet b;\n```\n\na.js:\n\n```\nlet a;\n```',
    );
  });

  it('are only named where they are too long together', async () => {
    const long = 'x'.repeat(8000);
    const text = await shown({ 'a.js': long, 'b.js': long, 'c.js': 'let c;\n' }, ['a.js', 'b.js', 'c.js']);
    assert.match(text, /now:\n\na\.js:\n\n```\nx+\n```\n\nb\.js: 8000 characters, not shown here\.\n\nc\.js:\n\n```\nlet c;\n```$/);
  });

  it('stand in fences that none of their own ends', async () => {
    const readme = '```sh\nnpm start\n```\n';
    assert.match(await shown({ 'README.md': readme }, ['README.md']), /\n````\n```sh\nnpm start\n```\n````$/);
  });

  it('may all be new', async () => {
    assert.equal(await shown({}, ['a.js']), '');
  });
});
