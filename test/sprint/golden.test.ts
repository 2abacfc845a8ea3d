/**
 * Golden journals (I1, I3): what whole sprints wrote down once folds for ever to the end that it had, and two of them to the whole
 * state. `LOOP_GOLDEN=write` runs the sprints again and keeps what they write, `LOOP_GOLDEN=fold` only folds the old journals
 * again, for when state gains or loses a field; look at the difference before you commit it.
 */
import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { fold } from '../../src/engine/core/fold.ts';
import type { State } from '../../src/engine/state/state.ts';
import { readJournal } from '../../src/host/journal.ts';
import { build, evaluation, honest, withSessions, type Session } from '../support/greeter.ts';
import { absent } from '../support/person.ts';
import { ground, run, type RunOptions } from '../support/sprint.ts';

const folder = 'test/golden';

interface Golden {
  sessions: readonly Session[];
  options?: RunOptions;
  /** How it ended, and for how many reasons. */
  end: [stop: string, reasons: number];
}

const sprints: Record<string, Golden> = {
  delivered: { sessions: honest, end: ['delivered', 0] },
  waiting: { sessions: honest, options: { person: absent }, end: ['waiting', 10] },
  'out-of-budget': { sessions: honest, options: { overrides: { budgetTokens: 40_000 } }, end: ['out-of-budget', 10] },
  'claims-only': { sessions: withSessions(build('T2')), end: ['partial', 8] },
  'breaks-what-was-green': {
    sessions: withSessions(build('T2', { write_file: { path: 'greet.sh', content: 'echo "${1:-Hello, world!}"\n' } })),
    end: ['partial', 8],
  },
  'rubber-stamp': { sessions: withSessions({ ...evaluation, turns: [{ text: 'All good.', repeat: true }] }), end: ['partial', 1] },
};
/** One that goes as planned, and one with an undo. */
const whole = ['delivered', 'breaks-what-was-green'];

describe('golden journals', () => {
  if (process.env['LOOP_GOLDEN'] === 'write') {
    for (const [name, { sessions, options }] of Object.entries(sprints)) it(`writes ${name}`, () => record(name, sessions, options));
    return;
  }
  if (process.env['LOOP_GOLDEN'] === 'fold') {
    for (const name of whole) it(`folds ${name}`, () => foldAgain(name));
    return;
  }
  for (const [name, { end }] of Object.entries(sprints)) {
    it(`${name} ends as it did`, async () => {
      const { stopped } = await folded(name);
      assert.deepEqual([stopped?.stop, stopped?.reasons.length], end);
    });
  }
  for (const name of whole) {
    it(`${name} folds to the state that it was`, async () => {
      const expected: unknown = JSON.parse(await readFile(join(folder, `${name}.state.json`), 'utf8'));
      assert.deepEqual(plain(await folded(name)), expected);
    });
  }

  it('are all there, and none besides', async () => {
    const journals = (await readdir(folder)).filter((file) => file.endsWith('.jsonl'));
    assert.deepEqual(
      journals.sort(),
      Object.keys(sprints)
        .map((name) => `${name}.jsonl`)
        .sort(),
    );
  });
});

async function record(name: string, sessions: readonly Session[], options?: RunOptions): Promise<void> {
  const at = await ground(sessions);
  try {
    const { state } = await run(at, sessions, options);
    await mkdir(folder, { recursive: true });
    await copyFile(join(at.sprintDir, '.loop', 'journal.jsonl'), join(folder, `${name}.jsonl`));
    if (whole.includes(name)) await keep(name, state);
  } finally {
    await at.dispose();
  }
}

async function foldAgain(name: string): Promise<void> {
  await keep(name, await folded(name));
}

async function folded(name: string): Promise<State> {
  const { events, dropped } = await readJournal(join(folder, `${name}.jsonl`));
  assert.equal(dropped, 0);
  return fold(events);
}

function keep(name: string, state: State): Promise<void> {
  return writeFile(join(folder, `${name}.state.json`), `${JSON.stringify(plain(state), null, 1)}\n`);
}

/** State as JSON; how it is worded for people may change, and is not part of it. */
function plain(state: State): unknown {
  return JSON.parse(JSON.stringify({ ...state, opened: state.opened.n }));
}
