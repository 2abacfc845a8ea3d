/** A whole sprint that asks for strong evidence: a second QC's verification finds what others miss, and no builder sees any of it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { Event } from '../../src/engine/state/events.ts';
import { approvesPlan, build, discovered, honest, type Session, writeVerifications } from '../support/greeter.ts';
import { bash } from '../support/played.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

const prd = '# PRD\n\n## 1. Greeting\n\n1.1 `sh greet.sh NAME` prints `Hello, NAME!`, with all words of the name that are given\n';
const title = 'every word of a name is greeted';

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
            description: 'Greet by name',
            value: 'a greeting',
            acceptance: 'the command prints it',
            prd_section: ['1.1', 'V1'],
          },
        },
        { report_plan_complete: { summary: 'One task.' } },
        approvesPlan,
      ],
    },
  ],
};

/** It tries names of one word. */
const known = bash(
  'cli/name',
  '1.1, V1',
  '# RED: wrong greeting',
  '# VARIES: SEED',
  'out="$(sh greet.sh "N$SEED" 2>/dev/null)"',
  '[ "$out" = "Hello, N$SEED!" ] || { echo "wrong greeting: $out"; exit 1; }',
);
/** It tries names of two. Its text, its name and what it prints are words that nothing else holds. */
const secret = [
  '#!/usr/bin/env bash',
  `# TEST: ${title}`,
  '# PRD: 1.1, V1',
  '# RED: quiet-heron-printed',
  '# VARIES: SEED',
  'out="$(sh greet.sh "N$SEED" Lovelace 2>/dev/null)" # quiet-heron-written',
  '[ "$out" = "Hello, N$SEED Lovelace!" ] || { echo "quiet-heron-printed: $out"; exit 1; }',
].join('\n');

const done = { report_hidden_complete: { summary: 'One that tries names of several words.' } };
const examiner = (purpose: string, ...calls: Record<string, unknown>[]): Session => ({
  role: 'examiner',
  purpose,
  turns: [{ calls: [...calls, done] }],
});
const writes = examiner('write-hidden/#1', { write_hidden_verification: { path: 'names/plover.sh', content: secret } });

/** All that a builder could look with: none of these commands holds the words that it looks for. */
const spying = [
  {
    bash: {
      command:
        'grep -rIl "quiet-[h]eron" . .. /tmp /run /dev/shm /var/tmp "$HOME"; find . .. /tmp /run /dev/shm /var/tmp "$HOME" -name "*plove[r]*"; echo looked',
    },
  },
  { bash: { command: 'cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"; env; ls -a /tmp /run' } },
  { bash: { command: 'git log -p --all | grep "quiet-[h]eron"; cat sprint/.loop/journal.jsonl ../*/sprint/.loop/journal.jsonl' } },
  { glob_search: { pattern: '**/*' } },
  { grep_search: { pattern: 'quiet.heron|plove.' } },
  { read_file: { path: 'sprint/.loop/journal.jsonl' } },
  { read_file: { path: '../repo/sprint/.loop/journal.jsonl' } },
];

const mend = (...calls: Record<string, unknown>[]): Session =>
  build('G1', ...spying, ...calls, { edit_file: { path: 'greet.sh', old_string: '$1', new_string: '$*' } });

const sessions = (...more: Session[]): Session[] => [
  ...more,
  discovered(),
  plan,
  writeVerifications(known),
  build('T1', { write_file: { path: 'greet.sh', content: 'echo "Hello, $1!"\n' } }),
  ...honest,
];

interface Asked {
  action: string;
  stored: string;
}

