import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { steady } from '../../src/models/steady.ts';

describe('what differs between two plays', () => {
  const cases: { what: string; text: string; same: string }[] = [
    { what: 'a temporary folder', text: 'cd /var/tmp/loop-example-Ab3dE/repo/src', same: 'cd <folder>/repo/src' },
    {
      what: 'the worktree of a sprint, however long its path is',
      text: "no module '/home/ada/.local/state/loop/worktrees/tips-8922/loop-tips/worktree/src/a.js' here",
      same: "no module '<worktree>' here",
    },
    { what: "a sprint's branch", text: 'on loop/tips-2-20260101-080000.', same: 'on loop/tips-2-<time>.' },
    { what: 'a port', text: 'http://localhost:20124/?a=1 and 127.0.0.1:80', same: 'http://localhost:<port>/?a=1 and 127.0.0.1:<port>' },
    { what: 'a commit in words', text: 'after change 5 (cf655a4)', same: 'after change 5 (<commit>)' },
    { what: 'commits of a log', text: 'status 0\nca6fa26 tips: T1\n1234567 First', same: 'status 0\n<commit> tips: T1\n<commit> First' },
    { what: 'a day, and a moment', text: 'since 2026-11-23, at 2026-11-23T08:00:00.123Z', same: 'since <date>, at <date>' },
  ];
  for (const { what, text, same } of cases)
    it(`is ${what}`, () => {
      assert.equal(steady(text), same);
      assert.equal(steady(same), same);
    });

  it('is no number, hash or path that a person or an agent wrote', () => {
    const text = '1.1926 17531.22, 40 of 12; #a1b2c3; /tmp/lent.json; the added face; 2026-01,CHF';
    assert.equal(steady(text), text);
  });
});
