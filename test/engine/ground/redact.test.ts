/** The secrets are assembled at run time, so that no secret scanner reports this file. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { redact, secretsIn } from '../../../src/engine/ground/redact.ts';
import { cpuMs } from '../../support/cpu.ts';

const letters = 'a8Kd03nQz7LpX2vTb9RmW5yHc1JfGs6E';
/** Random-looking characters of this length. */
const noise = (length: number) => letters.repeat(Math.ceil(length / letters.length)).slice(0, length);
const hex = (length: number) => '9f3b07ac51de'.repeat(8).slice(0, length);
/** Joins the parts of a known secret format, which must stay apart in this file. */
const glue = (...parts: string[]) => parts.join('');
const dash = '-'.repeat(5);
const begin = (kind: string) => `${dash}BEGIN ${kind}${dash}`;
const end = (kind: string) => `${dash}END ${kind}${dash}`;
const privateKey = ['PRIVATE', 'KEY'].join(' ');
const body = (lines: number) => Array.from({ length: lines }, () => noise(64));

/** Secrets, with the text before and after that must stay. */
const secrets: Record<string, [before: string, secret: string, after: string]> = {
  anthropic: ['key ', glue('sk-', 'ant-api03-') + noise(40) + '-AA', ' used'],
  'openai project': ['', glue('sk-', 'proj-') + noise(48), ''],
  openai: ['"', 'sk-' + noise(48), '"'],
  'github classic': ['remote: ', glue('ghp', '_') + noise(36), '.'],
  'github oauth': ['', glue('gho', '_') + noise(36), '\n'],
  'github server': ['(', glue('ghs', '_') + noise(36), ')'],
  'github refresh': ['<', glue('ghr', '_') + noise(76), '>'],
  'github fine-grained': ['', glue('github', '_pat_') + noise(22) + '_' + noise(59), ''],
  gitlab: ['', glue('glpat', '-') + noise(20), ''],
  'aws key id': ['id=', glue('AKIA', 'Q3EGRIOPA7SD5FGH'), ';'],
  'aws session id': ['', glue('ASIA', 'Q3EGRIOPA7SD5FGH'), ''],
  'aws secret': ['aws_secret_access_key = ', noise(20) + '/' + noise(18) + '+', '\n'],
  'slack bot': ['', glue('xoxb', '-123456789012-') + noise(24), ''],
  'slack user': ['', glue('xoxp', '-123456789012-') + noise(24), ''],
  'slack app': ['', glue('xapp', '-1-A0123456789-') + noise(32), ''],
  'slack hook': ['https://hooks.slack.com/services/', glue('T0123ABCD', '/B0123ABCD/') + noise(24), ''],
  'google api': ['?k=', 'AIza' + noise(35), '&x=1'],
  'google oauth': ['', glue('ya29', '.') + noise(60), ''],
  'google client': ['', glue('GOCSPX', '-') + noise(28), ''],
  npm: ['', glue('npm', '_') + noise(36), ''],
  'npm auth line': ['//registry.example.com/:_authToken=', hex(8) + '-plain', '\n'],
  'npm password line': ['_password = "', 'cGxhaW50ZXh0', '"'],
  pypi: ['', glue('pypi', '-') + noise(80), ''],
  'stripe secret': ['', glue('sk', '_live_') + noise(24), ''],
  'stripe restricted': ['', glue('rk', '_test_') + noise(24), ''],
  'stripe hook': ['', glue('whsec', '_') + noise(32), ''],
  sendgrid: ['', glue('SG', '.') + noise(22) + '.' + noise(43), ''],
  'hugging face': ['', glue('hf', '_') + noise(34), ''],
  'digital ocean': ['', glue('dop', '_v1_') + hex(64), ''],
  shopify: ['', glue('shpat', '_') + hex(32), ''],
  vault: ['', glue('hvs', '.') + noise(24), ''],
  age: ['', glue('AGE-SECRET', '-KEY-1') + noise(58).toUpperCase(), ''],
  telegram: ['bot', '', ''],
  jwt: ['token is ', 'eyJ' + noise(20) + '.eyJ' + noise(40) + '.' + noise(43), ' ok'],
  'bearer header': ['> Authorization: Bearer ', noise(32), '\r\n'],
  'bearer in code': ['{ "authorization": "Bearer ', noise(24), '" }'],
  'basic header': ['authorization: Basic ', glue('dXNlcjpw', 'NHNzdzByZA=='), '\n'],
  'address with a password': ['postgres://admin:', noise(16), '@db.example.com/x'],
  'password in an env file': ['DB_PASSWORD=', glue('x7#Kp2', '!qLz9'), '\n'],
  'password in yaml': ['  password: "', glue('Tr0ub4', 'dor&3Xk'), '"'],
  'secret in json': ['{"client_secret": "', noise(32), '", "a": 1}'],
  'api key in code': ["const apiKey = '", noise(32), "';"],
  'api key header': ['x-api-key: ', noise(40), '\n'],
  'secret in hex': ['SESSION_SECRET=', hex(64), '\n'],
  'token on a command line': ['deploy --token=', noise(30), ' --dry-run'],
  'ruby hash': [':password => "', glue('aB3x9', 'Zq7Lm'), '"'],
  'go assignment': ['token := "', noise(30), '"'],
  'azure connection': ['AccountName=x;AccountKey=', noise(86) + '==', ';'],
  'private key': ['', [begin(privateKey), ...body(4), noise(12), end(privateKey)].join('\n'), '\nafter'],
  'rsa key with headers': [
    'x\n',
    [begin(`RSA ${privateKey}`), 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,00', '', ...body(3), end(`RSA ${privateKey}`)].join('\n'),
    '\ny',
  ],
  'openssh key, windows lines': ['', [begin(`OPENSSH ${privateKey}`), ...body(3), end(`OPENSSH ${privateKey}`)].join('\r\n'), ''],
  'pgp key': ['', [begin(`PGP ${privateKey} BLOCK`), 'Version: 1', '', ...body(3), '=ab12', end(`PGP ${privateKey} BLOCK`)].join('\n'), ''],
  'key in json': ['{"k":"', [begin(privateKey), ...body(2), end(privateKey)].join('\\n'), '\\n"}'],
  'key in indented yaml': ['k: |\n  ', [begin(privateKey), ...body(3), end(privateKey)].join('\n  '), '\nnext: 1'],
  'key whose end is cut off': ['', [begin(privateKey), ...body(5)].join('\n'), '\n\nplain words'],
  'key whose beginning is cut off': ['plain words\n', [...body(3), noise(10), end(privateKey)].join('\n'), '\n'],
};
secrets['telegram'] = ['bot ', glue('123456789', ':AA') + noise(33), ' /send'];

const harmless: Record<string, string> = {
  'git hash': 'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
  'short hash': 'index 83db48f..bf2a9c1 100644',
  sha256: `${hex(64)}  file.tar.gz`,
  'docker digest': `image@sha256:${hex(64)}`,
  integrity: `"integrity": "sha512-${noise(86)}=="`,
  uuid: 'id: 123e4567-e89b-12d3-a456-426614174000',
  'uuid beside a name': 'token: 123e4567-e89b-12d3-a456-426614174000',
  'hash of a password': `password_hash = ${hex(64)}`,
  'call in code': 'password = getPassword2()',
  'call with an argument': 'const token = await fetchToken2For(user)',
  'member in code': 'password: config.database.password1',
  environment: 'const secret = process.env.SECRET_KEY_2;',
  'index in code': "token = headers2['x-token']",
  'shell variable': 'API_KEY=$MY_API_KEY_2',
  'braced variable': 'token: ${{ secrets.NPM_TOKEN_2 }}',
  'template text': 'Authorization: Bearer ${token1234}',
  'placeholder in a header': 'Authorization: Bearer <your-token>',
  'words in a header': 'Authorization: Bearer YOUR_ACCESS_TOKEN',
  'type in code': 'password: string; secretName: Identifier64',
  'limit in code': 'maxTokens = 16384000',
  'setting in code': 'tokenBudget: maxTokens2048',
  'test words': "login({ password: 'correct-horse-battery' })",
  'local database': 'postgres://postgres:postgres@localhost:5432/app',
  'placeholder value': 'API_KEY=your_api_key_goes_here',
  'angle placeholder': 'password=<PASSWORD>',
  stars: 'password: ************',
  'path of a key': 'private_key_path = /etc/ssl/private/server2.pem',
  'path as a value': 'token: ./fixtures/token4.json',
  'working folder': 'PWD=/tmp/tmp.aB3dE9xY/project',
  'version beside a name': '"jsonwebtoken": "^9.0.2-beta.1", "@x/token": "12.4.56789"',
  'marker in code': `if (text.startsWith('${begin(privateKey)}')) return;`,
  'markers in code': `const [a, b] = ['${begin(privateKey)}', '${end(privateKey)}'];`,
  'public key': [begin('PUBLIC KEY'), ...body(2), end('PUBLIC KEY')].join('\n'),
  certificate: [begin('CERTIFICATE'), ...body(2), end('CERTIFICATE')].join('\n'),
  'prefix alone': 'keys start with sk-ant- or ghp_ or AKIA',
  'part of a word': `task-${'a'.repeat(40)}, mynpm_${noise(36)}`,
  'base64 picture': `data:image/png;base64,${noise(200)}`,
  'failing assertion': "AssertionError: expected token 'abc' to equal 'def' at Parser.next (parser.ts:12:5)",
};

describe('redact', () => {
  for (const [name, [before, secret, after]] of Object.entries(secrets))
    it(`removes: ${name}`, () => assert.equal(redact(before + secret + after), `${before}[redacted]${after}`));

  for (const [name, [before, secret, after]] of Object.entries(secrets))
    it(`finds the place of: ${name}`, () => {
      const text = `first line\n${before}${secret}${after}`;
      const places = secretsIn(text);
      assert.ok(places.length > 0);
      const rest = places.toReversed().reduce((kept, { from, to }) => kept.slice(0, from) + kept.slice(to), text);
      assert.ok(rest.length >= before.length && !rest.includes(secret) && redact(rest) === rest, rest);
    });

  for (const [name, text] of Object.entries(harmless)) it(`keeps: ${name}`, () => assert.equal(redact(text), text));

  it('removes several secrets from one text', () => {
    const texts = Object.values(secrets).map((parts) => parts.join(''));
    const clean = redact(texts.join('\n\n---\n\n'));
    for (const [, secret] of Object.values(secrets)) assert.ok(!clean.includes(secret), secret);
  });

  it('changes nothing when it runs again', () => {
    const part = fc.oneof(fc.string(), fc.constantFrom(...Object.values(secrets).map((p) => p.join('')), ...Object.values(harmless)));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const once = redact(parts.join(' '));
        assert.equal(redact(once), once);
      }),
      { numRuns: 300 },
    );
  });

  it('takes linear time for any text', () => {
    const shapes = [
      'a',
      'A1',
      '=',
      'password',
      'a.',
      'x://',
      'eyJ',
      '-----BEGIN RSA PRIVATE KEY-----\n',
      `${noise(64)}\n`,
      ' \n',
      'token:     ',
      '-----END PRIVATE KEY-----\n',
      'a:b@',
    ];
    for (const shape of shapes) {
      const text = shape.repeat(Math.ceil(1_000_000 / shape.length));
      const took = cpuMs(() => redact(text));
      assert.ok(took < 1500, `${JSON.stringify(shape)}: ${Math.round(took)} ms`);
    }
  });
});
