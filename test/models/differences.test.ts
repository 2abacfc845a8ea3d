/** What a strict replay tells: each change of a text once, with where, and requests that only one of the plays has. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { differenceLines, differencesOf, joined } from '../../src/models/differences.ts';
import { parseRequests, requestsFileOf, writeRequests, type Asked, type Requests } from '../../src/models/requests.ts';
import { InputError } from '../../src/engine/ground/errors.ts';

const system = ['You are one of several.', 'You may look.', `${'x'.repeat(200)} and the end`].join('\n');
const asked = (purpose: string, turn: number, parts: Record<string, string> = { prompt: `Do ${purpose}.` }): Asked => ({
  role: 'builder',
  purpose,
  turn,
  parts: { system, ...parts },
});
const before: Requests = {
  ending: 'delivered',
  tools: { bash: 'Runs a command.\n\n{}' },
  asked: [asked('execute/T1#1', 1), asked('execute/T1#1', 2, { 'result of bash': 'ok' }), asked('execute/T2#1', 1)],
};
const told = (now: Requests): string[] => differencesOf(before, now).flatMap(differenceLines);

describe('a strict replay', () => {
  it('finds nothing where all is as it was, in whatever order it is asked', () => {
    assert.deepEqual(told({ ...before, asked: before.asked.toReversed() }), []);
  });

  it('tells a prompt that changed once, as one diff, with the first request and how many more', () => {
    const changed = system.replace('You may look.', 'You may not look.');
    const now = { ...before, asked: before.asked.map((one) => ({ ...one, parts: { ...one.parts, system: changed } })) };
    assert.deepEqual(told(now), [
      'system of builder execute/T1#1, turn 1, and 2 more requests:',
      '   You are one of several.',
      '  -You may look.',
      '  +You may not look.',
      `   ${'x'.repeat(59)}…`,
    ]);
  });

  it('shows of a long line what is around its change', () => {
    const parts = (word: string): Record<string, string> => ({ prompt: `${'a'.repeat(100)} ${word} ${'b'.repeat(100)}` });
    const [was, is] = [parts('old'), parts('new')].map((one) => ({ ...before, asked: [asked('execute/T1#1', 1, one)] }));
    assert.ok(was && is);
    assert.deepEqual(differencesOf(was, is)[0]?.lines, [
      `-…${'a'.repeat(59)} old ${'b'.repeat(59)}…`,
      `+…${'a'.repeat(59)} new ${'b'.repeat(59)}…`,
    ]);
  });

  it('tells another ending, another tool, a part that is gone, and requests that only one play has', () => {
    const now = {
      ending: 'partial',
      tools: { bash: 'Runs one command.\n\n{}' },
      asked: [asked('execute/T1#1', 1), asked('execute/T1#1', 2, {}), asked('fix/cli/name#1', 1)],
    };
    assert.deepEqual(told(now), [
      'ending:',
      '  -delivered',
      '  +partial',
      'tool bash:',
      '  -Runs a command.',
      '  +Runs one command.',
      '   ',
      'result of bash of builder execute/T1#1, turn 2:',
      '  -ok',
      '  +',
      'no longer asked:',
      '  builder execute/T2#1, turn 1',
      'asked now, and not before:',
      '  builder fix/cli/name#1, turn 1',
    ]);
  });

  it('tells the same change in several recordings once', () => {
    const one = { part: 'system', lines: ['-a', '+b'], where: ['lent: x'] };
    assert.deepEqual(joined([one, { ...one, where: ['hosting: y'] }, { ...one, part: 'prompt' }]), [
      { ...one, where: ['lent: x', 'hosting: y'] },
      { ...one, part: 'prompt' },
    ]);
  });
});

describe('the file of what was asked', () => {
  it('reads as it was written, with a text of several requests once', () => {
    const text = writeRequests(before);
    assert.deepEqual(parseRequests({ name: 'r', text }), before);
    assert.equal(text.split('You are one of several.').length, 2);
  });

  it('lies beside its recording', () => {
    assert.deepEqual(['a/b.yaml', 'a/b.json', 'c'].map(requestsFileOf), ['a/b.requests.yaml', 'a/b.requests.yaml', 'c.requests.yaml']);
  });

  for (const [what, text] of [
    ['no YAML', 'a: [1'],
    ['another file', 'recording: 1\nsessions: []\n'],
  ] as const)
    it(`is refused where it is ${what}, with the file's name`, () => {
      assert.throws(
        () => parseRequests({ name: 'r.yaml', text }),
        (error) => error instanceof InputError && error.message.startsWith('r.yaml'),
      );
    });
});
