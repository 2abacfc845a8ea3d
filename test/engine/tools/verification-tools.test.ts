/** QC's tools (I8): write verifications with their lineage, write criteria, end the writing; and the request of a human action. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { messageOf } from '../../../src/engine/ground/errors.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Run } from '../../../src/engine/work/verification.ts';
import { withHelpers } from '../../../src/engine/parse/helper-text.ts';
import { toolsNamed } from '../../../src/engine/tools/registry.ts';
import { ToolError, type Reply } from '../../../src/engine/tools/tool.ts';
import { changed, deepFreeze, refOf } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { world } from '../../support/fakes.ts';

const kept = refOf('kept');
function call(name: string, input: unknown, state: State = p.awaiting().state, target = state.open?.decision.target ?? ''): Reply {
  const [tool] = toolsNamed([name]);
  assert.ok(tool?.kind === 'report');
  return tool.handle(tool.input.parse(input), { state: deepFreeze(structuredClone(state)), target, step: 's9', kept });
}
const assertRefused = (name: string, input: unknown, message: string, state?: State): void => {
  assert.throws(
    () => call(name, input, state),
    (error) => {
      assert.ok(error instanceof ToolError, String(error));
      assert.equal(error.message, message);
      return true;
    },
  );
};
const assertUnparsed = (name: string, input: unknown): void => {
  const [tool] = toolsNamed([name]);
  assert.equal(tool?.input.safeParse(input).success, false, JSON.stringify(input));
};

describe('write_verification', () => {
  const content = '# TEST: adds\n# PRD: §1, v1\n# RED: wrong total\n# REQUIRES: db\n';
  const written = { title: 'adds', script: kept, prd: ['1', 'V1'], requires: ['db'] };

  it('stores the script and starts a new lineage', async () => {
    const [tool] = toolsNamed(['write_verification']);
    assert.ok(tool?.kind === 'report');
    assert.deepEqual(await tool.keep?.({ path: 'cli/adds.py', content }, { state: p.awaiting().state, ports: world().ports }), [content]);
    const verification = p.verification({ ...written, id: 'cli/adds', lineage: 'cli/adds', category: 'cli', ext: 'py' });
    assert.deepEqual(call('write_verification', { path: 'cli/adds.py', content }), {
      text: 'Verification cli/adds written.',
      facts: [{ fact: 'verification.written', verification }],
    });
  });

  it('uses the time limit of its header, or the configured one', () => {
    const [fact] = call('write_verification', { path: 'cli/adds.sh', content: `${content}# TIMEOUT: 7\n` }).facts;
    assert.ok(fact?.fact === 'verification.written' && fact.verification.kind === 'script');
    assert.equal(fact.verification.timeout, 7);
  });

  it('says which name only a later task brings, where its header does not', () => {
    const { state } = p.planned();
    const tax = { id: '2', title: 'Tax', text: '`--with-tax` adds it', line: 4, lastLine: 4 };
    const tasks = { T1: p.task(), T2: p.task({ id: 'T2', prdSection: ['2'] }) };
    const later: State = { ...state, work: { ...state.work, tasks, requirements: [...state.work.requirements, tax] } };
    const early = `# TEST: adds\n# PRD: 1\n# RED: wrong total\n`;
    const said = (header: string): string =>
      call('write_verification', { path: 'cli/adds.sh', content: `${header}total --with-tax 2\n` }, later).text;
    assert.match(said(early), /written\.\nIt has `--with-tax`, which only requirement 2 names, for a later task: .* `AFTER: 2`/);
    assert.doesNotMatch(said(`${early}# AFTER: 2\n`), /later task/);
  });

  it('comes after requirements that there are', () => {
    const [fact] = call('write_verification', { path: 'cli/adds.sh', content: `${content}# AFTER: §V1\n` }).facts;
    assert.ok(fact?.fact === 'verification.written' && fact.verification.kind === 'script');
    assert.deepEqual(fact.verification.after, ['V1']);
    const unknown = { path: 'cli/adds.sh', content: `${content}# AFTER: 9\n` };
    assertRefused('write_verification', unknown, 'cli/adds.sh: there is no requirement 9; there are 1, V1.');
  });

  it('keeps the lineage of a rewritten verification, also with another extension', () => {
    const state = changed(p.awaiting().state, (s) => {
      Object.assign(s.work.verifications['value/total'] ?? {}, { lineage: 'value/first' });
    });
    const verification = p.verification({ ...written, lineage: 'value/first', ext: 'mjs' });
    assert.deepEqual(call('write_verification', { path: 'value/total.mjs', content }, state).facts, [
      { fact: 'verification.written', verification },
    ]);
    const same = call('write_verification', { path: 'value/total.mjs', content, replaces: 'value/total' }, state);
    assert.deepEqual(same.facts, [{ fact: 'verification.written', verification }]);
  });

  it('keeps the lineage of a renamed verification, and retires the old one', () => {
    const verification = p.verification({ ...written, id: 'value/sum' });
    assert.deepEqual(call('write_verification', { path: 'value/sum.sh', content, replaces: 'value/total' }).facts, [
      { fact: 'verification.written', verification },
      { fact: 'verification.retired', id: 'value/total', why: 'replaced by value/sum' },
    ]);
  });

  it('counts no requirement for a value proof because its number begins with V', () => {
    const state = changed(p.awaiting().state, ({ work }) => {
      for (const id of ['VAT-1', 'VAT-2']) work.requirements.push({ id, title: 'Tax', text: 'Tax', line: 9, lastLine: 9 });
    });
    const of = (prd: string): unknown => call('write_verification', { path: 'tax/x.sh', content: content.replace('§1, v1', prd) }, state);
    assert.ok(of('VAT-1, V1'));
    assert.throws(() => of('VAT-1, VAT-2'), /it names VAT-1, VAT-2; a verification proves one requirement/);
  });

  it('refuses a replacement that would reset the attempts, and one of an unknown verification', () => {
    const state = changed(
      p.awaiting().state,
      (s) => void (s.work.verifications['value/new'] = p.verification({ id: 'value/new', lineage: 'value/new' })),
    );
    const taken = 'There is a verification value/total already, with a history of its own. Take another path.';
    assertRefused('write_verification', { path: 'value/total.sh', content, replaces: 'value/new' }, taken, state);
    for (const replaces of ['value/none', 'constructor'])
      assertRefused('write_verification', { path: 'value/x.sh', content, replaces }, `There is no verification ${replaces} to replace.`);
  });

  it('refuses a path under which another one began that goes on under a new name: two would share its history', () => {
    const renamed = call('write_verification', { path: 'value/sum.sh', content, replaces: 'value/total' }).facts;
    const { state } = p.awaiting().act('write-verifications', ...renamed);
    const goesOn = 'value/total goes on as value/sum, with its history. Take another path, or write that one again.';
    assertRefused('write_verification', { path: 'value/total.sh', content }, goesOn, state);
    assertRefused('write_verification', { path: 'value/other.sh', content, replaces: 'value/total' }, goesOn, state);
    assert.equal(call('write_verification', { path: 'value/sum.sh', content }, state).facts.length, 1);
  });

  it('refuses to rewrite or replace a verification that the person wrote', () => {
    const state = changed(p.awaiting().state, (s) => {
      Object.assign(s.work.verifications['value/total'] ?? {}, { by: 'person' });
    });
    const refusal = 'The person wrote value/total, and only they change it. Take another path for one of yours.';
    assertRefused('write_verification', { path: 'value/total.sh', content }, refusal, state);
    assertRefused('write_verification', { path: 'value/sum.sh', content, replaces: 'value/total' }, refusal, state);
    assert.equal(call('write_verification', { path: 'value/sum.sh', content }, state).facts.length, 1);
  });

  it('writes only the doubted verification in a session about it, and not with the same text', () => {
    const about = 'value/total';
    const [fact] = call('write_verification', { path: 'value/total.sh', content }, undefined, about).facts;
    assert.ok(fact?.fact === 'verification.written' && fact.verification.lineage === about);
    assert.equal(call('write_verification', { path: 'value/sum.sh', content, replaces: about }, undefined, about).facts.length, 2);
    const assertThrows = (path: string, message: string, state?: State): void =>
      assert.throws(() => call('write_verification', { path, content }, state, about), new ToolError(message));
    const otherPath =
      'This session is about value/total: write it under its own path, or name it in replaces. Of the others it writes those again whose last run was red before their work was built, or for another reason than their own.';
    assertThrows('value/sum.sh', otherPath);
    const same = changed(p.awaiting().state, (s) => {
      Object.assign(s.work.verifications[about] ?? {}, { script: kept });
    });
    const unchanged = 'That is value/total as it is. Mend it, or answer with uphold_verification that it is right.';
    assertThrows('value/total.sh', unchanged, same);
  });

  it('writes beside the doubted verification what was red for another reason than its own, or before its work was built', () => {
    const other = p.verification({ id: 'value/sum', lineage: 'value/sum', script: refOf('script of value/sum') });
    const takes = (over: Partial<Run>, story = p.awaiting()): boolean => {
      const run = p.run({
        verification: other.id,
        lineage: other.lineage,
        script: other.script,
        code: story.state.work.tree.code,
        ...over,
      });
      story.act('write-verifications', { fact: 'verification.written', verification: other }, { fact: 'verification.ran', run });
      try {
        return call('write_verification', { path: 'value/sum.sh', content }, story.state, 'value/total').facts.length === 1;
      } catch (error) {
        assert.match(messageOf(error), /^This session is about value\/total/);
        return false;
      }
    };
    const missed = { verdict: 'red', redSeen: false } as const;
    assert.deepEqual([takes(missed), takes(missed, p.green())], [true, true], 'red, but not for its reason');
    assert.deepEqual(
      [takes({ verdict: 'red' }), takes({ verdict: 'red' }, p.green())],
      [true, false],
      'for its reason, before its work and with it',
    );
    assert.equal(takes({}), false, 'green');
    assert.equal(takes({ ...missed, code: null }), false, 'red on a change that was taken back');
  });

  it('names the place of an error in the header, and the known requirements', () => {
    const begin = 'Begin with comment lines TEST:, PRD:, RED: (and TIER:, REQUIRES:, TIMEOUT: as needed).';
    assertRefused('write_verification', { path: 'a/b.sh', content: 'echo' }, `a/b.sh:1: the header lacks TEST, PRD, RED. ${begin}`);
    assertRefused(
      'write_verification',
      { path: 'a/b.sh', content: content.replace('§1', '9') },
      'a/b.sh: there is no requirement 9; there are 1, V1.',
    );
  });

  it('parses only paths of the form <category>/<name>.<ext>', () => {
    for (const path of [
      'b.sh',
      'a/b',
      'a/b.txt',
      'a/../b.sh',
      '/a/b.sh',
      'A/b.sh',
      'a/b c.sh',
      'a/b/c.sh',
      '-a/b.sh',
      'a/.b.sh',
      'a/b.sh\n',
    ])
      assertUnparsed('write_verification', { path, content });
  });
});

describe('a script or helper that is changed in places', () => {
  const content = '# TEST: adds\n# PRD: 1\n# RED: wrong total\n# USES: sums.sh\n[ "$(sum 1 2)" = 3 ]\n';
  const helper = 'sum() { ./total "$@"; }\n';
  const whole = async (name: string, input: unknown): Promise<unknown> => {
    const w = world();
    const text = await w.payloads.put(helper);
    const script = await w.payloads.put(withHelpers(content, [{ name: 'sums.sh', text: helper }]));
    const state = changed(p.awaiting().state, ({ work }) => {
      work.helpers = { 'sums.sh': { name: 'sums.sh', text } };
      work.verifications = { 'value/total': p.verification({ script, uses: ['sums.sh'] }) };
    });
    const [tool] = toolsNamed([name]);
    assert.ok(tool?.kind === 'report');
    return tool.whole?.(tool.input.parse(input), { state, ports: w.ports });
  };
  const edits = (...pairs: [string, string][]) => pairs.map(([before, after]) => ({ old_string: before, new_string: after }));
  const path = 'value/total.sh';

  it('is the text that there is, without helpers, with each edit in its turn', async () => {
    const changes = edits(['sum 1 2', 'sum 4 5'], ['= 3', '= 7'], ['= 7', '= 9']);
    const made = { path, content: content.replace('sum 1 2', 'sum 4 5').replace('= 3', '= 9') };
    assert.deepEqual(await whole('write_verification', { path, edits: changes }), made);
    const moved = { path: 'value/sum.sh', replaces: 'value/total' };
    assert.deepEqual(await whole('write_verification', { ...moved, edits: changes }), { ...moved, content: made.content });
    const shorter = { name: 'sums.sh', edits: edits(['./total', 'total']) };
    assert.deepEqual(await whole('write_helper', shorter), { name: 'sums.sh', content: helper.replace('./', '') });
  });

  it('is left as it is where an edit does not fit, with both or none, and where there is nothing yet', async () => {
    const refused = async (name: string, input: unknown, why: string): Promise<void> =>
      assert.rejects(whole(name, input), (error) => error instanceof ToolError && error.message === why);
    const twice = `old_string is not in ${path}, edit 2. Look at it again: it may have changed, or never held that.`;
    await refused('write_verification', { path, edits: edits(['= 3', '= 4'], ['= 3', '= 5']) }, twice);
    await refused('write_verification', { path }, `${path}: give either content or edits.`);
    await refused('write_verification', { path, content, edits: edits(['a', 'b']) }, `${path}: give either content or edits.`);
    const none = 'There is no value/sum.sh yet, so it has nothing to edit: give its content.';
    await refused('write_verification', { path: 'value/sum.sh', edits: edits(['a', 'b']) }, none);
    const long = 'sums.sh would have 30019 characters; 30000 are the most.';
    await refused('write_helper', { name: 'sums.sh', edits: edits(['total', 'x'.repeat(30_000)]) }, long);
  });
});

describe('write_helper', () => {
  const input = { name: 'sums.sh', content: 'sum() { :; }\n' };
  const using = p.verification({ script: refOf('old'), uses: ['sums.sh'] });
  const withUsers = (...all: (typeof using)[]): State =>
    changed(p.awaiting().state, (s) => void Object.assign(s.work.verifications, Object.fromEntries(all.map((one) => [one.id, one]))));
  const write = (state: State, target = '', over = {}): Reply => {
    const [tool] = toolsNamed(['write_helper']);
    assert.ok(tool?.kind === 'report');
    return tool.handle(tool.input.parse({ ...input, ...over }), { state, target, step: 's9', kept, others: [refOf('new')] });
  };

  it('gives each script that uses it another text, with the lineage that it has', () => {
    const verification = { ...using, script: refOf('new'), sameCode: [refOf('old')] };
    assert.deepEqual(write(withUsers(using)).facts, [
      { fact: 'helper.written', helper: { name: 'sums.sh', text: kept } },
      { fact: 'verification.written', verification },
    ]);
  });

  it('leaves what the person wrote, and what was retired, as it is', () => {
    assert.equal(write(withUsers({ ...using, by: 'person' })).facts.length, 1);
    const retired = changed(withUsers(using), (s) => void (s.work.retired = [using.id]));
    assert.equal(write(retired).facts.length, 1);
  });

  it('is refused in a session about a verification that does not use it, as a header, and unchanged', () => {
    const other = p.verification({ id: 'value/other', lineage: 'value/other' });
    assert.throws(() => write(withUsers(using, other), other.id), /No script of this session \(value\/other\) uses sums\.sh/);
    assert.equal(write(withUsers(using), using.id).facts.length, 2);
    assert.throws(() => write(withUsers(), '', { content: '# RED: mine\n' }), /is a field of a header/);
    const known = changed(withUsers(), (s) => void (s.work.helpers = { 'sums.sh': { name: 'sums.sh', text: kept } }));
    assert.throws(() => write(known), /That is sums\.sh as it is/);
  });
});

describe('a script whose helper reads the seed', () => {
  const content = '# TEST: adds\n# PRD: 1\n# RED: wrong total\n# VARIES: SEED\n# USES: draws.sh\nsum "$(draw)"\n';
  const script = { path: 'value/draws.sh', content };
  const looked = async (helper: string): Promise<void> => {
    const [tool] = toolsNamed(['write_verification']);
    assert.ok(tool?.kind === 'report');
    const w = world();
    const text = await w.payloads.put(helper);
    const state = changed(p.awaiting().state, (s) => void (s.work.helpers = { 'draws.sh': { name: 'draws.sh', text } }));
    const input = tool.input.parse(script);
    assert.equal(tool.handle(input, { state, target: '', step: 's9', kept }).facts.length, 1);
    await tool.look?.(input, { state, ports: w.ports });
  };

  it('varies, and one of which nothing reads it is refused', async () => {
    await looked('draw() { echo $((SEED % 9)); }\n');
    await assert.rejects(looked('draw() { echo 4; }\n'), /^ToolError: value\/draws\.sh:4: it declares VARIES: SEED, and no line/);
  });
});

describe('write_criterion', () => {
  const input = {
    id: 'value/kind',
    prd: ['§V1', '1.'],
    criterion: 'The greeting thanks the clerk.\nBy name.',
    why_no_command: 'Tone is judged.',
  };

  it('stores the text and the reason, without a script and RED', () => {
    const [tool] = toolsNamed(['write_criterion']);
    assert.ok(tool?.kind === 'report');
    assert.equal(
      tool.keep?.(input, { state: p.awaiting().state, ports: world().ports }),
      `${input.criterion}\n\nWhy no command can tell: Tone is judged.\n`,
    );
    const over = { id: 'value/kind', lineage: 'value/kind', title: 'The greeting thanks the clerk.', script: kept, prd: ['V1', '1'] };
    assert.deepEqual(call('write_criterion', input), {
      text: 'Criterion value/kind written; the evaluator judges it.',
      facts: [{ fact: 'verification.written', verification: p.criterion(over) }],
    });
  });

  it('refuses an unknown requirement and the id of a script', () => {
    assertRefused('write_criterion', { ...input, prd: ['3'] }, 'value/kind: there is no requirement 3; there are 1, V1.');
    assertRefused('write_criterion', { ...input, id: 'value/total' }, 'value/total is an executable verification; take another id.');
    for (const over of [{ prd: [] }, { criterion: 'nice' }, { why_no_command: 'no' }, { id: 'kind' }])
      assertUnparsed('write_criterion', { ...input, ...over });
  });
});

describe('report_verifications_complete', () => {
  const none = changed(p.awaiting().state, (s) => void (s.work.verifications = {}));
  const settled = changed(none, (s) => {
    Object.assign(s.work.tasks['T1'] ?? {}, { status: 'done' });
  });

  it('accepts when everything is covered', () => {
    assert.deepEqual(call('report_verifications_complete', { summary: 'two' }), { text: 'Verifications taken.', facts: [] });
  });

  it('accepts requirements that are deferred with a reason', () => {
    const why = 'they need the command';
    const reply = call('report_verifications_complete', { summary: 'later', deferred: ['§1', 'v1'], why_deferred: why }, none);
    assert.deepEqual(reply, {
      text: 'Verifications taken.',
      facts: [{ fact: 'verification.deferred', requirements: ['1', 'V1'], why }],
    });
  });

  it('asks for nothing that was deferred before, until all tasks are settled', () => {
    const deferred = changed(none, (s) => void (s.work.deferred = ['1', 'V1']));
    assert.equal(call('report_verifications_complete', { summary: 'two' }, deferred).text, 'Verifications taken.');
    const after = changed(settled, (s) => void (s.work.deferred = ['1', 'V1']));
    assertRefused('report_verifications_complete', { summary: 'two' }, missing, after);
  });

  const missing = 'Nothing verifies 1, V1. Write a verification or a criterion, or defer them.';
  const wrong: { what: string; over: object; message: string; state: State }[] = [
    { what: 'no verifications', over: {}, message: missing, state: none },
    {
      what: 'a retired verification as coverage',
      over: {},
      message: 'Nothing verifies 1. Write a verification or a criterion, or defer them.',
      state: changed(p.awaiting().state, (s) => void (s.work.retired = ['value/total'])),
    },
    {
      what: 'an unknown requirement',
      over: { deferred: ['9'], why_deferred: 'they need the command' },
      message: 'deferred: there is no requirement 9; there are 1, V1.',
      state: none,
    },
    {
      what: 'deferring without a reason',
      over: { deferred: ['1'], why_deferred: 'later' },
      message: 'Say in why_deferred why these cannot be verified before the work.',
      state: none,
    },
    {
      what: 'deferring when everything is built',
      over: { deferred: ['1'], why_deferred: 'they need the command' },
      message: 'All tasks are settled: nothing can be deferred any more.',
      state: settled,
    },
  ];
  for (const { what, over, message, state } of wrong)
    it(`refuses ${what}`, () => {
      assertRefused('report_verifications_complete', { summary: 'x', ...over }, message, state);
    });
});

describe('request_human_action', () => {
  const input = {
    action: 'Put prices.csv there',
    instructions: 'Export it from the till.',
    paths: ['prices.csv'],
    blocked_task_id: 'T1',
  };

  it('opens a human action that the task waits for, only once', () => {
    const humanAction = p.humanAction();
    assert.deepEqual(call('request_human_action', input), {
      text: 'Requested as H1. The task waits for the person; do no more of it.',
      facts: [{ fact: 'human-action.asked', humanAction }],
    });
    const { state } = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction });
    assert.deepEqual(call('request_human_action', input, state), {
      text: 'Nothing new is asked: T1 waits for H1 already, "Put prices.csv there". What it needs besides, its builder asks for.',
      facts: [],
    });
  });

  it('gives a second one the next number after the first is fulfilled', () => {
    const { state } = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction({ status: 'fulfilled' }) });
    const reply = call('request_human_action', { ...input, paths: [], verification_command: 'test -s key' }, state);
    assert.deepEqual(reply.facts, [
      { fact: 'human-action.asked', humanAction: p.humanAction({ id: 'H2', paths: [], command: 'test -s key' }) },
    ]);
  });

  it('accepts needs that the machine can verify', () => {
    const needs = [{ kind: 'port' as const, port: 5432, state: 'listening' as const }];
    const reply = call('request_human_action', { ...input, paths: [], needs });
    assert.deepEqual(reply.facts, [{ fact: 'human-action.asked', humanAction: p.humanAction({ paths: [], needs }) }]);
  });

  const wrong: { what: string; over: object; message: string; state?: State }[] = [
    { what: 'an unknown task', over: { blocked_task_id: 'T9' }, message: 'There is no task T9. Existing: T1.' },
    {
      what: 'a task named like a method',
      over: { blocked_task_id: 'constructor' },
      message: 'There is no task constructor. Existing: T1.',
    },
    {
      what: 'a completed task',
      over: {},
      message: 'Task T1 is done: nothing of it waits. Name the task that does.',
      state: p.proven().state,
    },
    {
      what: "another task than a builder's own, since that would end its session",
      over: { blocked_task_id: 'T2' },
      message: 'This session is about task T1, not T2: whoever builds T2 asks for what that needs. Go on with T1.',
      state: changed(p.awaiting().begin('execute', 'T1', ['execute/T1']).state, (s) => void (s.work.tasks['T2'] = p.task({ id: 'T2' }))),
    },
    {
      what: 'a request that nothing can verify',
      over: { paths: [], verification_command: ' ' },
      message: 'Give paths, needs or verification_command: the engine must be able to tell that it was done.',
    },
    {
      what: 'a path outside',
      over: { paths: ['../key'] },
      message: `"../key" leaves the worktree. Give a path relative to the repository's root.`,
    },
    { what: 'a protected path', over: { paths: ['ok', '.git/config'] }, message: '".git/config" is protected: agents do not touch .git.' },
  ];
  for (const { what, over, message, state } of wrong)
    it(`refuses ${what}`, () => {
      assertRefused('request_human_action', { ...input, ...over }, message, state);
    });
});
