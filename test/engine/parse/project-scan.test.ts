/** What a scan of the repository tells discovery before a model is asked. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { scanLines } from '../../../src/engine/parse/project-scan.ts';

const lines = (files: Record<string, string>) => scanLines(Object.entries(files).map(([path, text]) => ({ path, text })));

const repositories: { what: string; files: Record<string, string>; found: string[] }[] = [
  { what: 'nothing', files: { 'README.md': 'hello' }, found: [] },
  {
    what: 'scripts and installs of package.json',
    files: { 'package.json': '{"scripts":{"dev":"vite","lint":"x"},"dependencies":{"vite":"7"}}' },
    found: ['install: npm', 'package.json: script dev runs `vite`'],
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
  { what: 'targets of a Makefile', files: { Makefile: 'all:\n\techo\ntest: all\n\techo\n' }, found: ['Makefile: targets test'] },
  { what: 'broken files', files: { 'package.json': '{', 'compose.yaml': 'a: [', Procfile: '' }, found: [] },
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
