import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { beforeIt, comparable } from '../../../src/views/model/compared-iterations.ts';
import { pipelineView } from '../../../src/views/model/pipeline-view.ts';
import { begun, decides, node, play } from '../../engine/support/pipeline.ts';

describe('iterations that can be compared', () => {
  it('are those that left an output, in the order of the stages; the one before may be further back', async () => {
    const [plan, work] = [
      { id: 'plan', maxIterations: 3 },
      { id: 'work', maxIterations: 1 },
    ];
    const nodes = [plan, work].map((one) => node({ ...one, termination: { type: 'fixed' } }));
    const view = pipelineView(
      await play(
        begun(
          nodes,
          decides(() => 'continue'),
        ),
      ),
    );
    const second = view?.stages[0]?.iterations[1];
    assert.ok(view && second);
    second.output = null;
    const all = comparable(view);
    assert.deepEqual(
      all.map(({ name, words, reason }) => [name, words, reason]),
      [
        ['plan, iteration 1', 'continue', 'I say continue'],
        ['plan, iteration 3', 'continue', 'I say continue'],
        ['work, iteration 1', 'continue', 'I say continue'],
      ],
    );
    const [first, third, other] = all;
    assert.ok(first && third && other);
    assert.equal(beforeIt(all, third), first);
    assert.equal(beforeIt(all, first), undefined);
    assert.equal(beforeIt(all, other), undefined, 'that of another stage is not before it');
  });
});
