/** Installs that change, fail or are killed while a sprint runs: none of it is a verdict on the work (docs/machine.md). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { after, before, describe, it } from 'mocha';
import type { Installed } from '../../../src/engine/work/install.ts';
import { npmRegistry, type Listening } from '../../host/egress/registries.ts';
import { build, discovered, script, withSessions, writeVerifications, type Session } from '../../support/greeter.ts';
import { plan, writes } from '../../support/greeting-service.ts';
import { endIdleLaunchers } from '../../support/launchers.ts';
import { FakePerson } from '../../support/person.ts';
import { ground, run, type RunOptions } from '../../support/sprint.ts';
import { assertUntouched } from './world.ts';

const own = ['npm_config_registry', 'HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'] as const;

/** The work: it greets with the word of a package, and remembers a name in a file of its own folder. */
const greeter = `const fs = require('node:fs');
const [, , how, name] = process.argv;
if (how === '--remember') fs.mkdirSync('data', { recursive: true }), fs.writeFileSync('data/name.txt', name);
else console.log(require('word') + ', ' + (how === '--again' ? fs.readFileSync('data/name.txt', 'utf8') : how) + '!');
`;
const greets = script('cli/greets', { prd: '1.1, V1', red: 'wrong greeting', command: 'node greet.js Ada', expect: 'Hello, Ada!' });

const sessionsOf = (verifications: (typeof greets)[], files: Record<string, string>): Session[] =>
  withSessions(
    discovered(),
    plan(['T1', ['1.1', '1.2', '1.3', 'V1']]),
    writeVerifications(...verifications),
    build('T1', ...Object.entries(files).map(([path, text]) => writes(text, path))),
  ).filter(({ role }) => role !== 'fixer');

const manifest = JSON.stringify({ name: 'greeter', dependencies: { word: '*' } });
const ignored = { '.gitignore': 'ignored/\nnode_modules/\n', 'package.json': manifest };

/** Plays a sprint whose npm asks this server. */
async function played(registry: Listening, sessions: Session[], files: Record<string, string>, options: RunOptions = {}) {
  for (const name of own) delete process.env[name];
  process.env['npm_config_registry'] = `http://127.0.0.1:${registry.port}/`;
  await endIdleLaunchers();
  const at = await ground(sessions, files);
  const result = await run(at, sessions, options);
  const installs = result.events.flatMap((e) =>
    e.type === 'step.ended' ? e.facts.flatMap((f): Installed[] => (f.fact === 'install.ran' ? [f.installed] : [])) : [],
  );
  return { ...result, at, installs };
}

