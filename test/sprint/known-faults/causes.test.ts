/** Faults of an earlier system that must not come back: one cause with many failures was fixed as if it were many causes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { isHonestRed } from '../../../src/engine/judge/trust.ts';
import { approvesPlan, build, script, type Session, withSessions, writeVerifications } from '../../support/greeter.ts';
import { edit, fixer, idle, play, type Played } from '../../support/played.ts';

/** Greets through a service that is down, and refuses logins without a token. */
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
const verification = (id: string, prd: string, name: string, red: string) => {
  const { write_verification } = script(id, {
    prd,
    red,
    command: `node greet.js ${id.split('/')[0]} ${name}`,
    expect: `Hello, ${name}`,
  });
  return { write_verification: { ...write_verification, content: write_verification.content.replace('2>/dev/null', '2>&1') } };
};
const ids = (what: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${what}/n${10 + i}`);
const behindService = ids('greet', 15);
const refusedLogin = ids('login', 5);
const fifteen = behindService.map((id) => verification(id, '1.1, V1', id.slice(6), `no greeting of ${id}`));
const five = refusedLogin.map((id, i) => verification(id, i < 3 ? '1.2' : '1.3', 'you', 'not let in'));

const prd_section = ['1.1', '1.2', '1.3', 'V1'];
const task = { task_id: 'T1', description: 'Greet', value: 'a greeting', acceptance: 'it is printed', prd_section };
const plan: Session = {
  role: 'reasoner',
  purpose: 'plan/',
  turns: [{ calls: [{ manage_task: { action: 'add', ...task } }, { report_plan_complete: { summary: 'One task.' } }, approvesPlan] }],
};
const work = build('T1', { write_file: { path: 'greet.js', content: buggy } });
const sprintOf = (written: Record<string, unknown>[], ...fixers: Session[]): Session[] => [
  ...fixers,
  ...withSessions(plan, writeVerifications(...written), work).filter((s) => s.role !== 'fixer'),
];

describe('known faults: one cause with many failures', () => {
  let sprint: Played;

  describe('when it is fixed', () => {
    before(async () => {
      const service = edit('greet.js', "require('node:net').connect(9, '127.0.0.1', say)", 'say()');
      const token = edit('greet.js', 'allowed = false', 'allowed = true');
      const fixers = [fixer('fix/greet/n10#1', 'no service', service), fixer('fix/login/n10#1', 'a token', token)];
      sprint = await play(sprintOf([...fifteen, ...five], ...fixers));
    });
    after(() => sprint.at.dispose());

    it('fifteen verifications behind an undeclared service cost one fix, right after the runs that failed', () => {
      const fixes = sprint.decisions('fix').filter((d) => d.target.startsWith('greet/'));
      const why = '15 verifications are broken: localhost:9 refuses the connection';
      assert.deepEqual(
        fixes.map((d) => [d.target, d.why]),
        [['greet/n10', why]],
      );
      const order = sprint.state.ledger.decisions.map((d) => d.decision.action);
      assert.equal(order[order.indexOf('fix') - 1], 'settle', 'no model had to find the cause');
      for (const id of behindService) assert.equal(sprint.runs(id).findLast((r) => r.where === 'tree')?.verdict, 'green', id);
    });

    it('the fixer of one verification knows all others with the same cause, and there is one session', () => {
      const [prompt = '', ...more] = sprint.told('greet/n10');
      assert.deepEqual(more, []);
      for (const id of behindService) assert.ok(prompt.includes(id), id);
      assert.ok(!prompt.includes('login/'), 'another cause is not mixed in');
      const sessions = sprint.asks.filter((a) => a.action.startsWith('fix ') && a.turn === 1);
      assert.equal(sessions.length, 2, 'two causes, twenty failures');
    });

    it('five verifications that fail for a refused login are one group, by their output', () => {
      const [fix, ...more] = sprint.decisions('fix').filter((d) => d.target.startsWith('login/'));
      assert.deepEqual([fix?.target, more], ['login/n10', []]);
      assert.match(fix?.why ?? '', /^5 verifications are broken: the same failure: .*HTTP 401/);
      const lineages = fix?.burns.flatMap(({ kind, key }) => (kind === 'lineage' ? [key] : [])).sort();
      assert.deepEqual(lineages, refusedLogin);
      assert.deepEqual(sprint.ending, { stop: 'delivered', reasons: [] });
    });
  });

  describe('when nobody fixes it', () => {
    const three = behindService.slice(0, 3);
    before(async () => void (sprint = await play(sprintOf(fifteen.slice(0, 3), idle('fix/*')))));
    after(() => sprint.at.dispose());

    it('an undeclared service that stays down stays one failure for all verifications that need it', async () => {
      const { ending, state } = sprint;
      assert.equal(ending.stop, 'failed');
      for (const id of three) {
        const last = sprint.runs(id).at(-1);
        assert.ok(last, id);
        assert.deepEqual([last.verdict, last.kind, isHonestRed(last)], ['red', 'service_down', false], 'it proves nothing');
        assert.ok(ending.reasons.includes(`Verification ${id} is not green.`), id);
        assert.match(await sprint.kept(`failures/${id}/latest.log`), /ECONNREFUSED/);
      }
      const fixes = sprint.decisions('fix').length;
      assert.equal(fixes, state.config.maxFixesPerSignature, 'the three share their fixes');
    });
  });
});
