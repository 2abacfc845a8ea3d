import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkNodes } from '../../../src/views/model/check-nodes.ts';
import { sprintNodes } from '../../../src/views/model/sprint-nodes.ts';
import { sprintView } from '../../../src/views/model/sprint-view.ts';
import type { Service } from '../../../src/engine/work/service.ts';
import { begun, built, check, ended, ref, start, stateOf } from './sample.ts';

const services: Service[] = [
  { name: 'api', start: { command: 'node server.js' }, ready: { tcp: 3000 }, limit: 30 },
  { name: 'db', start: { script: 'db' }, ready: { tcp: 5432 }, limit: 30 },
];
const view = (up: boolean) => {
  const why = up ? '' : 'its port is taken by process 7 (node [old](x))';
  const probe = { name: 'api', code: 1, up, why, output: ref('e'), excerpt: '', exit: null, duration: 5 };
  const facts = [
    { fact: 'services.read' as const, services },
    { fact: 'check.written' as const, check: { ...check, requires: ['api'] } },
    { fact: 'service.probed' as const, probe },
  ];
  return sprintView(stateOf(...built, begun('5', 'run-checks'), ended('5', ...facts)), start);
};

describe('services in the trees', () => {
  it('say which are down and why, and are open then', () => {
    const node = sprintNodes(view(false), false).find((n) => n.label === 'Services');
    assert.deepEqual([node?.description, node?.expanded], ['1 of 2 down', true]);
    assert.deepEqual(node?.children.map((n) => [n.label, n.description]), [
      ['api', 'down: its port is taken by process 7 (node [old] (x))'],
      ['db', 'not started yet'],
    ]); // prettier-ignore
    assert.ok(node?.children[0]?.tooltip.includes('Required by: value/adds'));
  });

  it('are one line where they came up, and none where a sprint has none', () => {
    const node = sprintNodes(view(true), false).find((n) => n.label === 'Services');
    assert.deepEqual([node?.description, node?.expanded, node?.id], ['1 of 2 up', false, 'services']);
    assert.equal(sprintNodes(sprintView(stateOf(...built), start), false).find((n) => n.label === 'Services'), undefined); // prettier-ignore
  });

  it('are what a verification waits for', () => {
    const [category] = checkNodes(view(false));
    assert.match(category?.children[0]?.description ?? '', /^waits for service api: its port is taken by process 7/);
    assert.match(category?.children[0]?.spoken ?? '', /waits for service api/);
  });
});
