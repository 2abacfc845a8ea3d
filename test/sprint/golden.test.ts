/**
 * Golden journals (I1, I3): journals of whole sprints always fold to the ending that they had, and two of them to the same
 * state. `LOOP_GOLDEN=write` runs the sprints again and keeps their journals. `LOOP_GOLDEN=fold` only folds the kept journals
 * again, for when state gains or loses a field. Review the difference before you commit it.
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
  /** The ending, and the number of its reasons. */
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
/** Sprints whose whole state is compared: one that goes as planned, and one with an undo. */
const withState = ['delivered', 'breaks-what-was-green'];

describe('golden journals', () => {
  if (process.env['LOOP_GOLDEN'] === 'write') {
    for (const [name, { sessions, options }] of Object.entries(sprints))
      it(`of ${name} are written`, () => writeGolden(name, sessions, options));
    return;
  }
  if (process.env['LOOP_GOLDEN'] === 'fold') {
    for (const name of withState) it(`of ${name} are folded`, () => foldAgain(name));
    return;
  }
  for (const [name, { end }] of Object.entries(sprints)) {
    it(`of ${name} have the same ending`, async () => {
      const { stopped } = await foldGolden(name);
      assert.deepEqual([stopped?.stop, stopped?.reasons.length], end);
    });
  }
  for (const name of withState) {
    it(`of ${name} fold to the same state`, async () => {
      const expected: unknown = JSON.parse(await readFile(join(folder, `${name}.state.json`), 'utf8'));
      assert.deepEqual(plain(await foldGolden(name)), expected);
    });
  }

  it('exist for each sprint, and for no other', async () => {
    const journals = (await readdir(folder)).filter((file) => file.endsWith('.jsonl'));
    assert.deepEqual(
      journals.sort(),
      Object.keys(sprints)
        .map((name) => `${name}.jsonl`)
        .sort(),
    );
  });
});

async function writeGolden(name: string, sessions: readonly Session[], options?: RunOptions): Promise<void> {
  const at = await ground(sessions);
  try {
    const { state } = await run(at, sessions, options);
    await mkdir(folder, { recursive: true });
    await copyFile(join(at.sprintDir, '.loop', 'journal.jsonl'), join(folder, `${name}.jsonl`));
    if (withState.includes(name)) await writeState(name, state);
  } finally {
    await at.dispose();
  }
}

async function foldAgain(name: string): Promise<void> {
  await writeState(name, await foldGolden(name));
}

async function foldGolden(name: string): Promise<State> {
  const { events, dropped } = await readJournal(join(folder, `${name}.jsonl`));
  assert.equal(dropped, 0);
  return fold(events);
}

function writeState(name: string, state: State): Promise<void> {
  return writeFile(join(folder, `${name}.state.json`), `${JSON.stringify(plain(state), null, 1)}\n`);
}

/** State as JSON, without the opening event, which the journal holds anyway. */
function plain(state: State): unknown {
  return JSON.parse(JSON.stringify({ ...state, opened: state.opened.n }));
}
