/** What a scan of the repository tells discovery before a model is asked. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { scanLines } from '../../../src/engine/parse/project-scan.ts';

const lines = (files: Record<string, string>) => scanLines(Object.entries(files).map(([path, text]) => ({ path, text })));

const repositories: { what: string; files: Record<string, string>; found: string[] }[] = [
  { what: 'nothing', files: { 'README.md': 'hello' }, found: [] },
  {
    what: 'scripts and installs of package.json',
    files: { 'package.json': '{"scripts":{"dev":"vite","test:unit":"ava","lint":"x","release":"y"},"dependencies":{"vite":"7"}}' },
    found: [
      'install: npm',
      'package.json: script dev runs `vite`',
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

  it('is short, whatever the repository holds', () => {
    const many = lines(Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`p${i}/Procfile`, `web: ${'x'.repeat(999)}\n`])));
    assert.ok(many.length === 40 && many.every((line) => line.length <= 200));
  });
});
