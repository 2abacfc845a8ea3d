/** When each row of the table is due: what its neighbours in `decide.test.ts` do not show. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { actions, table } from '../../src/engine/actions/table.ts';
import { dueOf } from '../../src/engine/core/decide.ts';
import type { SprintRow } from '../../src/engine/state/rows.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import type { State } from '../../src/engine/state/state.ts';
import type { Task } from '../../src/engine/work/task.ts';
import { changed, deepFreeze, nameOf, refOf, tankOf, type Loose, type Story } from './support/events.ts';
import * as p from './support/parts.ts';

const due = (id: SprintRow, state: State) => dueOf(actions[id], deepFreeze(structuredClone(state)));
const targets = (id: SprintRow, state: State): string[] => due(id, state).map((d) => d.target);
const broken = (story: Story, change: (s: Loose<State>) => void): State => changed(story.state, change);
const spend = ({ ledger }: Loose<State>, name: string, units: number): void => {
  const { kind, key } = tankOf(name);
  ledger.burned[kind][key] = units;
};
const second = p.task({ id: 'T2', description: 'Say thanks' });
const other = p.verification({ id: 'value/tax', lineage: 'value/tax', script: refOf('script of value/tax') });

describe('the rows', () => {
  it('all wait for the gates and for an open change, but for those that pass, settle, ask or close', () => {
    const early = table.filter((row) => !row.afterQualifying).map(({ id }) => id);
    assert.deepEqual(early, [
      'settle',
      'inputs',
      'discovery',
      'review-documents',
      'plan',
      'review-plan',
      'approve-plan',
      'prepare',
      'wait',
      'close',
    ]);
  });
});

describe('run-verifications', () => {
  const tank = `run/value/total@0/${p.verification().script.slice(0, 8)}`;

  it('is due for a verification without a result, and burns a tank of this verification, code number and script', () => {
    const story = p.planned().act('write-verifications', { fact: 'verification.written', verification: p.verification() });
    const why = 'no result on code 0 yet for 1 verification';
    assert.deepEqual(due('run-verifications', story.state), [{ target: '', burns: [tankOf(tank)], why }]);
  });

  const states: [string, State, string[]][] = [
    ['not for a result on this code', p.awaiting().state, []],
    ['for a result on an older code', broken(p.awaiting(), (s) => void (s.work.tree.code = 1)), [tank.replace('@0', '@1')]],
    ['not for one that takes long and was red for its reason, while another task is next', seenRed({ others: [p.task({ id: 'T0' })] }), []],
    ['for one that takes long once its task is next, since other work may have done it', seenRed({}), [tank.replace('@0', '@1')]],
    [
      'for one that takes long while no task can be built',
      seenRed({ others: [p.task({ id: 'T0' })], isOut: true }),
      [tank.replace('@0', '@1')],
    ],
    ['for one that takes long once its work is built', seenRed({ isBuilt: true }), [tank.replace('@0', '@1')]],
    ['for one that takes long and was red for another reason', seenRed({ redSeen: false }), [tank.replace('@0', '@1')]],
    [
      'for one that does not take long, also while another task is next',
      seenRed({ others: [p.task({ id: 'T0' })], duration: 9999 }),
      [tank.replace('@0', '@1')],
    ],
    [
      'for a script that was rewritten since',
      p.awaiting().act('write-verifications', { fact: 'verification.written', verification: p.verification({ script: refOf('new') }) })
        .state,
      [tank.replace(/\w+$/, refOf('new').slice(0, 8))],
    ],
    [
      'not for a criterion or a retired verification',
      p
        .planned()
        .act(
          'write-verifications',
          { fact: 'verification.written', verification: p.criterion() },
          { fact: 'verification.written', verification: p.verification() },
          { fact: 'verification.retired', id: 'value/total', why: 'x' },
        ).state,
      [],
    ],
    [
      'not for a verification that ran as often as it may here',
      broken(
        p
          .planned()
          .act(
            'write-verifications',
            { fact: 'verification.written', verification: p.verification() },
            { fact: 'verification.written', verification: other },
          ),
        (s) => {
          spend(s, tank, 4);
        },
      ),
      [`run/value/tax@0/${other.script.slice(0, 8)}`],
    ],
  ];
  for (const [what, state, burns] of states)
    it(`is due ${what}`, () => {
      assert.deepEqual(
        due('run-verifications', state).flatMap((d) => d.burns.map(nameOf)),
        burns,
      );
    });
});

interface Seen {
  isBuilt?: boolean;
  /** No attempt is left for any task. */
  isOut?: boolean;
  /** Tasks that come before its own. */
  others?: Task[];
  duration?: number;
  redSeen?: boolean;
}

