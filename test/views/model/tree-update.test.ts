import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { node, type TreeNode } from '../../../src/views/model/tree-node.ts';
import { updateTree } from '../../../src/views/model/tree-update.ts';

const tasks = (first: string, second: string): TreeNode[] => [
  node('phase/a', 'a', { children: [node('T1', first, { children: [node('T1/why', 'why')] }), node('T2', second)] }),
  node('phase/b', 'b', { children: [node('T3', 'third')] }),
];

describe('updateTree', () => {
  it('draws nothing where nothing changed, and keeps every object', () => {
    const shown = tasks('one', 'two');
    const objects = JSON.stringify(shown);
    const { nodes, changed, isOther } = updateTree(shown, tasks('one', 'two'));
    assert.deepEqual([changed, isOther], [[], false]);
    assert.equal(JSON.stringify(nodes), objects);
    assert.ok(nodes.every((one, i) => one === shown[i]));
  });

  it('draws only the row that changed, by the object that the editor knows', () => {
    const shown = tasks('one', 'two');
    const second = shown[0]?.children[1];
    const { changed, isOther } = updateTree(shown, tasks('one', 'two, done'));
    assert.deepEqual([changed.length, changed[0] === second, second?.label, isOther], [1, true, 'two, done', false]);
  });

  it('draws a row again whose children are others or in another order', () => {
    for (const children of [[], [node('T4', 'fourth')], [node('T3', 'third'), node('T4', 'fourth')]]) {
      const shown = tasks('one', 'two');
      const { nodes, changed } = updateTree(shown, [...tasks('one', 'two').slice(0, 1), node('phase/b', 'b', { children })]);
      assert.deepEqual(
        changed.map(({ id }) => id),
        ['phase/b'],
      );
      assert.deepEqual(nodes[1]?.children, children);
    }
    const moved = [node('phase/a', 'a', { children: [node('T2', 'two'), node('T1', 'one')] })];
    const { changed } = updateTree([node('phase/a', 'a', { children: [node('T1', 'one'), node('T2', 'two')] })], moved);
    assert.equal(changed[0]?.id, 'phase/a');
  });

  it('says when the rows at the top are others', () => {
    assert.ok(updateTree([], tasks('one', 'two')).isOther);
    assert.ok(updateTree(tasks('one', 'two'), tasks('one', 'two').toReversed()).isOther);
    assert.ok(updateTree(tasks('one', 'two'), tasks('one', 'two').slice(1)).isOther);
  });
});
