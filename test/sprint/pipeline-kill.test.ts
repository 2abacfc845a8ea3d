/** `kill -9` at any append of a pipeline's journal loses nothing and doubles nothing (I2). `LOOP_KILLS=all` tries every append. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { before, describe, it } from 'mocha';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { fold } from '../../src/engine/core/fold.ts';
import type { Event } from '../../src/engine/state/events.ts';
import { readJournal } from '../../src/host/journal.ts';
import { fingerprint } from '../host/git/fingerprint.ts';
import { pipelineGround, type PipelineGround } from '../support/pipeline.ts';
import { seeded } from '../support/random.ts';
import { moments, type When } from './die-at.ts';
import { assertCharged, killsAt, twice, type Kill } from './kills.ts';

const seed = Number(process.env['LOOP_SEED'] ?? Date.now() % 1_000_000);
const all = process.env['LOOP_KILLS'] === 'all';
/** In a normal test run: so many pipelines, each killed so often, because what comes before a kill is the same for all of them. */
const drawn = { pipelines: 2, kills: 3 };

describe(`a pipeline killed at an append (seed ${seed})`, () => {
  let expected: Played;
  before(async () => {
    const at = await pipelineGround();
    try {
      assert.equal(await child(at), 0);
      expected = await read(at);
    } finally {
      await at.dispose();
    }
  });

  if (all) {
    it('survives every kill', async function () {
      this.timeout(0);
      for (let n = 1; n <= expected.lines; n += 1) {
        for (const when of moments) await killAndResume(twice({ n, when }, expected.lines));
        process.stdout.write(`      killed at line ${n} of ${expected.lines}, ${moments.length} ways, and what went on from there\n`);
      }
    });
    return;
  }
  const random = seeded(seed);
  for (let i = 0; i < drawn.pipelines; i += 1) {
    const shares = Array.from({ length: drawn.kills }, random).sort((a, b) => a - b);
    const places = shares.map((share) => Math.floor(share * 100)).join(', ');
    it(`goes on after each kill, at ${places} % of the journal`, () => killAndResume(killsAt(shares, expected.lines, i)));
  }

  async function killAndResume(kills: readonly Kill[]): Promise<void> {
    const at = await pipelineGround();
    try {
      const print = await personal(at);
      for (const { n, when } of kills) assert.equal(await child(at, n, when), 'SIGKILL', `${when} line ${n}`);
      // The last line ends the run, so nothing is left to go on with; but what it wrote for the person is still completed.
      const [last] = kills;
      const isOver = kills.length === 1 && last?.n === expected.lines && last.when === 'after';
      assert.equal(await child(at), isOver ? exitCodes.input : 0, 'the same command goes on and completes');
      const { story, events } = await read(at);
      assert.deepEqual(story, expected.story);
      assertCharged(events, expected.events);
      assert.deepEqual(await personal(at), print, 'nothing of the person changed');
    } finally {
      await at.dispose();
    }
  }
});

interface Played {
  lines: number;
  events: readonly Event[];
  story: unknown;
}

function child(at: PipelineGround, n = 0, when: When = 'after'): Promise<number | string | null> {
  const args = [resolve('out/test/sprint/pipeline-child.mjs'), at.repo, at.fixtures, String(n), when];
  return new Promise((done, fail) => {
    const running = spawn(process.execPath, args, { env: { ...process.env, ...at.env }, stdio: ['ignore', 'inherit', 'pipe'] });
    let errors = '';
    running.stderr.on('data', (text: Buffer) => (errors += text.toString()));
    running.once('error', fail).once('close', (code, signal) => {
      if (code !== 0 && signal === null) process.stderr.write(errors);
      done(signal ?? code);
    });
  });
}

async function personal(at: PipelineGround): Promise<Record<string, string>> {
  const print = await fingerprint(at.repo);
  return Object.fromEntries(Object.entries(print).filter(([key]) => !key.includes('refs/heads/loop/')));
}

/** Everything but times, ids, hashes of commits, costs and resumes. */
async function read(at: PipelineGround): Promise<Played> {
  const { events } = await readJournal(`${at.repo}/.loop/pipelines/three/.loop/journal.jsonl`);
  const { ledger, opened, stopped } = fold(events);
  const tip = at.git('rev-parse', opened.branch).trim();
  const story = {
    stopped,
    files: at.git('ls-tree', '-r', tip),
    subjects: at.git('log', '--format=%s', `main..${tip}`).split('\n'),
    iterations: ledger.pipeline?.iterations.map((one) => ({ ...one, duration: 0, resumes: 0 })),
    looks: ledger.pipeline?.looks.map((one) => ({ ...one, resumes: 0 })),
    shelf: shelfOf(`${at.repo}/.loop/pipelines/three/.loop`),
    fuel: ledger.burned.iteration,
    sprintFuel: (ledger.burned.sprint[''] ?? 0) - ledger.resumes,
  };
  return { lines: events.length, events, story };
}

/** What lies there for the person, but for the record itself and times. */
function shelfOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = files.map((one) => relative(folder, join(one.parentPath, one.name))).filter((path) => path.startsWith('stage-'));
  return Object.fromEntries(
    paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8').replace(/"remaining_seconds": \d+/, '')]),
  );
}