/** Red on the code before this one. */
function seenRed({ isBuilt = false, isOut = false, others = [], ...last }: Seen): State {
  const written: Fact = { fact: 'verification.written', verification: p.verification() };
  const ran: Fact = { fact: 'verification.ran', run: p.run({ verdict: 'red', duration: 10_000, ...last }) };
  return broken(p.planned().act('write-verifications', written).act('run-verifications', ran), (s) => {
    s.work.tree.code = 1;
    const own = p.task({ id: 'T1', status: isBuilt ? 'done' : 'pending' });
    s.work.tasks = Object.fromEntries([...others.map((one) => ({ ...one, prdSection: ['2'] })), own].map((one) => [one.id, one]));
    if (isOut) for (const id of Object.keys(s.work.tasks)) spend(s, `execute/${id}`, 3);
  });
}

describe('write-verifications', () => {
  const deferred = p.planned().act('write-verifications', { fact: 'verification.deferred', requirements: ['1', 'V1'], why: 'x' });
  const written = p.green();
  const disproven = {
    lineage: 'value/total',
    script: p.verification().script,
    kind: 'revert' as const,
    code: 1,
    outcome: 'not-red' as const,
    why: 'x',
  };
  const states: [string, State, string[]][] = [
    ['without any verification', p.planned().state, ['plan']],
    [
      'while a requirement is without',
      p.planned().act('write-verifications', { fact: 'verification.written', verification: p.verification() }).state,
      ['plan'],
    ],
    ['not when each has one that may yet be proven', p.awaiting().state, []],
    ['not while the requirement is deferred', deferred.state, []],
    [
      'once the tasks of the deferred one are settled',
      broken(deferred, (s) => void (s.work.tasks = { T1: p.task({ status: 'done' }) })),
      ['settled'],
    ],
    ['again when a proof failed', broken(written, (s) => void (s.ledger.proofs = [disproven])), ['settled']],
    ['not while a change is open', p.built(p.planned()).state, []],
  ];
  for (const [what, state, rounds] of states)
    it(`is due ${what}`, () => {
      assert.deepEqual(targets('write-verifications', state), rounds);
    });
});

describe('prove', () => {
  const { script } = p.verification();
  const tanks = ['control', 'revert', 'mutants'].map((kind) => `proof/value/total/${script.slice(0, 8)}/${kind}`);
  const failed = { lineage: 'value/total', script, code: 1, outcome: 'not-red' as const, why: 'no' };
  const redRunProof = broken(
    p.green(),
    (s) => void (s.work.tree.commits = [p.settled({ files: [{ path: 'total.sh', kind: 'modified' }] })]),
  );
  const states: [string, State, string[]][] = [
    ['for what is green and untrusted', p.green().state, tanks],
    ['for the control alone where a red run was seen', redRunProof, tanks.slice(0, 1)],
    ['not for what is trusted', p.proven().state, []],
    ['not while a task that it covers is open', broken(p.green(), (s) => void (s.work.tasks['T2'] = second)), []],
    [
      'though a task that it does not cover is open',
      broken(p.green(), (s) => void (s.work.tasks['T2'] = { ...second, prdSection: ['V1'] })),
      tanks,
    ],
    ['not for what is red', p.awaiting().state, []],
    ['not for a green on an older code', broken(p.green(), (s) => void (s.work.tree.code = 2)), []],
    [
      'not a fourth time for one script',
      broken(p.green(), (s) => {
        for (const tank of tanks) spend(s, tank, 3);
      }),
      [],
    ],
    [
      'not for a proof that was tried',
      broken(p.green(), (s) => void (s.ledger.proofs = [{ ...failed, kind: 'revert' }])),
      [tanks[0] ?? '', tanks[2] ?? ''],
    ],
    ['not for what a control refused', broken(p.green(), (s) => void (s.ledger.proofs = [{ ...failed, kind: 'control' }])), []],
  ];
  for (const [what, state, burns] of states)
    it(`is due ${what}`, () => {
      assert.deepEqual(
        due('prove', state).flatMap((d) => d.burns.map(nameOf)),
        burns,
      );
    });
});

