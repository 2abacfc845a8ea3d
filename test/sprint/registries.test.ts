/** A whole sprint whose builder installs a package: the person's registry is reached, other hosts are refused and reported. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { readJournal } from '../../src/host/journal.ts';
import { npmRegistry, type Listening } from '../host/egress/registries.ts';
import { build, withSessions } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

const own = ['npm_config_registry', 'HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'] as const;

describe('a sprint that reaches registries', () => {
  let at: Ground;
  let registry: Listening;
  const before = Object.fromEntries(own.map((name) => [name, process.env[name]]));
  beforeEach(async () => {
    registry = await npmRegistry([{ name: 'left' }]);
    for (const name of own) delete process.env[name];
    process.env['npm_config_registry'] = `http://127.0.0.1:${registry.port}/`;
  });
  afterEach(async () => {
    registry.close();
    for (const name of own)
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    await at.dispose();
  });

  const program = { write_file: { path: 'greet.sh', content: 'name="$1"\necho "Hello, $name!"\n' } };
  const install =
    'cd /tmp && npm --no-audit --no-fund --fetch-retries=0 install left; test -d node_modules/left && echo installed; curl -s https://github.com/; curl -s https://github.com/ || true';
  const sessions = withSessions(build('T1', { bash: { command: install } }, program));

  it('tells the builder, the journal and the report what was reached and what was refused', async () => {
    at = await ground(sessions);
    const { state } = await run(at, sessions);
    assert.equal(state.config.network, 'registries', 'the default');
    const host = `127.0.0.1:${registry.port}`;
    const { by } = state.ledger.network.reached[host] ?? {};
    assert.equal(by, 'execute T1');
    const { events } = await readJournal(join(at.sprintDir, '.loop', 'journal.jsonl'));
    const refusals = events.flatMap((e) => (e.type === 'step.ended' ? e.facts.filter((f) => f.fact === 'host.refused') : []));
    assert.deepEqual(
      refusals.map((f) => ('host' in f ? f.host : '')),
      ['github.com'],
    );
    const report = await readFile(join(at.sprintDir, '.loop', 'DELIVERY_REPORT.md'), 'utf8');
    assert.match(report, /## Network\n\n- Refused: \*\*github\.com\*\*, first for `cd \/tmp && npm .*` \(execute T1\)/);
    assert.match(report, new RegExp(`- Reached: ${host}, by 1 command`));
  });

  it('reaches nothing where the person chose none', async () => {
    at = await ground(sessions);
    const { state } = await run(at, sessions, { overrides: { network: 'none' } });
    assert.deepEqual(state.ledger.network, { refused: {}, reached: {}, withheld: {} });
    assert.deepEqual(registry.asked, []);
  });
});
