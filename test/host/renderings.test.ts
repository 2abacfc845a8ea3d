/** The files below `.loop` that are written from state. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRenderings } from '../../src/host/renderings.ts';
import { openShelf } from '../../src/host/shelf.ts';
import type { State } from '../../src/engine/state/state.ts';
import { world } from '../support/fakes.ts';
import * as p from '../engine/support/parts.ts';
import { temporaryFolder } from './children.ts';

describe('ISSUES.md', () => {
  const { path, remove } = temporaryFolder();
  after(remove);
  const file = join(path, 'ISSUES.md');

  const amendment = { declared: { install: 'make' }, why: 'it has to be [built](command:x)', by: 'QC' as const, prepared: false };

  /** As a sprint that went on would write it: each time anew. */
  async function render(amendments: State['ledger']['amendments']): Promise<string | undefined> {
    const { state } = p.built();
    const now: State = { ...state, open: null, ledger: { ...state.ledger, amendments } };
    const renderings = createRenderings(openShelf(path), world().payloads, { render: () => Promise.resolve() } as never);
    renderings.follow({ n: 9, owner: 1, at: 0, type: 'step.ended', id: 's1', outcome: 'done', facts: [] }, now);
    await renderings.done();
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  it('is there once there is an issue, and says when none is left', async () => {
    assert.equal(await render([]), undefined);
    assert.match((await render([amendment])) ?? '', /^# Issues of sprint .+\n\n## [^]*\[built\]\(command :x\)/);
    assert.match((await render([])) ?? '', /^# Issues of sprint .+\n\nNo issue is open\.\n$/);
  });
});
