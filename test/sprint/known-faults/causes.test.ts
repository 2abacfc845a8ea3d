/** Faults for which earlier loops were given up (spec/2, spec/5): one cause, mended as if it were as many as its failures. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { isHonestRed } from '../../../src/engine/judge/trust.ts';
import { build, writeVerifications, script, withSessions, type Session } from '../../support/greeter.ts';
import { edit, fixer, idle, play, type Played } from '../../support/played.ts';

/** Greets through a service that is down, and lets nobody in without a token. */
const buggy = `const [what, name] = process.argv.slice(2);
const say = () => console.log('Hello, ' + name);
const allowed = false;
if (what === 'greet') require('node:net').connect(9, '127.0.0.1', say);
else if (allowed) say();
else {
  console.log('HTTP 401 Unauthorized');
  process.exitCode = 1;
}
`;
const verification = (id: string, prd: string, { name, red }: { name: string; red: string }) => {
  const { write_verification } = script(id, {
    prd,
    red,
    command: `node greet.js ${id.split('/')[0]} ${name}`,
    expect: `Hello, ${name}`,
  });
  return { write_verification: { ...write_verification, content: write_verification.content.replace('2>/dev/null', '2>&1') } };
};
const named = (what: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${what}/n${10 + i}`);
const behindService = named('greet', 15);
const notLetIn = named('login', 5);
const fifteen = behindService.map((id) => verification(id, '1.1, V1', { name: id.slice(6), red: `no greeting of ${id}` }));
const five = notLetIn.map((id, i) => verification(id, i < 3 ? '1.2' : '1.3', { name: 'you', red: 'not let in' }));

const task = { task_id: 'T1', description: 'Greet', value: 'a greeting', acceptance: 'it is printed', prd_section: ['1.1', '1.2', '1.3'] };
const plan: Session = {
  role: 'reasoner',
  purpose: 'plan/',
  turns: [{ calls: [{ manage_task: { action: 'add', ...task } }, { report_plan_complete: { summary: 'One task.' } }] }],
};
const work = build('T1', { write_file: { path: 'greet.js', content: buggy } });
const sprintOf = (written: Record<string, unknown>[], ...fixers: Session[]): Session[] => [
  ...fixers,
  ...withSessions(plan, writeVerifications(...written), work).filter((s) => s.role !== 'fixer'),
];

describe('known faults: one cause, many failures', () => {
  let sprint: Played;

  describe('that is mended', () => {
    before(async () => {
      const service = edit('greet.js', "require('node:net').connect(9, '127.0.0.1', say)", 'say()');
      const token = edit('greet.js', 'allowed = false', 'allowed = true');
      const fixers = [fixer('fix/greet/n10#1', 'no service', service), fixer('fix/login/n10#1', 'a token', token)];
      sprint = await play(sprintOf([...fifteen, ...five], ...fixers));
    });
    after(() => sprint.at.dispose());

    it('spec/2 problem 4, where nobody declared the service: fifteen verifications cost one fix, known in one decision', () => {
      const fixes = sprint.decisions('fix').filter((d) => d.target.startsWith('greet/'));
      const why = '15 verifications are broken: localhost:9 refuses the connection';
      assert.deepEqual(
        fixes.map((d) => [d.target, d.why]),
        [['greet/n10', why]],
      );
      const order = sprint.state.ledger.decisions.map((d) => d.decision.action);
      assert.equal(order[order.indexOf('fix') - 1], 'settle', 'right after the runs that showed it: no model told the cause');
      for (const id of behindService) assert.equal(sprint.runs(id).findLast((r) => r.where === 'tree')?.verdict, 'green', id);
    });

    it('spec/2 problem 5: who mends one of many knows all the others, and it is one session', () => {
      const [prompt = '', ...more] = sprint.told('greet/n10');
      assert.deepEqual(more, []);
      for (const id of behindService) assert.ok(prompt.includes(id), id);
      assert.ok(!prompt.includes('login/'), 'another cause is not mixed in');
      const sessions = sprint.asks.filter((a) => a.action.startsWith('fix ') && a.turn === 1);
      assert.equal(sessions.length, 2, 'two causes, twenty failures');
    });

    it('spec/5 fault 4: five that fail because nobody is let in are one group, told by what they printed', () => {
      const [fix, ...more] = sprint.decisions('fix').filter((d) => d.target.startsWith('login/'));
      assert.deepEqual([fix?.target, more], ['login/n10', []]);
      assert.match(fix?.why ?? '', /^5 verifications are broken: the same failure: .*HTTP 401/);
      const lineages = fix?.burns.flatMap(({ kind, key }) => (kind === 'lineage' ? [key] : [])).sort();
      assert.deepEqual(lineages, notLetIn);
      assert.deepEqual(sprint.ending, { stop: 'delivered', reasons: [] });
    });
  });

  describe('that nobody mends', () => {
    const three = behindService.slice(0, 3);
    before(async () => void (sprint = await play(sprintOf(fifteen.slice(0, 3), idle('fix/*')))));
    after(() => sprint.at.dispose());

    it('spec/5 fault 2, where nobody declared the service: it is a failure that stays one, for all who need it', async () => {
      const { ending, state } = sprint;
      assert.equal(ending.stop, 'failed');
      for (const id of three) {
        const last = sprint.runs(id).at(-1);
        assert.ok(last, id);
        assert.deepEqual([last.verdict, last.kind, isHonestRed(last)], ['red', 'service_down', false], 'and it proves nothing');
        assert.ok(ending.reasons.includes(`Verification ${id} is not green.`), id);
        assert.match(await sprint.kept(`failures/${id}/latest.log`), /ECONNREFUSED/);
      }
      const fixes = sprint.decisions('fix').length;
      assert.equal(fixes, state.config.maxFixesPerSignature, 'tried as one, not three times as often');
    });
  });
});
