/** Reads services.yaml and `REQUIRES`: what is allowed, and which line an error names. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { InputError } from '../../../src/engine/ground/errors.ts';
import { requiresProblem } from '../../../src/engine/parse/requires.ts';
import { parseServices } from '../../../src/engine/parse/services-file.ts';

const parse = (text: string, network: 'none' | 'all' = 'none') => parseServices('services.yaml', text, { network });
const api = '- name: api\n  start: { command: node server.js }\n  ready: { http: "http://127.0.0.1:$PORT/health" }\n';

describe('services.yaml', () => {
  it('lists services, with the default limit when none is given', () => {
    const text = `${api}- name: db\n  start:\n    compose: db\n  ready:\n    tcp: 5432\n  limit: 90\n- name: web\n  start: { script: dev }\n  ready: { command: test -e up }\n`;
    assert.deepEqual(parse(text, 'all'), [
      { name: 'api', start: { command: 'node server.js' }, ready: { http: 'http://127.0.0.1:$PORT/health' }, limit: 30 },
      { name: 'db', start: { compose: 'db', file: 'compose.yaml' }, ready: { tcp: 5432 }, limit: 90 },
      { name: 'web', start: { script: 'dev' }, ready: { command: 'test -e up' }, limit: 30 },
    ]);
    assert.deepEqual(parse(''), []);
  });

  const wrong: { what: string; text: string; message: RegExp }[] = [
    { what: 'invalid YAML', text: '- name: [', message: /^services\.yaml:\d+: / },
    { what: 'no list', text: 'api:\n  start: x\n', message: /^services\.yaml:1: the file is not a list of services\.$/ },
    {
      what: 'a name that cannot be required',
      text: `${api}- name: The API\n  start: { command: x }\n  ready: { tcp: 1 }\n`,
      message: /^services\.yaml:4: "name": lower case/,
    },
    { what: 'no start', text: '- name: api\n  ready: { tcp: 1 }\n', message: /^services\.yaml:1: "start": give one of \{command\}/ },
    {
      what: 'two ways to start',
      text: '- name: api\n  ready: { tcp: 1 }\n  start: { command: x, script: y }\n',
      message: /^services\.yaml:3: "start": give one of/,
    },
    {
      what: 'an invalid address',
      text: '- name: api\n  start: { command: x }\n  ready: { http: localhost }\n',
      message: /^services\.yaml:3: "ready/,
    },
    {
      what: 'an invalid port',
      text: '- name: api\n  start: { command: x }\n  ready: { tcp: 70000 }\n',
      message: /^services\.yaml:3: "ready/,
    },
    {
      what: 'a limit that is too high',
      text: '- name: api\n  start: { command: x }\n  ready: { tcp: 1 }\n  limit: 9999\n',
      message: /^services\.yaml:4: "limit": .*600/,
    },
    { what: 'an unknown field', text: `${api}  retries: 3\n`, message: /^services\.yaml:4: there is no field "retries"/ },
    {
      what: 'a name with the same variable for its port',
      text: `${api.replace('api', 'a-b')}${api.replace('api', 'a_b')}`,
      message: /^services\.yaml:4: "a-b" and "a_b" would share the variable PORT_A_B; rename one/,
    },
    { what: 'a name twice', text: `${api}${api}`, message: /^services\.yaml:4: there are two services "api"/ },
    {
      what: 'a Docker service that commands cannot reach',
      text: '- name: db\n  start: { compose: db }\n  ready: { tcp: 1 }\n',
      message: /^services\.yaml:1: service "db" runs in Docker/,
    },
    {
      what: 'an option for Docker',
      text: '- name: db\n  start: { compose: --privileged }\n  ready: { tcp: 1 }\n',
      message: /^services\.yaml:2: "start/,
    },
    {
      what: 'a compose file elsewhere',
      text: '- name: db\n  start: { compose: db, file: ../compose.yaml }\n  ready: { tcp: 1 }\n',
      message: /^services\.yaml:2: "start/,
    },
  ];
  for (const { what, text, message } of wrong)
    it(`is refused with file and line: ${what}`, () => {
      assert.throws(
        () => parse(text),
        (error) => error instanceof InputError && message.test(error.message) && error.next.includes('- { name: api'),
      );
    });
});

describe('REQUIRES', () => {
  const known = parse(api);
  for (const valid of [[], ['api'], ['node', 'curl', 'api'], ['postgres'], ['apiary']])
    it(`can name ${valid.join(', ') || 'nothing'}`, () => assert.equal(requiresProblem(valid, known), undefined));
  for (const invalid of ['API', 'api:3000', 'service:api', 'service:redis'])
    it(`cannot name ${invalid}, and the error lists the known services`, () => {
      assert.equal(
        requiresProblem(['node', invalid], known),
        `REQUIRES names "${invalid}", which is no service; there are: api. Write a service by its name alone`,
      );
    });
  it('can name only tools when the sprint has no services', () => {
    assert.equal(requiresProblem(['api', 'API'], []), undefined);
    assert.match(requiresProblem(['service:api'], []) ?? '', /this sprint has none/);
  });
});
