/** What Alt+F2 opens, or says where there is nothing to open. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';

import { showAsText } from '../../../src/extension/editor/accessibility.ts';
import { toldBy } from './replaced.ts';

describe('the trees as one text', () => {
  it('are said not to be there where no sprint is shown', async () => {
    const told = await toldBy(() => showAsText({ shown: null } as never, { active: undefined } as never, 'trees'));
    assert.deepEqual(told, ['Loop: no sprint is shown here yet.']);
  });
});