describe('vrc', () => {
  const at = (code: number, change: (s: Loose<State>) => void = () => undefined): State =>
    broken(p.awaiting(), (s) => {
      s.work.tree.code = code;
      change(s);
    });
  const seen = (code: number) => (s: Loose<State>) => void s.ledger.assessments.vrcs.push(p.vrc({ code, scope: 'full' }));
  const states: [string, State, number][] = [
    ['not before six settled changes', at(5), 0],
    ['after six', at(6), 1],
    ['not again on what it looked at', at(11, seen(6)), 0],
    ['again after six more', at(12, seen(6)), 1],
    ['not when no task is open: the final one comes', at(6, (s) => void (s.work.tasks = { T1: p.task({ status: 'done' }) })), 0],
  ];
  for (const [what, state, count] of states)
    it(`is due ${what}`, () => {
      assert.equal(due('vrc', state).length, count);
    });
  it('is full first, then quick and full by turns, and full again after the final one', () => {
    const target = (...scopes: ('quick' | 'full' | 'final')[]): string | undefined => {
      const state = broken(p.delivered(), (c) => {
        c.ledger.assessments.vrcs = scopes.map((scope) => p.vrc({ code: 0, scope }));
        c.work.tasks['T9'] = { ...p.task({ id: 'T9' }) };
        c.work.tree.code = 9;
      });
      return due('vrc', state)[0]?.target;
    };
    assert.deepEqual([target(), target('full'), target('full', 'quick'), target('full', 'final')], ['full', 'quick', 'full', 'full']);
  });
});

describe('execute', () => {
  const plan = (...tasks: ReturnType<typeof p.task>[]): State =>
    broken(p.awaiting(), (s) => void (s.work.tasks = Object.fromEntries(tasks.map((t) => [t.id, structuredClone(t)]))));
  const states: [string, State, string[]][] = [
    [
      'gaps found in use go first',
      plan(p.task(), p.task({ id: 'G1', source: 'vrc' }), p.task({ id: 'G2', source: 'evaluation' })),
      ['G2', 'G1', 'T1'],
    ],
    ['what waits for another does not', plan(p.task(), { ...second, dependencies: ['T1'] }), ['T1']],
    [
      'what waited for a settled or dropped one does',
      plan(p.task({ status: 'done' }), p.task({ id: 'T0', status: 'descoped' }), { ...second, dependencies: ['T1', 'T0'] }),
      ['T2'],
    ],
    ['what is reported does not', plan(p.task({ status: 'reported' })), []],
  ];
  for (const [what, state, ready] of states)
    it(`is due: ${what}`, () => {
      assert.deepEqual(targets('execute', state), ready);
    });
});

describe('final', () => {
  const states: [string, State, string[]][] = [
    ['the clean run first', p.proven().state, ['clean-run']],
    [
      'then the assessment',
      broken(p.delivered(), (s) => {
        const [commit] = s.work.tree.commits;
        if (commit)
          for (const task of ['T2', 'T3', 'T4', 'T5', 'T6']) s.work.tree.commits.push({ ...commit, author: { kind: 'task', task } });
        s.ledger.assessments.vrcs = [];
        s.ledger.assessments.evaluations = [];
      }),
      ['vrc'],
    ],
    [
      'or the evaluation, which assesses too, in a small sprint',
      broken(p.delivered(), (s) => {
        s.ledger.assessments.vrcs = [];
        s.ledger.assessments.evaluations = [];
      }),
      ['evaluation'],
    ],
    [
      'again after a fallback',
      broken(p.delivered(), (s) => {
        Object.assign(s.ledger.assessments.vrcs[0] ?? {}, { fallback: true });
      }),
      ['vrc'],
    ],
    ['then the evaluation', broken(p.delivered(), (s) => void (s.ledger.assessments.evaluations = [])), ['evaluation']],
    ['nothing when all three are there', p.delivered().state, []],
    [
      'the clean run again on a new code',
      broken(p.delivered(), (s) => {
        s.work.tree.code = 2;
        Object.assign(s.work.results['value/total'] ?? {}, { code: 2 });
      }),
      ['clean-run'],
    ],
    ['nothing while a task is open', broken(p.proven(), (s) => void (s.work.tasks['T2'] = second)), []],
    ['nothing while a person is waited for', broken(p.proven(), (s) => void (s.ledger.humanActions['H1'] = p.humanAction())), []],
    ['nothing without any verification', broken(p.proven(), (s) => void (s.work.verifications = {})), []],
    [
      'nothing while a verification is red',
      broken(p.proven(), (s) => {
        Object.assign(s.work.results['value/total'] ?? {}, { verdict: 'red' });
      }),
      [],
    ],
    ['nothing on a result of an older code', broken(p.proven(), (s) => void (s.work.tree.code = 2)), []],
  ];
  for (const [what, state, parts] of states)
    it(`is due: ${what}`, () => {
      assert.deepEqual(targets('final', state), parts);
    });
});
