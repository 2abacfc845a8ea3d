import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { InputError } from '../../src/engine/ground/errors.ts';
import { parseRecording } from '../../src/models/recording.ts';

const files: Record<string, string> = { 'files/cli.js': 'console.log(1);\n' };
function read(relative: string): string {
  return files[relative] ?? assert.fail('no such file');
}

function parse(text: string) {
  return parseRecording({ name: 'demo.yaml', text }, read);
}

function refusal(text: string): string {
  try {
    parse(text);
  } catch (error) {
    assert.ok(error instanceof InputError && error.next.length > 0);
    return error.message;
  }
  return assert.fail('the recording must be refused');
}

const head = 'recording: 1\nsessions:\n  - role: builder\n    purpose: execute/T1#1\n    turns:\n';

describe('a recording', () => {
  it('is read from YAML: both forms of a call, files next to it, line numbers', () => {
    const text = `${head}      - text: I write.
        calls:
          - bash: { command: npm test }
          - status:
          - tool: write_file
            input: { path: cli.js, edits: [{ content: { $file: files/cli.js } }] }
        usage: { input: 5 }
      - stop: max_tokens
        repeat: true
  - role: qc
    purpose: write-verifications/*
    turns: [{ text: Done }]
`;
    assert.deepEqual(parse(text), {
      name: 'demo.yaml',
      sessions: [
        {
          role: 'builder',
          purpose: 'execute/T1#1',
          line: 3,
          turns: [
            {
              text: 'I write.',
              calls: [
                { name: 'bash', input: { command: 'npm test' } },
                { name: 'status', input: {} },
                { name: 'write_file', input: { path: 'cli.js', edits: [{ content: 'console.log(1);\n' }] } },
              ],
              usage: { input: 5 },
              repeat: false,
            },
            { text: '', calls: [], usage: {}, stop: 'max_tokens', repeat: true },
          ],
        },
        {
          role: 'qc',
          purpose: 'write-verifications/*',
          line: 15,
          turns: [{ text: 'Done', calls: [], usage: {}, repeat: false }],
        },
      ],
    });
  });

  it('is read from JSON as well', () => {
    const text = JSON.stringify({
      recording: 1,
      sessions: [{ role: 'r', purpose: 'p', turns: [{ calls: [{ a: { $file: 'files/cli.js' } }] }] }],
    });
    assert.deepEqual(parse(text).sessions[0]?.turns[0]?.calls, [{ name: 'a', input: 'console.log(1);\n' }]);
  });

  it('continues with the sessions of its base, which keep their own line numbers', () => {
    const otherFiles = { 'base.yaml': `${head}      - text: theirs\n`, 'deep.yaml': 'recording: 1\nbase: base.yaml\nsessions: []\n' };
    const readOther = (name: string): string => otherFiles[name as keyof typeof otherFiles] ?? assert.fail(name);
    const from = (base: string) => parseRecording({ name: 'demo.yaml', text: `${head}      - text: ours\nbase: ${base}\n` }, readOther);
    assert.deepEqual(
      from('base.yaml').sessions.map((s) => [s.line, s.turns[0]?.text]),
      [
        [3, 'ours'],
        [3, 'theirs'],
      ],
    );
    assert.throws(() => from('deep.yaml'), /^InputError: demo\.yaml:7: deep\.yaml has a base itself/);
    assert.throws(() => from('../base.yaml'), /^InputError: demo\.yaml:7: "\.\.\/base\.yaml" does not lie beside the recording/);
  });

  it('is refused with file and line', () => {
    const rows: [text: string, message: RegExp][] = [
      ['recording: [1\n', /^demo\.yaml:\d+: /],
      ['', /^demo\.yaml:1: the recording: /],
      ['recording: 2\nsessions: []\n', /^demo\.yaml:1: recording: /],
      ['recording: 1\nsessions: []\nnotes: x\n', /^demo\.yaml:1: .*notes/],
      ['recording: 1\nsessions:\n  - role: builder\n    turns: [{ text: a }]\n', /^demo\.yaml:3: sessions\.0\.purpose: /],
      ['recording: 1\nsessions:\n  - role: builder\n    purpose: p\n    turns: []\n', /^demo\.yaml:5: sessions\.0\.turns: /],
      [`${head}      - text: a\n      - says: b\n`, /^demo\.yaml:7: sessions\.0\.turns\.1: .*says/],
      [
        `${head}      - calls:\n          - bash: {}\n          - a: {}\n            b: {}\n`,
        /^demo\.yaml:8: sessions\.0\.turns\.0\.calls\.1: a call is either/,
      ],
      [`${head}      - calls:\n          - {}\n`, /^demo\.yaml:7: .*a call is either/],
      [`${head}      - usage:\n          input: -1\n`, /^demo\.yaml:7: sessions\.0\.turns\.0\.usage\.input: /],
      [`${head}      - repeat: true\n      - text: b\n`, /^demo\.yaml:6: sessions\.0\.turns\.0\.repeat: only the last/],
      [`${head}      - text: a\n        text: b\n`, /^demo\.yaml:7: /],
      [`${head}      - calls:\n          - a: { x: { $file: gone.js } }\n`, /^demo\.yaml:7: "gone\.js" cannot be read: no such file/],
      ...['../up', '/etc/hostname', 'a/../../b', 'C:\\x', '\\\\host\\x'].map((path): [string, RegExp] => [
        `${head}      - text: a\n      - calls:\n          - a: { x: { $file: '${path}' } }\n`,
        /^demo\.yaml:8: .* does not lie beside the recording/,
      ]),
    ];
    for (const [text, message] of rows) assert.match(refusal(text), message, text);
  });
});
