/** A person's edit of a verification in whole sprints: adopted only on their word, proven again and delivered. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { cp, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, it } from 'mocha';
import type { Desk } from '../../src/engine/person/desk.ts';
import { answerEdit, offerEdit } from '../../src/engine/person/edits.ts';
import { InputError, Interruption } from '../../src/engine/ground/errors.ts';
import type { Event } from '../../src/engine/state/events.ts';
import type { State } from '../../src/engine/state/state.ts';
import { trustOf } from '../../src/engine/judge/trust.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { answerEditAtRest, offerAtRest } from '../../src/host/desk-at-rest.ts';
import { acquireLock } from '../../src/host/lock.ts';
import { readSprint } from '../../src/host/sprint.ts';
import { delivered } from '../support/played-once.ts';
import { build, verifications, honest, withSessions, type Session } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';
import type { When } from './die-at.ts';

const id = 'cli/world';
const keptPath = '.loop/verifications/cli/world.edited-1.sh';
const textOfQc = verifications.world.write_verification.content;
/** Stricter than QC's text: the program prints only that one line, and nothing on standard error. */
const edited = textOfQc.replace('2>/dev/null', '2>&1').replaceAll('wrong default', 'wrong words').replace('behaves as', 'says only what');
const editedHash = createHash('sha256').update(edited).digest('hex');
const factsOf = (events: readonly Event[]): Fact[] => events.flatMap((e) => ('facts' in e ? e.facts : []));
const file = ({ sprintDir }: Ground, name = 'world.sh'): string => join(sprintDir, '.loop', 'verifications', 'cli', name);
const aboutEdits = (events: readonly Event[]): string[] =>
  factsOf(events).flatMap(({ fact }) => (/^edit\.|^verification\.(edited|adopted)$/.test(fact) ? [fact] : []));

