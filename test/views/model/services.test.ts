import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { verificationNodes } from '../../../src/views/model/verification-nodes.ts';
import { sprintNodes } from '../../../src/views/model/sprint-nodes.ts';
import { sprintView } from '../../../src/views/model/sprint-view.ts';
import type { Draft } from '../../../src/engine/state/events.ts';
import { historyView } from '../../../src/views/model/history-view.ts';
import type { Service } from '../../../src/engine/work/service.ts';
import { tank } from '../../../src/engine/state/fuel.ts';
import { begun, built, verification, ended, ref, run, start, stateOf } from './sample.ts';

const services: Service[] = [
  { name: 'api', start: { command: 'node server.js' }, ready: { tcp: 3000 }, limit: 30 },
  { name: 'db', start: { script: 'db' }, ready: { tcp: 5432 }, limit: 30 },
];
const stateWith = (up: boolean, ...more: Draft[]) => {
  const why = up ? '' : 'its port is taken by process 7 (node [old](x))';
  const probe = { name: 'api', code: 1, up, why, output: ref('e'), excerpt: '', exit: null, duration: 5 };
  const facts = [
    { fact: 'services.read' as const, services },
    { fact: 'verification.written' as const, verification: { ...verification, requires: ['api'] } },
    { fact: 'service.probed' as const, probe: { ...probe, code: 0, up: true, why: '' } },
    { fact: 'service.probed' as const, probe },
  ];
  return stateOf(...built, begun('5', 'run-verifications'), ended('5', ...facts), ...more);
};
const view = (up: boolean) => sprintView(stateWith(up), start);
/** Both fixes of the service are used up. */
const givenUp = ['6', '7'].flatMap((id) => [{ ...begun(id, 'fix'), burns: [tank('service', 'api')] } as Draft, ended(id)]);

describe('services in the trees', () => {
  it('show which service is down and why, and expand then', () => {
    const node = sprintNodes(view(false), false).find((n) => n.label === 'Services');
    assert.deepEqual([node?.description, node?.expanded], ['1 of 2 down', true]);
    assert.deepEqual(
      node?.children.map((n) => [n.label, n.description]),
      [
        ['api', 'down: its port is taken by process 7 (node [old] (x))'],
        ['db', 'not started yet'],
      ],
    );
    assert.ok(node?.children[0]?.tooltip.includes('Required by: value/adds'));
  });

  it('are one closed node when they are up, and absent when the sprint has none', () => {
    const node = sprintNodes(view(true), false).find((n) => n.label === 'Services');
    assert.deepEqual([node?.description, node?.expanded, node?.id], ['1 of 2 up', false, 'services']);
    assert.equal(
      sprintNodes(sprintView(stateOf(...built), start), false).find((n) => n.label === 'Services'),
      undefined,
    );
  });

  it('appear on a verification that waits for one', () => {
    const [category] = verificationNodes(view(false));
    assert.match(category?.children[0]?.description ?? '', /^waits for service api: its port is taken by process 7/);
    assert.match(category?.children[0]?.spoken ?? '', /waits for service api/);
  });

  it('leave a verification without a result on this code while its service is down, given up or not', async () => {
    const first = ended('8', { fact: 'verification.ran', run: run(3, { code: 1 }) });
    const results = await Promise.all(
      [stateWith(true, begun('8', 'run-verifications'), first), stateWith(false), stateWith(false, ...givenUp)].map(async (state) => {
        const shown = sprintView(state, start).categories[0]?.verifications[0];
        const now = (await historyView(state, verification.id, () => Promise.resolve('')))?.now;
        return [shown?.status, shown?.result?.n ?? null, now?.words, now?.attempt, now?.summary, now?.siblings];
      }),
    );
    const waits = 'It waits for service api: its port is taken by process 7 (node [old](x)).';
    assert.deepEqual(results, [
      ['failed', 3, 'It fails.', 3, 'no note', null],
      ['pending', null, waits, null, '', null],
      ['blocked', null, waits, null, '', null],
    ]);
  });
});
