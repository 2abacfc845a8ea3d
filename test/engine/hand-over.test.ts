/** After a hand-over, a session that changes what its prompt says reads how that is by then. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mostRead } from '../../src/engine/agents/cost.ts';
import type { AskReply, AskRequest } from '../../src/engine/ground/messages.ts';
import { actions } from '../../src/engine/actions/table.ts';
import type { SprintRow } from '../../src/engine/state/rows.ts';
import { calls, says, world } from '../support/fakes.ts';
import { Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

/** The texts with which its conversations begin: that of the first one, and that of the one after its hand-over. */
async function openings(id: SprintRow, story: Story, target: string, does: AskReply): Promise<string[]> {
  const w = await staged(world(), story.begin(id, target));
  const read = (request: AskRequest) => ({ input: mostRead(request), output: 10, cacheRead: 0, cacheWrite: 0 });
  w.model.answers.push(
    (request) => {
      w.model.tokens = mostRead(request);
      return { ...does, usage: read(request) };
    },
    () => {
      w.model.tokens = 1_000_000;
      return says('It is half done.');
    },
    says('no'),
    says('no'),
  );
  await actions[id].run(target, play(w).context);
  const first = w.model.asked.filter(({ messages, turn }) => turn === 1 || messages.length === 1);
  return first.map(({ messages }) => JSON.stringify(messages[0]?.content));
}

describe('a session that handed over', () => {
  it('of the planner reads the plan as far as it made it', async () => {
    const story = new Story()
      .act('inputs', { fact: 'requirements.read', requirements: [{ id: '1', title: 'Totals', text: 'Totals', line: 3, lastLine: 3 }] })
      .act('discovery', p.gate('inputs'), p.gate('discovery'));
    const task = { description: 'Print the totals of a month', value: 'They are seen', acceptance: 'They are printed', prd_section: ['1'] };
    const [before, after] = await openings('plan', story, '', calls(['manage_task', { action: 'add', task_id: 'T1', ...task }]));
    assert.match(before ?? '', /There are no tasks yet/);
    assert.doesNotMatch(after ?? '', /There are no tasks yet/);
    assert.match(after ?? '', /They are printed.*It is half done\./);
  });

  it('of QC reads which helpers and verifications there are by then', async () => {
    const helper = ['write_helper', { name: 'totals.sh', content: 'sum() { echo 1; }' }] as [string, unknown];
    const [before, after] = await openings('write-verifications', p.planned(), 'plan', calls(helper));
    assert.doesNotMatch(before ?? '', /totals\.sh/);
    assert.match(after ?? '', /Helpers that exist:\\n\\ntotals\.sh:/);
  });
});
