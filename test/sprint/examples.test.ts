/**
 * Whole sprints of the examples: a fresh repository, the real engine, sandbox, git and browser; only the model is recorded.
 * Each example is delivered with its first recording, and ends otherwise with its second one, for a stated reason (I7).
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, it } from 'mocha';
import { playSprint, type Played } from '../../scripts/play.ts';
import { requestsIn } from '../../src/cli/record.ts';
import { finalOf } from '../../src/engine/judge/ending.ts';
import type { Event } from '../../src/engine/state/events.ts';
import { readSprint } from '../../src/host/sprint.ts';
import { createModel, recordedRequests } from '../../src/models/create.ts';
import { differenceLines, differencesOf } from '../../src/models/differences.ts';

const meant = 'If it is meant to be so: npm run replay -- --update';

describe('an example', () => {
  let folder = '';
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Whether a sprint asked what its recording was asked, and where not. */
  async function compared(file: string, repo: string): Promise<string> {
    const recorded = await recordedRequests(file);
    const differences = recorded ? differencesOf(recorded, await requestsIn(join(repo, 'sprint'))) : [];
    const told = recorded ? differences.flatMap(differenceLines) : ['There is no file of its requests.'];
    return told.length === 0 ? 'as recorded' : [...told, meant].join('\n');
  }

  /** Measuring takes most of the time of an example. Those that end otherwise do so for another reason, and are not measured. */
  async function play(name: string, recording: 'recording' | 'otherwise'): Promise<Played & { repo: string; asked: string }> {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'loop-examples-')));
    process.env['LOOP_STATE_HOME'] = join(folder, 'state');
    const [example, repo] = [join('examples', name), join(folder, name)];
    const file = join(example, 'sprint', `${recording}.yaml`);
    const evidence = recording === 'otherwise' ? { evidence: 'any' as const } : {};
    const played = await playSprint(example, repo, await createModel({ kind: 'recorded', file }), evidence);
    return { ...played, repo, asked: await compared(file, repo) };
  }

  it('of a command-line tool is delivered by `npm start`, with a file that only the person can supply', async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'loop-examples-')));
    const env = { ...process.env, TMPDIR: folder, LOOP_STATE_HOME: join(folder, 'state') };
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/start.mjs', '--built'], { env, maxBuffer: Infinity });
    const repo = /^A fresh repository with the example: (.*)$/m.exec(stdout)?.[1] ?? '';
    const state = await readSprint(join(repo, 'sprint'));
    assert.deepEqual(state?.stopped, { stop: 'delivered', reasons: [] });
    assert.equal(await compared(join('examples', 'receipts', 'sprint', 'recording.yaml'), repo), 'as recorded');
    assert.deepEqual(
      Object.values(state.ledger.humanActions).map((p) => p.status),
      ['fulfilled'],
    );
    assert.deepEqual(
      finalOf(state).evaluation?.howToUse?.map((use) => use.it),
      ['README.md', 'node bin/receipts.js samples/spring.csv', 'node bin/receipts.js samples/spring.csv --json'],
    );
  });

  it('of a command-line tool is not delivered where the final assessment does not recommend it, though all is green', async () => {
    const { ending, state } = await play('receipts', 'otherwise');
    assert.equal(ending.stop, 'partial');
    assert.equal(ending.reasons.length, 1);
    assert.match(ending.reasons[0] ?? '', /^The final assessment does not recommend shipping: .* no rate stands on the report/);
    assert.ok(Object.values(state.work.results).every((r) => r.verdict === 'green'));
  });

  it('of a web application is delivered after use in a real browser, which finds a fault that no verification could', async () => {
    const { ending, state, events, repo } = await play('lent', 'recording');
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const [first, second] = state.ledger.assessments.evaluations;
    assert.deepEqual([first?.findings[0]?.severity, first?.criteria[0]?.met, second?.criteria[0]?.met], ['critical', false, true]);
    assert.equal(state.work.tasks['G1']?.source, 'evaluation');
    const answers = (await toolAnswers(repo, events)).join('\n\n');
    assert.match(answers, /uncaught: TypeError: form\.addEventListner is not a function/);
    assert.match(answers, /Address: http:\/\/localhost:\d+\/\?thing=drill&to=Priya/);
    assert.match(answers, /alert\n\s+text "Still missing: to"/);
    assert.match(answers, /text "drill: Priya has it since \d{4}-\d\d-\d\d"/);
    assert.deepEqual(await screenshotSizes(repo, events), [
      [1280, 800],
      [390, 844],
    ]);
    assert.match(
      await readFile(join(repo, 'sprint', '.loop', 'DELIVERY_REPORT.md'), 'utf8'),
      /Delivered\.[^]*- Start web: `LENT_FILE=\/tmp\/lent\.json node server\.js`.* What it stores so is thrown away: give it a place of your own\.\n[^]*: open `http:\/\/localhost:\$PORT\/`\n[^]*I left out who has the drill/,
    );
  });

  it('of a web application is not delivered where its form cannot be sent and no task may be added', async () => {
    const { ending } = await play('lent', 'otherwise');
    assert.equal(ending.stop, 'partial');
    assert.deepEqual(
      ending.reasons.filter((r) => r.startsWith('Finding')),
      ['Finding: The form of the page still cannot be sent.'],
    );
    assert.ok(ending.reasons.some((r) => r.startsWith('Requirement V1') && r.includes('was judged not met: ')));
  });

  it('of a document is delivered with figures that a command computed and criteria that a reader judged', async () => {
    const { ending, state, asked } = await play('hosting', 'recording');
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.equal(asked, 'as recorded');
    const criteria = Object.values(state.work.verifications)
      .filter((v) => v.kind === 'criterion')
      .map((v) => v.id);
    assert.deepEqual(criteria, ['proposal/follows', 'value/decide']);
  });

  it('of a document is not delivered where a criterion is not met', async () => {
    const { ending } = await play('hosting', 'otherwise');
    assert.equal(ending.stop, 'partial');
    assert.deepEqual(
      ending.reasons.map((r) => r.slice(0, 15)),
      ['Requirement 2.1', 'Requirement V1 '],
    );
  });
});

function payload(repo: string, ref: string): Promise<string> {
  return readFile(join(repo, 'sprint', '.loop', 'payloads', ref.slice(0, 2), ref), 'utf8');
}

/** The answers of the tools, in order. */
function toolAnswers(repo: string, events: readonly Event[]): Promise<string[]> {
  const results = events.flatMap((e) => (e.type === 'step.ended' && e.id.includes('/c') && e.result ? [e.result] : []));
  return Promise.all(results.map((ref) => payload(repo, ref)));
}

/** The sizes of the screenshots. */
async function screenshotSizes(repo: string, events: readonly Event[]): Promise<number[][]> {
  const refs = events.flatMap((e) => (e.type === 'step.ended' && e.picture ? [e.picture] : []));
  const bytes = await Promise.all(refs.map(async (ref) => Buffer.from(await payload(repo, ref), 'base64')));
  return bytes.map((png) => [png.readUInt32BE(16), png.readUInt32BE(20)]);
}
