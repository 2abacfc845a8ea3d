/** services.yaml and `REQUIRES`: what may be written, and where an error points. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { InputError } from '../../../src/engine/ground/errors.ts';
import { requiresProblem } from '../../../src/engine/parse/requires.ts';
import { parseServices } from '../../../src/engine/parse/services-file.ts';

const parse = (text: string, network: 'none' | 'all' = 'none') => parseServices('services.yaml', text, { network });
const api = '- name: api\n  start: { command: node server.js }\n  ready: { http: "http://127.0.0.1:$PORT/health" }\n';

describe('services.yaml', () => {
  it('lists services, with the usual limit where none is given', () => {
    const text = `${api}- name: db\n  start:\n    compose: db\n  ready:\n    tcp: 5432\n  limit: 90\n- name: web\n  start: { script: dev }\n  ready: { command: test -e up }\n`;
    assert.deepEqual(parse(text, 'all'), [
      { name: 'api', start: { command: 'node server.js' }, ready: { http: 'http://127.0.0.1:$PORT/health' }, limit: 30 },
      { name: 'db', start: { compose: 'db', file: 'compose.yaml' }, ready: { tcp: 5432 }, limit: 90 },
      { name: 'web', start: { script: 'dev' }, ready: { command: 'test -e up' }, limit: 30 },
    ]);
    assert.deepEqual(parse(''), []);
  });

  const wrong: [string, string, RegExp][] = [
    ['no YAML', '- name: [', /^services\.yaml:\d+: /],
    ['no list', 'api:\n  start: x\n', /^services\.yaml:1: the file is not a list of services\.$/],
    [
      'a name that cannot be required',
      `${api}- name: The API\n  start: { command: x }\n  ready: { tcp: 1 }\n`,
      /^services\.yaml:4: "name": lower case/,
    ],
    ['no start', '- name: api\n  ready: { tcp: 1 }\n', /^services\.yaml:1: "start": give one of \{command\}/],
    [
      'two ways to start',
      '- name: api\n  ready: { tcp: 1 }\n  start: { command: x, script: y }\n',
      /^services\.yaml:3: "start": give one of/,
    ],
    ['an address that is none', '- name: api\n  start: { command: x }\n  ready: { http: localhost }\n', /^services\.yaml:3: "ready/],
    ['a port that is none', '- name: api\n  start: { command: x }\n  ready: { tcp: 70000 }\n', /^services\.yaml:3: "ready/],
    [
      'a limit without end',
      '- name: api\n  start: { command: x }\n  ready: { tcp: 1 }\n  limit: 9999\n',
      /^services\.yaml:4: "limit": .*600/,
    ],
    ['a field that does not exist', `${api}  retries: 3\n`, /^services\.yaml:1: .*retries/],
    ['a name twice', `${api}${api}`, /^services\.yaml:4: there are two services "api"/],
    [
      'Docker that commands cannot reach',
      '- name: db\n  start: { compose: db }\n  ready: { tcp: 1 }\n',
      /^services\.yaml:1: service "db" runs in Docker/,
    ],
    ['an option for Docker', '- name: db\n  start: { compose: --privileged }\n  ready: { tcp: 1 }\n', /^services\.yaml:2: "start/],
    [
      'a compose file elsewhere',
      '- name: db\n  start: { compose: db, file: ../compose.yaml }\n  ready: { tcp: 1 }\n',
      /^services\.yaml:2: "start/,
    ],
  ];
  for (const [what, text, message] of wrong)
    it(`is refused with file and line for ${what}`, () => {
      assert.throws(
        () => parse(text),
        (error) => error instanceof InputError && message.test(error.message) && error.next.includes('- { name: api'),
      );
    });
});

describe('REQUIRES', () => {
  const known = parse(api);
  for (const fine of [[], ['api'], ['node', 'curl', 'api'], ['postgres'], ['apiary']])
    it(`may name ${fine.join(', ') || 'nothing'}`, () => assert.equal(requiresProblem(fine, known), undefined));
  for (const wrong of ['API', 'api:3000', 'service:api', 'service:redis'])
    it(`may not name ${wrong}, and says what there is`, () => {
      assert.equal(
        requiresProblem(['node', wrong], known),
        `REQUIRES names "${wrong}", which is no service; there are: api. Write a service by its name alone`,
      );
    });
  it('names tools alone where a sprint has no services', () => {
    assert.equal(requiresProblem(['api', 'API'], []), undefined);
    assert.match(requiresProblem(['service:api'], []) ?? '', /this sprint has none/);
  });
});