describe('the machine is no verdict: dependencies', () => {
  const kept = Object.fromEntries(own.map((name) => [name, process.env[name]]));
  const opened: { close(): void }[] = [];
  after(async () => {
    for (const name of own)
      if (kept[name] === undefined) delete process.env[name];
      else process.env[name] = kept[name];
    for (const server of opened.splice(0)) server.close();
    await endIdleLaunchers();
  });
  const isOpen = <T extends { close(): void }>(server: T): T => (opened.push(server), server);

  describe('that stay', () => {
    let sprint: Awaited<ReturnType<typeof played>>;
    before(async () => {
      const packages = ['Hi', 'Hello'].map((word, n) => ({
        name: 'word',
        version: `${n + 1}.0.0`,
        files: { 'index.js': `module.exports = '${word}';\n` },
      }));
      const registry = isOpen(await npmRegistry(packages, { instead: untilTwo() }));
      const lock = (version: string): string => lockOf(version, registry.port);
      const remembers = (name: string, prd: string) => {
        const other = script(`cli/${name.toLowerCase()}`, {
          prd,
          red: `wrong memory of ${name}`,
          command: 'node greet.js --again',
          expect: `Hello, ${name}!`,
        });
        const { path, content } = other.write_verification;
        const asks = `node greet.js --remember ${name}; curl -s http://127.0.0.1:${registry.port}/meet`;
        return { write_verification: { path, content: content.replace('\nout=', `\n${asks}\nout=`) } };
      };
      const sessions = sessionsOf([greets, remembers('Ada', '1.2'), remembers('Grace', '1.3')], {
        'greet.js': greeter,
        'package-lock.json': lock('2.0.0'),
      });
      sprint = await played(registry, sessions, { ...ignored, 'package-lock.json': lock('1.0.0') });
    });
    after(() => sprint.at.dispose());

    it('a lock file changes', () => {
      assert.deepEqual(sprint.ending, { stop: 'delivered', reasons: [] });
      assertUntouched(sprint.state, sprint.events);
      assert.deepEqual(
        sprint.installs.map(({ exit }) => exit),
        [0, 0],
        'once for the old lock file, once for the new one',
      );
      const onIt = sprint.state.ledger.runs['cli/greets']?.filter(({ code, where }) => code === 1 && where === 'tree') ?? [];
      assert.deepEqual(
        onIt.map(({ verdict }) => verdict),
        ['green'],
        'installed before it ran',
      );
    });

    it('two verifications share a file', () => {
      assertUntouched(sprint.state, sprint.events);
      for (const id of ['cli/ada', 'cli/grace']) {
        const built = sprint.state.ledger.runs[id]?.filter(({ code, where }) => code === 1 && where === 'tree') ?? [];
        assert.deepEqual([...new Set(built.map(({ verdict }) => verdict))], ['green'], id);
      }
      assert.deepEqual(sprint.state.work.tree.commits[0]?.files.map(({ path }) => path).sort(), ['greet.js', 'package-lock.json']);
    });
  });

  describe('that fail', () => {
    let sprint: Awaited<ReturnType<typeof played>>;
    const killed: number[] = [];
    let pings = 0;
    before(async () => {
      let isUp = false;
      let folder = '';
      const word = {
        name: 'word',
        manifest: { scripts: { postinstall: 'curl -s "$npm_config_registry"ping' } },
        files: { 'index.js': "module.exports = 'Hello';\n" },
      };
      const instead = (...[req, res]: Parameters<RequestListener>): boolean => {
        if (isUp && req.url !== '/ping') return false;
        if (isUp) pings += 1;
        if (pings === 1) killed.push(...killInstall(folder));
        res.writeHead(isUp ? 200 : 404).end('{}');
        return true;
      };
      const registry = isOpen(await npmRegistry([word], { instead }));
      const person = new FakePerson(true, (asked) => {
        if (asked.kind !== 'deed') return 'skip';
        isUp = true;
        return 'done';
      });
      const onEvent = (): void => void (folder ||= process.env['LOOP_STATE_HOME'] ?? '');
      const words = (prd: string, name: string) =>
        script(`cli/${name.toLowerCase()}`, {
          prd,
          red: `no word for ${name}`,
          command: `node greet.js ${name}`,
          expect: `Hello, ${name}!`,
        });
      const sessions = sessionsOf([greets, words('1.2', 'Alan'), words('1.3', 'Jean')], { 'greet.js': greeter });
      sprint = await played(
        registry,
        sessions,
        { ...ignored, '.gitignore': `${ignored['.gitignore']}package-lock.json\n` },
        {
          person,
          onEvent,
        },
      );
    });
    after(() => sprint.at.dispose());

    it('an install fails', () => {
      assert.deepEqual(sprint.ending, { stop: 'delivered', reasons: [] });
      assertUntouched(sprint.state, sprint.events);
      assert.notEqual(sprint.installs[0]?.exit, 0);
      const first = sprint.state.ledger.runs['cli/greets']?.find(({ code }) => code === 1);
      assert.deepEqual([first?.verdict, first?.why], ['none', 'the install npm failed']);
      const [asked] = Object.values(sprint.state.ledger.humanActions);
      assert.deepEqual([asked?.action, asked?.status], ['See that npm can be installed', 'fulfilled']);
    });

    it('an install is killed', () => {
      assertUntouched(sprint.state, sprint.events);
      assert.ok(killed.length > 0, 'nothing was killed');
      assert.ok(pings > 1, 'it was not made again');
      assert.equal(sprint.installs.at(-1)?.exit, 0);
    });
  });
});

/** Answers once two wait, or after a moment: a verification may run alone. */
function untilTwo(): (...on: Parameters<RequestListener>) => boolean {
  let waiting: (() => void)[] = [];
  return (req, res) => {
    if (req.url !== '/meet') return false;
    const all = [...waiting, () => void res.end()];
    waiting = all.length < 2 ? all : [];
    if (waiting.length === 0) for (const answer of all) answer();
    else setTimeout(() => void res.end(), 1000).unref();
    return true;
  };
}

function lockOf(version: string, port: number): string {
  const resolved = `http://127.0.0.1:${port}/word/-/word-${version}.tgz`;
  const packages = { '': { name: 'greeter', dependencies: { word: '*' } }, 'node_modules/word': { version, resolved } };
  return `${JSON.stringify({ name: 'greeter', lockfileVersion: 3, requires: true, packages }, null, 2)}\n`;
}

/** Kills npm in the sandboxes of this sprint from outside, as a machine without memory does. */
function killInstall(folder: string): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  const found = lines.filter((line) => /bwrap/.test(line) && line.includes(folder)).map((line) => Number(/^\s*(\d+)/.exec(line)?.[1]));
  for (const pid of found) process.kill(pid, 'SIGKILL');
  return found;
}