describe('a person’s edit of a verification', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  /** Runs until the journal has a certain event, and stops there as a person does. */
  async function runUntil(isReached: (event: Event) => boolean, sessions: readonly Session[] = honest): Promise<void> {
    const stopper = new AbortController();
    const onEvent = (event: Event): void => void (isReached(event) && stopper.abort());
    await assert.rejects(run(at, sessions, { signal: stopper.signal, onEvent }), Interruption);
  }

  /** Asserts that the edit is adopted, trusted by its own proofs, and delivered. */
  async function assertDelivered(state: State): Promise<void> {
    const verification = state.work.verifications[id];
    assert.ok(verification?.kind === 'script');
    assert.deepEqual(
      [verification.script, verification.by, verification.lineage, verification.red],
      [editedHash, 'person', id, 'wrong words'],
    );
    assert.equal(trustOf(state, verification).trusted, true);
    assert.equal(at.git('show', `${state.opened.branch}:sprint/verifications/cli/world.sh`), edited);
    assert.equal(await readFile(file(at), 'utf8'), edited);
    const runs = state.ledger.runs[id] ?? [];
    assert.deepEqual(
      runs.map((r) => r.n),
      runs.map((_, i) => i + 1),
      'one history for both scripts',
    );
    const report = await readFile(join(at.sprintDir, '.loop', 'DELIVERY_REPORT.md'), 'utf8');
    assert.match(report, /\[cli\/world\].* \(passed, trusted: .*\)\. Written by the person, adopted from their edit\./);
    const history = await readFile(join(at.sprintDir, '.loop', 'failures', 'cli', 'world', 'history.md'), 'utf8');
    assert.match(history, /The person adopted it: it is the verification since/);
  }

  it('is adopted while the sprint is at rest, was red itself, and is delivered', async () => {
    at = await ground(honest);
    await runUntil((event) => event.type === 'step.begun' && event.step.kind === 'action' && event.step.decision.action === 'execute');
    const fuel = (await readSprint(at.sprintDir))?.ledger.burned;
    writeFileSync(file(at), edited);
    const offer = await offerAtRest(at.sprintDir, id);
    assert.deepEqual([offer.edit.text, offer.edit.kept], [editedHash, keptPath]);
    assert.equal(await readFile(file(at, 'world.edited-1.sh'), 'utf8'), edited);
    assert.equal(await readFile(file(at), 'utf8'), textOfQc);
    assert.deepEqual(await answerEditAtRest(at.sprintDir, id, { text: editedHash, answer: 'adopt' }), { done: false }, 'a task is open');
    assert.deepEqual((await readSprint(at.sprintDir))?.ledger.burned, fuel);
    const { ending, state, events } = await run(at, honest);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(aboutEdits(events), ['verification.adopted']);
    await assertDelivered(state);
    assert.match(state.ledger.runs[id]?.find((r) => r.script === editedHash)?.summary ?? '', /wrong words/);
  });

  it('is adopted after all is built, and proven by reverting the work', async () => {
    at = await ground(honest);
    await runUntil((event) => factsOf([event]).some((f) => f.fact === 'clean.ran'));
    writeFileSync(file(at), edited);
    await offerAtRest(at.sprintDir, id);
    assert.deepEqual(await answerEditAtRest(at.sprintDir, id, { text: editedHash, answer: 'adopt' }), { done: true });
    assert.equal(await readFile(file(at), 'utf8'), edited, 'the file follows the journal');
    const { ending, state } = await run(at, honest);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    await assertDelivered(state);
    const proofs = state.ledger.proofs.filter((p) => p.script === editedHash).map((p) => [p.kind, p.outcome]);
    const clean = state.ledger.runs[id]?.filter((r) => r.where === 'clean').map((r) => r.script);
    assert.deepEqual(clean, [createHash('sha256').update(textOfQc).digest('hex'), editedHash], 'it ran in a clean checkout of its own');
    assert.deepEqual(
      proofs,
      [
        ['control', 'red'],
        ['revert', 'red'],
      ],
      'its own proofs, not those of QC’s text',
    );
  });

  it('is adopted while the sprint runs, from the next decision on', async () => {
    at = await ground(honest);
    let desk: Desk | undefined;
    let answered: Promise<void> | undefined;
    const adopt = async (open: Desk): Promise<void> => {
      // Renderings are written beside the sprint, and no person edits a file before it is there.
      while (!existsSync(file(at))) await delay(5);
      writeFileSync(file(at), edited);
      const { edit } = await offerEdit(open, id, true);
      await answerEdit(open, id, { text: edit.text, answer: 'adopt' });
    };
    const { ending, state, events } = await run(at, honest, {
      onOpen: (open) => (desk = open),
      onEvent: (event) => {
        const builds = event.type === 'step.begun' && event.step.kind === 'ask' && event.step.role === 'builder';
        if (builds && desk) answered ??= adopt(desk);
      },
    });
    await answered;
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(aboutEdits(events), ['verification.edited', 'edit.answered', 'verification.adopted']);
    const adoption = events.findIndex((e) => aboutEdits([e]).includes('verification.adopted'));
    const [before, after] = [events[adoption - 1], events[adoption + 1]];
    assert.ok(before?.type === 'step.ended' && after?.type === 'step.begun' && after.step.kind === 'action', 'between two decisions');
    await assertDelivered(state);
  });

  it('is not adopted when it came while agents were at work: QC’s verification is delivered', async () => {
    at = await ground(honest);
    const forged = textOfQc.replace('exit 1', 'exit 0');
    const tamper = `printf '%s' "$FORGED" > '${file(at)}'; mkdir -p '${join(at.sprintDir, '.loop', 'verifications', 'cli')}' && echo forged > '${file(at)}'; ls '${file(at)}'`;
    const sessions = withSessions(
      build(
        'T1',
        { bash: { command: tamper } },
        { write_file: { path: file(at), content: forged } },
        { write_file: { path: 'greet.sh', content: 'echo "Hello, $1!"\n' } },
      ),
    );
    let outside = false;
    const { ending, state, events } = await run(at, sessions, {
      onEvent(event) {
        if (outside || !JSON.stringify(event).includes('"task.reported","id":"T1"')) return;
        outside = true;
        // The sandbox let nothing through, so the test writes what an agent could not.
        writeFileSync(file(at), forged);
      },
    });
    assert.equal(ending.stop, 'delivered');
    const edits = factsOf(events).filter((f) => f.fact === 'verification.edited');
    assert.deepEqual(
      edits.map((f) => f.atWork),
      [true],
      'it is recorded as a possible edit of an agent',
    );
    assert.deepEqual(aboutEdits(events), ['verification.edited']);
    const verification = state.work.verifications[id];
    assert.equal(verification?.kind === 'script' && verification.by, 'qc');
    assert.equal(at.git('show', `${state.opened.branch}:sprint/verifications/cli/world.sh`), textOfQc);
    assert.equal(await readFile(file(at, 'world.edited-1.sh'), 'utf8'), forged, 'the text is kept for the person');
  });

  it('is never lost by a `kill -9` before, in the middle of or after any line of its adoption', async () => {
    at = await ground(honest);
    await runUntil((event) => factsOf([event]).some((f) => f.fact === 'tree.settled'));
    const { n = 0, open } = (await readSprint(at.sprintDir)) ?? {};
    assert.equal(open, null);
    const loopFolder = join(at.sprintDir, '.loop');
    const copy = join(at.folder, 'before');
    await cp(loopFolder, copy, { recursive: true });
    const moments = [1, 2, 3].flatMap((line) => (['before', 'after', 'torn'] as const).map((when) => ({ line, when })));
    for (const { line, when } of moments) {
      const moment = `${when} line ${line}`;
      await rm(loopFolder, { recursive: true });
      await cp(copy, loopFolder, { recursive: true });
      writeFileSync(file(at), edited);
      assert.equal(await child(at, n + line, when), 'SIGKILL', moment);
      const texts = [file(at), file(at, 'world.edited-1.sh')].map((path) => readFile(path, 'utf8').catch(() => ''));
      assert.ok((await Promise.all(texts)).includes(edited), `${moment}: the person’s text is in its place or kept`);
      const answer = (await readSprint(at.sprintDir))?.ledger.edits?.[id]?.[0]?.answer;
      assert.equal(
        answer,
        line === 3 ? (when === 'after' ? 'adopted' : 'adopt') : line === 2 && when === 'after' ? 'adopt' : undefined,
        moment,
      );
      if (answer === undefined) await assertAdoptedAgain(moment);
    }
    // The last kill came after the person's answer was recorded, so the next run carries it out.
    const { ending, state, events } = await run(at, honest);
    assert.equal(ending.stop, 'delivered');
    assert.deepEqual(aboutEdits(events), ['verification.adopted']);
    await assertDelivered(state);
  });

  /** Asserts that the same command, run again, adopts the edit. */
  async function assertAdoptedAgain(moment: string): Promise<void> {
    assert.equal(await child(at), 0, moment);
    const state = await readSprint(at.sprintDir);
    const edits = state?.ledger.edits?.[id]?.map((edit) => [edit.text, edit.answer, edit.kept]);
    assert.deepEqual(edits, [[editedHash, 'adopted', keptPath]], `${moment}: recorded once`);
    assert.equal(state?.work.verifications[id]?.script, editedHash, moment);
    assert.deepEqual([await readFile(file(at), 'utf8'), await readFile(file(at, 'world.edited-1.sh'), 'utf8')], [edited, edited], moment);
  }

  it('is refused while another process runs the sprint, and once it is over', async () => {
    ({ at } = await delivered());
    writeFileSync(file(at), edited);
    await assert.rejects(offerAtRest(at.sprintDir, id), (error) => error instanceof InputError && /is over/.test(error.message));
    assert.equal(await readFile(file(at), 'utf8'), edited, 'their file is not touched');
    const lock = await acquireLock(at.sprintDir);
    await assert.rejects(offerAtRest(at.sprintDir, id), (error) => error instanceof InputError && /already running/.test(error.message));
    await lock.release();
  });
});

/** The person adopts the edit in a process of its own, killed at one line of the journal. @returns its exit status, or the signal */
function child({ folder, sprintDir }: Ground, line = 0, when: When = 'after'): Promise<number | string | null> {
  const args = [resolve('out/test/sprint/adopt-child.mjs'), sprintDir, id, String(line), when];
  const env = { ...process.env, LOOP_STATE_HOME: join(folder, 'state') };
  return new Promise((done, fail) => {
    const running = spawn(process.execPath, args, { env, stdio: 'inherit' });
    running.once('error', fail).once('close', (code, signal) => done(signal ?? code));
  });
}