describe('a sprint with hidden verifications', function () {
  let at: Ground | undefined;
  afterEach(async () => at?.dispose());

  /** Every prompt, reply and result of a tool, as it was sent. */
  async function askedIn({ sprintDir }: Ground, events: readonly Event[]): Promise<Asked[]> {
    const asked: Asked[] = [];
    let action = '';
    const keep = async (ref: string): Promise<void> => {
      asked.push({ action, stored: await readFile(join(sprintDir, '.loop', 'payloads', ref.slice(0, 2), ref), 'utf8') });
    };
    for (const event of events) {
      if (event.type === 'step.begun' && event.step.kind === 'action') action = event.step.decision.action;
      if (event.type === 'step.begun' && event.step.kind === 'ask') await keep(event.step.request);
      if (event.type === 'step.ended' && event.result !== undefined) await keep(event.result);
    }
    return asked;
  }

  const play = async (all: Session[], evidence: 'fair' | 'strong' = 'strong') => {
    at = await ground(all, { 'sprint/PRD.md': prd });
    const { ending, state, events } = await run(at, all, { overrides: { evidence } });
    return { at, ending, state, events, asked: await askedIn(at, events) };
  };
  const rows = (events: readonly Event[]): string[] =>
    events.flatMap((e) => (e.type === 'step.begun' && e.step.kind === 'action' ? [e.step.decision.action] : []));

  it('has what it finds mended by a builder who cannot read its script, its output or its name', async () => {
    const { at: here, ending, state, events, asked } = await play(sessions(writes, examiner('write-hidden/#2'), mend()));
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(
      state.ledger.hidden.runs.map(({ where, verdict, n }) => [where, verdict, n]),
      [
        ['clean', 'red', 1],
        ['clean', 'green', 2],
      ],
    );
    assert.equal(state.work.tasks['G1']?.description, `A hidden verification of 1.1, V1 fails: ${title}`);
    const isSecret = ({ stored }: Asked): boolean => /quiet-heron|plover/.test(stored);
    assert.ok(asked.filter(({ action }) => action === 'write-hidden').some(isSecret), 'those who wrote it see it');
    assert.deepEqual(
      asked.filter((one) => one.action !== 'write-hidden' && isSecret(one)).map(({ action }) => action),
      [],
    );
    assert.ok(
      asked.some(({ action, stored }) => action === 'execute' && /exit status 0[^"]*looked/.test(stored)),
      'the builder looked',
    );
    assert.ok(asked.some(({ action, stored }) => action === 'execute' && stored.includes('is protected: agents do not touch .loop')));
    const found = execFileSync('grep', ['-rl', 'quiet-heron-written', join(here.sprintDir, '.loop')], { encoding: 'utf8' });
    assert.notEqual(found.trim(), '', 'it is on this machine all the time');
    const kept = here.git('show', `${state.opened.branch}:sprint/verifications/hidden/names/plover.sh`);
    assert.equal(kept, secret);
    const closing = rows(events).lastIndexOf('close');
    assert.ok(closing > rows(events).lastIndexOf('run-hidden'), 'committed at the end alone');
  });

  it('writes it again where it asks for more than the documents do, and tells nobody', async () => {
    const mended = secret.replaceAll(' Lovelace', '');
    const again = examiner('write-hidden/#2', { write_hidden_verification: { path: 'names/plover.sh', content: mended } });
    const { ending, state } = await play(sessions(writes, again));
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(
      state.ledger.hidden.runs.map(({ verdict }) => verdict),
      ['red', 'green'],
    );
    assert.equal(state.work.tasks['G1'], undefined);
  });

  it('is not delivered while it fails, and says so without what it asks for', async () => {
    const idle = { ...build('G1'), turns: [{ text: 'I see nothing wrong.', repeat: true }] };
    const { ending } = await play(sessions(writes, examiner('write-hidden/#2'), idle));
    assert.equal(ending.stop, 'partial');
    assert.ok(
      ending.reasons.some((reason) => reason.endsWith(`is not proven: a hidden verification of it fails: ${title}.`)),
      ending.reasons.join('\n'),
    );
    assert.ok(!/quiet-heron|plover/.test(ending.reasons.join('\n')));
  });

  it('asks nobody for one at a lower level', async () => {
    const { ending, events } = await play(sessions(), 'fair');
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.ok(!rows(events).some((row) => row.endsWith('-hidden')));
  });
});
