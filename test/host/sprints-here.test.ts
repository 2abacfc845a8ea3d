/** The sprints of a repository, past ones too: how each stands, and what it cost. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { encodeLine } from '../../src/host/journal-lines.ts';
import { acquireLock } from '../../src/host/lock.ts';
import { sprintsHere } from '../../src/host/sprints-here.ts';
import { Story } from '../engine/support/events.ts';

const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 };

/** A sprint of one session, opened so many days after the first one. */
function journal(branch: string, day: number, end: 'open' | 'over' | 'finished', usd: number | null = 1): string {
  const story = new Story();
  story.act('discovery', { fact: 'model.spent', role: 'reasoner', model: 'm', usage, usd });
  if (end !== 'open') story.act('close');
  if (end === 'finished') story.said({ fact: 'sprint.finished', finished: { how: 'squash', commit: 'c1' } });
  const later = day * 86_400_000;
  const events = story.events.map((event) => ({ ...event, at: event.at + later, ...(event.type === 'run.opened' ? { branch } : {}) }));
  return events.map((event) => encodeLine(event as (typeof story.events)[number]).toString()).join('');
}

describe('the sprints of a repository', () => {
  let root: string;
  const put = async (folder: string, text: string): Promise<void> => {
    await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, folder, 'journal.jsonl'), text);
  };
  before(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'loop-here-')));
    await mkdir(join(root, '.git'));
  });
  after(() => rm(root, { recursive: true }));

  it('are none where none was started', async () => {
    assert.deepEqual(await sprintsHere(root), { sprints: [], unread: [] });
  });

  it('are found at any depth and in archives, the newest first; what cannot be read is told apart', async () => {
    await put('one/.loop', journal('loop/one', 3, 'open'));
    await put('one/.loop/archive/old', journal('loop/old', 1, 'over', null));
    await put('deep/in/two/.loop', journal('loop/two', 2, 'finished', 2.5));
    await put('node_modules/x/.loop', journal('loop/x', 9, 'open'));
    await put('broken/.loop', 'no journal\nat all\n');
    const lock = await acquireLock(join(root, 'one'));
    const { sprints, unread } = await sprintsHere(join(root, 'deep'));
    await lock.release();
    assert.deepEqual(
      sprints.map(({ where, branch, archive, running, stop, finished, usd, unpriced, tokens }) => ({
        where,
        branch,
        earlier: archive !== null,
        running,
        stop,
        finished,
        cost: [usd, unpriced, tokens],
      })),
      [
        { where: 'one', branch: 'loop/one', earlier: false, running: true, stop: null, finished: null, cost: [1, 0, 120] },
        {
          where: 'deep/in/two',
          branch: 'loop/two',
          earlier: false,
          running: false,
          stop: 'failed',
          finished: 'squash',
          cost: [2.5, 0, 120],
        },
        { where: 'one', branch: 'loop/old', earlier: true, running: false, stop: 'failed', finished: null, cost: [0, 120, 120] },
      ],
    );
    assert.deepEqual(
      unread.map(({ where, archive }) => [where, archive]),
      [['broken', null]],
    );
    assert.match(unread[0]?.why ?? '', /journal\.jsonl/);
    assert.ok(sprints.every(({ hours, at }) => hours > 0 && at > 1_700_000_000_000));
  });
});
