/**
 * Golden journals (I1, I3): what whole sprints wrote down once folds to the same state for ever. `LOOP_GOLDEN=write` runs
 * the sprints again and keeps what they write, `LOOP_GOLDEN=fold` only folds the old journals again, for when state gains or
 * loses a field; look at the difference before you commit it.
 */
import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { fold } from '../../src/engine/core/fold.ts';
import type { State } from '../../src/engine/state/state.ts';
import { readJournal } from '../../src/host/journal.ts';
import { build, evaluation, honest, withSessions, type Session } from '../support/greeter.ts';
import { absent, ground, run, type Run } from '../support/sprint.ts';

const folder = 'test/golden';

const sprints: Record<string, { sessions: readonly Session[]; options?: Run }> = {
  delivered: { sessions: honest },
  waiting: { sessions: honest, options: { person: absent } },
  'out-of-budget': { sessions: honest, options: { overrides: { budgetTokens: 40_000 } } },
  'claims-only': { sessions: withSessions(build('T2')) },
  'breaks-what-was-green': {
    sessions: withSessions(build('T2', { write_file: { path: 'greet.sh', content: 'echo "${1:-Hello, world!}"\n' } })),
  },
  'rubber-stamp': { sessions: withSessions({ ...evaluation, turns: [{ text: 'All good.', repeat: true }] }) },
};

describe('golden journals', () => {
  if (process.env['LOOP_GOLDEN'] === 'write') {
    for (const [name, { sessions, options }] of Object.entries(sprints))
      it(`writes ${name}`, () => record(name, sessions, options));
    return;
  }
  if (process.env['LOOP_GOLDEN'] === 'fold') {
    for (const name of Object.keys(sprints)) it(`folds ${name}`, () => foldAgain(name));
    return;
  }
  for (const name of Object.keys(sprints)) {
    it(`${name} folds to the state that it was`, async () => {
      const { events, dropped } = await readJournal(join(folder, `${name}.jsonl`));
      assert.equal(dropped, 0);
      const expected: unknown = JSON.parse(await readFile(join(folder, `${name}.state.json`), 'utf8'));
      assert.deepEqual(plain(fold(events)), expected);
    });
  }

  it('are all there, and none besides', async () => {
    const journals = (await readdir(folder)).filter((file) => file.endsWith('.jsonl'));
    assert.deepEqual(journals.sort(), Object.keys(sprints).map((name) => `${name}.jsonl`).sort()); // prettier-ignore
  });
});

async function record(name: string, sessions: readonly Session[], options?: Run): Promise<void> {
  const at = await ground(sessions);
  try {
    const { state } = await run(at, sessions, options);
    await mkdir(folder, { recursive: true });
    await copyFile(join(at.sprintDir, '.loop', 'journal.jsonl'), join(folder, `${name}.jsonl`));
    await keep(name, state);
  } finally {
    await at.dispose();
  }
}

async function foldAgain(name: string): Promise<void> {
  await keep(name, fold((await readJournal(join(folder, `${name}.jsonl`))).events));
}

function keep(name: string, state: State): Promise<void> {
  return writeFile(join(folder, `${name}.state.json`), `${JSON.stringify(plain(state), null, 1)}\n`);
}

/** State as JSON; how it is worded for people may change, and is not part of it. */
function plain(state: State): unknown {
  return JSON.parse(JSON.stringify({ ...state, opened: state.opened.n }));
}
