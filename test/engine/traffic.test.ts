/** Hosts that commands asked for: each is a fact in the line that ends the run, and a line of the report. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fold } from '../../src/engine/core/fold.ts';
import { event, type Event } from '../../src/engine/state/events.ts';
import { tank } from '../../src/engine/state/fuel.ts';
import { renderReport } from '../../src/engine/render/report.ts';
import { trafficWords } from '../../src/engine/render/traffic-words.ts';
import { trafficFactsOf, noTraffic, type Traffic } from '../../src/engine/work/traffic.ts';
import { world, type World } from '../support/fakes.ts';
import { Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

const traffic: Traffic = {
  refused: ['github.com', 'telemetry.example'],
  reached: ['npm.house.example'],
  withheld: ['npm.house.example'],
  allowed: ['npm.house.example', 'pypi.org'],
};

const npmCi = 'npm ci --token=ghp_abcdefghijklmnopqrstuvwxyz0123456789\nsecond line';

/** Two installs as effects of the row `prepare`. */
async function installedTwice(command = npmCi): Promise<World> {
  const w = await staged(world(), p.planned());
  w.runner.decide = () => ({ traffic });
  const { kernel, context } = play(w);
  await kernel.append({
    type: 'step.begun',
    step: { id: 's50', kind: 'action', decision: { action: 'prepare', target: '', why: '', burns: [tank('sprint')], behind: [] } },
    burns: [tank('sprint')],
  });
  const install = async (): Promise<string> => {
    await context.ports.runner.run({ run: { command }, at: 'worktree', timeout: 9, network: true }, context.signal);
    return 'installed';
  };
  for (const key of ['one', 'two']) await context.effect({ name: 'install', key, detail: '' }, { run: install });
  await kernel.append({ type: 'step.ended', id: 's50', outcome: 'done', facts: [] });
  return w;
}

const factsIn = (events: readonly Event[]) => events.map((e) => (e.type === 'step.ended' ? e.facts : []));

describe('traffic of commands', () => {
  it('is in the line that ends the command, each refused host once a sprint, and each install with its hosts', async () => {
    const w = await installedTwice();
    const [first, second, end] = factsIn(w.journal.events.filter((e) => e.type === 'step.ended').slice(-3));
    assert.deepEqual(
      first?.map((f) => [f.fact, 'host' in f ? f.host : '', 'by' in f ? f.by : '']),
      [
        ['host.refused', 'github.com', 'prepare'],
        ['host.refused', 'telemetry.example', 'prepare'],
        ['credentials.withheld', 'npm.house.example', 'prepare'],
        ['hosts.reached', '', 'prepare'],
      ],
    );
    assert.deepEqual(
      second?.map((f) => f.fact),
      ['hosts.reached'],
    );
    assert.deepEqual(end, []);
    assert.ok(!JSON.stringify(w.journal.events).includes('ghp_abc'));
    for (const one of w.journal.events) event.parse(one);
  });

  it('holds no part of a secret that the noted piece of a command would cut', async () => {
    const w = await installedTwice(`npm ci --registry=${'x'.repeat(165)} ghp_abcdefghijklmnopqrstuvwxyz0123456789`);
    assert.ok(!JSON.stringify(w.journal.events).includes('ghp_abc'));
  });

  it('is a section of the report that says how to allow a host', async () => {
    const w = await installedTwice();
    const report = renderReport(fold(w.journal.events));
    assert.match(report, /## Network\n\n- Refused: \*\*github\.com\*\*, first for `npm ci .*` \(prepare\)\. .*`--allow-host github\.com`/);
    assert.match(report, /- npm\.house\.example: this machine has credentials for it, which never enter the sandbox/);
    assert.match(report, /- Reached: npm\.house\.example, by 2 commands, first `npm ci/);
    assert.doesNotMatch(renderReport(new Story().state), /## Network/);
  });

  it('is bounded, however many hosts a program invents', () => {
    const refused = Array.from({ length: 1000 }, (_, n) => `${n}.example`);
    const facts = trafficFactsOf(noTraffic(), [{ traffic: { ...traffic, refused }, asker: { by: 'x', command: 'y' } }]);
    assert.equal(facts.filter((f) => f.fact === 'host.refused').length, 200);
  });

  it('tells an agent what was refused and what may be reached, and of credentials only where its command failed', () => {
    assert.equal(
      trafficWords({ ...traffic, withheld: [] }, true),
      '\n[Loop refused these hosts: github.com, telemetry.example. Commands reach only: npm.house.example, pypi.org. Only the person can allow another.]',
    );
    assert.equal(
      trafficWords({ ...traffic, refused: ['127.0.0.2:80'], withheld: [] }, true),
      '\n[127.0.0.2:80 went to the proxy. What runs here is reached as localhost or 127.0.0.1.]',
    );
    assert.match(
      trafficWords({ ...traffic, refused: ['127.example.com:80'], withheld: [] }, true),
      /refused these hosts: 127\.example\.com:80/,
    );
    assert.match(trafficWords({ ...traffic, refused: [] }, true), /^\n\[npm\.house\.example: this machine has credentials/);
    assert.equal(trafficWords({ ...traffic, refused: [] }, false), '');
  });
});
