/** What a scan of the repository tells discovery before a model is asked. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { scanLines } from '../../../src/engine/parse/project-scan.ts';

const lines = (files: Record<string, string>) => scanLines(Object.entries(files).map(([path, text]) => ({ path, text })));

const workflow = (steps: string[]): string => `jobs:\n  test:\n    steps:\n${steps.map((line) => `      ${line}\n`).join('')}`;

const repositories: { what: string; files: Record<string, string>; found: string[] }[] = [
  { what: 'nothing', files: { 'README.md': 'hello' }, found: [] },
  {
    what: 'scripts and installs of package.json',
    files: {
      'package.json':
        '{"scripts":{"dev":"vite","preview":"vite preview","test:unit":"ava","lint":"x","release":"y"},"dependencies":{"vite":"7"}}',
    },
    found: [
      'install: npm',
      'package.json: script dev runs `vite`',
      'package.json: script preview runs `vite preview`',
      'package.json: script test:unit runs `ava`',
      'package.json: script lint runs `x`',
    ],
  },
  {
    what: 'compose services',
    files: { 'docker-compose.yml': 'services:\n  db:\n    image: postgres:16\n    ports: ["5432:5432"]\n  web:\n    build: .\n' },
    found: ['docker-compose.yml: service db (image postgres:16), ports 5432:5432', 'docker-compose.yml: service web'],
  },
  { what: 'a Procfile', files: { Procfile: 'web: node server.js\n# no\n' }, found: ['Procfile: web: node server.js'] },
  {
    what: 'ports of a Dockerfile',
    files: { 'api/Dockerfile': 'FROM node\nEXPOSE 8080\nCMD ["node"]\n' },
    found: ['api/Dockerfile: EXPOSE 8080', 'api/Dockerfile: CMD ["node"]'],
  },
  {
    what: 'what CI runs, each once, without what sets it up',
    files: {
      '.github/workflows/ci.yml':
        'jobs:\n  build:\n    steps:\n      - uses: actions/checkout@v5\n      - run: pip install flake8\n      - run: |\n          python -m pip install -e .\n          flake8 --ignore=E501 .\n  again:\n    steps:\n      - run: flake8 --ignore=E501 .\n',
      '.gitlab-ci.yml': 'stages: [test]\ntypes:\n  script:\n    - npm ci\n    - npx tsc --noEmit\none:\n  script: flake8 --ignore=E501 .\n',
      'tox.ini':
        '[testenv]\ndeps =\n    pytest\ncommands =\n    pytest \\\n      test.py\n    - coverage combine\n[testenv:mypy]\ncommands = mypy\n',
      '.github/workflows/publish.yml': 'jobs: {build: {steps: [{run: python -m build}]}}\n',
      'docs/workflows/ci.yml': 'jobs: {build: {steps: [{run: other}]}}\n',
    },
    found: [
      '.github/workflows/ci.yml: CI runs `flake8 --ignore=E501 .`',
      '.gitlab-ci.yml: CI runs `npx tsc --noEmit`',
      'tox.ini: CI runs `pytest test.py`',
      'tox.ini: CI runs `mypy`',
    ],
  },
  {
    what: 'commands of CI that stand behind what sets them up, with their folder',
    files: {
      '.github/workflows/ci.yml': workflow([
        '- run: npm ci && npm test',
        '- run: python -m pip install -e .[test] && pytest',
        '- run: cd web && npm run lint',
        '- run: (cd api; npm run lint); npm run types',
        '- {run: npm test, working-directory: ./web}',
        '- run: npx eslint \'a && b\' "x; y" ${{ a && b }} # all',
      ]),
    },
    found: [
      'npm test',
      'pytest',
      'cd web && npm run lint',
      'cd api && npm run lint',
      'npm run types',
      'cd web && npm test',
      'npx eslint \'a && b\' "x; y" ${{ a && b }}',
    ].map((command) => `.github/workflows/ci.yml: CI runs \`${command}\``),
  },
  {
    what: 'the folder that a command of CI runs in, however it is entered and left',
    files: {
      '.github/workflows/ci.yml': workflow([
        '- run: |',
        '    pushd web > /dev/null',
        '    npm run a',
        '    popd > /dev/null',
        '    npm run b',
        '    cd api || {',
        '      exit 1',
        '    }',
        '    npm run c',
        '    cd ../web',
        '    cd -',
        '    npm run d',
        '    cat > x.txt <<-END-OF-FILE',
        '    END-OF-FILE',
        '    for-each npm test',
        '    npm run e',
      ]),
    },
    found: [
      'cd web && npm run a',
      'npm run b',
      'cd api && npm run c',
      'cd api && npm run d',
      'cd api && for-each npm test',
      'cd api && npm run e',
    ].map((command) => `.github/workflows/ci.yml: CI runs \`${command}\``),
  },
  {
    what: 'what CI runs in the folder of a job or a workflow',
    files: {
      '.github/workflows/ci.yml':
        'defaults: {run: {working-directory: api}}\njobs:\n  a: {steps: [{run: npm test}]}\n  b: {defaults: {run: {working-directory: web}}, steps: [{run: npm test}, {run: "cd .. && npm test"}]}\n',
    },
    found: ['cd api && npm test', 'cd web && npm test', 'npm test'].map((command) => `.github/workflows/ci.yml: CI runs \`${command}\``),
  },
  {
    what: 'no words of a shell, no text for other programs, and nothing that may be red',
    files: {
      '.github/workflows/ci.yml': workflow([
        '- run: |',
        "    # it's here",
        '    KEY=abc',
        '    VERSION=$(node -p "require(\'./package.json\').version") OTHER="a b"',
        '    if [ "$KEY" = abc ]; then npm run a; else',
        '      npm run b',
        '    fi',
        '    for one in x y; do',
        '      npm run "$one"',
        '    done',
        '    case $KEY in x) npm run c ;; esac',
        "    cat > .npmrc <<'EOF'",
        '    key=abc',
        '    EOF',
        '    node -e "',
        '      process.exit(0)',
        '    "',
        '    npm run d || true',
        '    npm run e || { echo no; exit 1; }',
        '- {run: npm run f, continue-on-error: true}',
      ]),
      '.gitlab-ci.yml': 'a: {script: npm run g, allow_failure: true}\n',
    },
    found: ['npm run a', 'npm run b', 'npm run e || { echo no; exit 1; }'].map(
      (command) => `.github/workflows/ci.yml: CI runs \`${command}\``,
    ),
  },
  {
    what: 'checks of CI beside releases and pages',
    files: {
      '.github/workflows/test-and-deploy.yml': 'jobs: {test: {steps: [{run: npm test}]}, deploy: {steps: [{run: npm run ship}]}}\n',
      '.github/workflows/ci-docs-and-tests.yml': 'jobs: {docs: {steps: [{run: npm run docs}]}}\n',
    },
    found: ['.github/workflows/test-and-deploy.yml: CI runs `npm test`', '.github/workflows/ci-docs-and-tests.yml: CI runs `npm run docs`'],
  },
  {
    what: 'lines of other jobs of GitLab, in one shell',
    files: {
      '.gitlab-ci.yml':
        '.setup: {before: [cd web]}\ntests:\n  script:\n    - !reference [.setup, before]\n    - !reference [.gone, script]\n    - npm test\n',
    },
    found: ['.gitlab-ci.yml: CI runs `cd web && npm test`'],
  },
  {
    what: 'hooks of pre-commit',
    files: { '.pre-commit-config.yaml': 'repos:\n  - repo: x\n    hooks: [{id: ruff-check}, {id: mypy}]\n  - repo: y\n' },
    found: ['.pre-commit-config.yaml: hooks ruff-check, mypy'],
  },
  { what: 'targets of a Makefile', files: { Makefile: 'all:\n\techo\ntest: all\n\techo\n' }, found: ['Makefile: targets test'] },
  {
    what: 'broken files',
    files: { 'package.json': '{', 'compose.yaml': 'a: [', Procfile: '', '.github/workflows/a.yml': 'jobs: [', '.gitlab-ci.yml': '- 1' },
    found: [],
  },
];

describe('a scan of the repository', () => {
  for (const { what, files, found } of repositories) it(`finds ${what}`, () => assert.deepEqual(lines(files), found));

  it('names variables of an example, and never shows a value', () => {
    assert.deepEqual(lines({ '.env.example': 'API_KEY=sk-real\nexport PORT=3000\n# NOT=1\n' }), ['.env.example: variables API_KEY, PORT']);
  });

  it("warns of no tag that is another program's", () => {
    const warned: unknown[] = [];
    const { emitWarning } = process;
    process.emitWarning = (warning: string | Error): void => void warned.push(warning);
    try {
      lines({ '.gitlab-ci.yml': 'a:\n  script: [!reference [b, script]]\n' });
    } finally {
      process.emitWarning = emitWarning;
    }
    assert.deepEqual(warned, []);
  });

  it('is short, whatever the repository holds', () => {
    const many = lines(Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`p${i}/Procfile`, `web: ${'x'.repeat(999)}\n`])));
    assert.ok(many.length === 40 && many.every((line) => line.length <= 200));
  });
});
