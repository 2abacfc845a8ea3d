/** Failures are fixed by their cause, and settling keeps to its time limit, in whole sprints. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Event } from '../../src/engine/state/events.ts';
import type { State } from '../../src/engine/state/state.ts';
import { approvesPlan, build, honest, script, type Session, verifications, withSessions, writeVerifications } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

/** Greets, says goodbye and counts. Each command has a bug of its own: a missing file, a typo, a dead service. */
const buggy = `const [what, name] = process.argv.slice(2);
const say = (text) => console.log(text);
if (what === 'hello') {
  const words = JSON.parse(require('node:fs').readFileSync('words.json', 'utf8'));
  say(words.hello + ', ' + name);
} else if (what === 'bye') {
  say('Bye, ' + nmae);
} else if (what === 'count') {
  require('node:net').connect(9, '127.0.0.1', () => say(name.length));
}
`;

const names: Record<string, string[]> = {
  count: ['Ada', 'Grace', 'Alan'],
  bye: ['Ada', 'Grace', 'Alan', 'Edsger'],
  hello: ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara'],
};
const expected: Record<string, (name: string) => string> = {
  count: (name) => String(name.length),
  bye: (name) => `Bye, ${name}`,
  hello: (name) => `Hello, ${name}`,
};
const twelve = Object.entries(names).flatMap(([what, people], index) =>
  people.map((name) => {
    const prd = index === 0 ? '1.1, V1' : `1.${index + 1}`;
    const expect = expected[what]?.(name) ?? '';
    const written = script(`${what}/${name.toLowerCase()}`, {
      prd,
      red: `wrong ${what} for ${name}`,
      command: `node greet.js ${what} ${name}`,
      expect,
    });
    return {
      write_verification: { ...written.write_verification, content: written.write_verification.content.replace('2>/dev/null', '2>&1') },
    };
  }),
);

const plan: Session = {
  role: 'reasoner',
  purpose: 'plan/',
  turns: [
    {
      calls: [
        {
          manage_task: {
            action: 'add',
            task_id: 'T1',
            description: 'Greet',
            value: 'a greeting',
            acceptance: 'it is printed',
            prd_section: ['1.1', '1.2', '1.3', 'V1'],
          },
        },
        { report_plan_complete: { summary: 'One task.' } },
        approvesPlan,
      ],
    },
  ],
};

/** A fixer that fixes one cause; its purpose names only the first verification of the group. */
const fixCause = (lead: string, ...calls: Record<string, unknown>[]): Session => ({
  role: 'fixer',
  purpose: `fix/${lead}#1`,
  turns: [{ calls: [...calls, { report_fix: { fix_applied: 'the cause', files_changed: ['greet.js'], reasoning: lead } }] }],
});
const edit = (old_string: string, new_string: string) => ({ edit_file: { path: 'greet.js', old_string, new_string } });

const twelveOfThree = withSessions(
  plan,
  writeVerifications(...twelve),
  build('T1', { write_file: { path: 'greet.js', content: buggy } }),
  fixCause('hello/ada', { write_file: { path: 'words.json', content: '{"hello":"Hello"}\n' } }),
  fixCause('bye/ada', edit('nmae', 'name')),
  fixCause('count/ada', edit("require('node:net').connect(9, '127.0.0.1', () => say(name.length))", 'say(name.length)')),
).filter(({ purpose }) => purpose !== 'fix/cli/world');

const decisions = (state: State): string[] =>
  state.ledger.decisions.map(({ decision: { action, target } }) => (target ? `${action} ${target}` : action));

