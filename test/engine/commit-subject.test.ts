/** A commit's subject says what was built: in the builder's words, or by the task's title. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { settle } from '../../src/engine/actions/settle.ts';
import { reportTaskComplete } from '../../src/engine/tools/report-task-complete.ts';
import { world } from '../support/fakes.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

async function subjectWith(summary: object, title?: string): Promise<string | undefined> {
  const story = p.awaiting();
  if (title !== undefined) story.act('plan', { fact: 'task.modified', id: 'T1', change: { title } });
  story.begin('execute', 'T1', ['execute/T1']);
  const step = story.state.open?.id ?? '';
  story.end({ fact: 'task.reported', id: 'T1', report: { ...p.report, ...summary } }, { fact: 'tree.changed', change: p.change({ step }) });
  const w = await staged(world({ files: { 'total.sh': 'a + b' } }), story.begin('settle', '1', ['settle/1']));
  w.repo.files['total.sh'] = 'sum';
  await settle.run('1', play(w).context);
  return w.repo.commits.at(-1)?.message.split('\n')[0];
}

describe('the subject of a commit', () => {
  it('is what the builder says that it built', async () => {
    assert.equal(await subjectWith({ summary: 'Print totals in cents' }, 'Totals'), 'T1: Print totals in cents');
  });

  it('is the title of the task where the builder said nothing, and its description where it has none', async () => {
    assert.equal(await subjectWith({}, 'Totals'), 'T1: Totals');
    assert.equal(await subjectWith({}), 'T1: Print the total of an order');
  });

  it('is short: a longer one is refused', () => {
    const { input } = reportTaskComplete;
    const call = { task_id: 'T1' };
    assert.equal(input.safeParse({ ...call, summary: 'x'.repeat(61) }).success, false);
    assert.equal(input.safeParse({ ...call, summary: 'x'.repeat(60) }).success, true);
  });
});