describe('twelve red verifications with three causes', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  it('get three fixes, first for the cause that blocks most, and each is in the history of every verification that it is for', async () => {
    at = await ground(twelveOfThree);
    const { ending, state } = await run(at, twelveOfThree);
    const fixes = state.ledger.decisions.map((d) => d.decision).filter((d) => d.action === 'fix');
    assert.deepEqual(
      fixes.map(({ target, why }) => [target, why]),
      [
        ['hello/ada', '5 verifications are broken: the file words.json is missing'],
        ['bye/ada', `4 verifications are broken: it fails at ${placeOf(fixes[1]?.why)}`],
        ['count/ada', '3 verifications are broken: localhost:9 refuses the connection'],
      ],
    );
    assert.match(placeOf(fixes[1]?.why), /greet\.js:7$/);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const records = Object.entries(names).flatMap(([what, people]) =>
      people.map((name) => [what, state.ledger.fixes[`${what}/${name.toLowerCase()}`]?.map((f) => `${f.verification} ${f.outcome}`)]),
    );
    assert.deepEqual(
      records,
      Object.entries(names).flatMap(([what, people]) => people.map(() => [what, [`${what}/ada kept`]])),
    );
  });
});

describe('three failures without anything in common for a machine', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  const shortened = buggy
    .replace('const [what, name] = process.argv.slice(2);', 'const what = process.argv[2];\nconst name = process.argv[3].slice(1);')
    .replace(/JSON\.parse.*;/, "{ hello: 'Hello' };")
    .replace('nmae', 'name')
    .replace(/require\('node:net'\).*;/, 'say(name.length);');
  const three = twelve.filter(({ write_verification: { path } }) => /^(count|bye|hello)\/ada/.test(path));
  const ids = ['hello/ada', 'bye/ada', 'count/ada'];
  const classified: Session = {
    role: 'classifier',
    purpose: 'triage/',
    turns: [{ calls: [{ report_causes: { causes: [{ cause: 'the name loses its first letter', verifications: ids }] } }] }],
  };

  it('are joined by a classifier, and get one fix', async () => {
    const sessions = withSessions(
      plan,
      writeVerifications(...three),
      build('T1', { write_file: { path: 'greet.js', content: shortened } }),
      classified,
      fixCause('count/ada', edit('process.argv[3].slice(1)', 'process.argv[3]')),
    ).filter(({ purpose }) => purpose !== 'fix/cli/world');
    at = await ground(sessions);
    const { ending, state } = await run(at, sessions);
    const relevant = state.ledger.decisions.map((d) => d.decision).filter((d) => d.action === 'triage' || d.action === 'fix');
    assert.deepEqual(
      relevant.map(({ action, why }) => `${action}: ${why}`),
      [
        'triage: 3 verifications fail in ways that share nothing a machine can see',
        'fix: 3 verifications are broken: the name loses its first letter',
      ],
    );
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
  });
});

function placeOf(why = ''): string {
  return why.split('it fails at ')[1] ?? '';
}

describe('settling that does not fit into its time limit', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  it('runs what covers the change, and leaves the rest to a decision of its own', async () => {
    const { path, content } = verifications.world.write_verification;
    const slow = { write_verification: { path, content: content.replace('out=', 'test ! -e greet.sh || sleep 1.1\nout=') } };
    const sessions = [writeVerifications(verifications.name, slow, verifications.house), ...honest.filter((s) => s.role !== 'qc')];
    at = await ground(sessions);
    const overrides = { regressionTimeout: 1, verificationParallelism: 1 };
    const { ending, state, events } = await run(at, sessions, { overrides });
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    // The first settling is quick, so it has time for others.
    assert.deepEqual(settledRuns(events).slice(1), [['cli/world'], ['cli/world'], ['cli/world', 'cli/house']]);
    const order = decisions(state);
    assert.equal(order[order.indexOf('settle 2') + 1], 'run-verifications');
    const rest = state.ledger.decisions.flatMap(({ decision: d }) => (d.action === 'run-verifications' ? [d.why] : []));
    assert.ok(rest.includes('no result on code 2 yet for 2 verifications'), rest.join('\n'));
  });
});

/** Ids of the verifications that each settling ran. */
function settledRuns(events: readonly Event[]): string[][] {
  const settling = events.flatMap((e) =>
    e.type === 'step.begun' && e.step.kind === 'action' && e.step.decision.action === 'settle' ? [e.step.id] : [],
  );
  return settling.map((id) => {
    const facts = events.flatMap((e) => (e.type === 'step.ended' && e.id === id ? e.facts : []));
    return facts.flatMap((f) => (f.fact === 'verification.ran' ? [f.run.verification] : []));
  });
}
