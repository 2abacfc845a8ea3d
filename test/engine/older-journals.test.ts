/** What an older version of Loop wrote is read as it was meant: the same state at its end, the same decision at every point (I1, I3). */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, it } from 'mocha';
import { table } from '../../src/engine/actions/table.ts';
import { decide } from '../../src/engine/core/decide.ts';
import { coverage } from '../../src/engine/judge/ending.ts';
import type { Event } from '../../src/engine/state/events.ts';
import { advance, fold, opened } from '../../src/engine/core/fold.ts';
import { left, tank } from '../../src/engine/state/fuel.ts';
import type { State } from '../../src/engine/state/state.ts';
import { statusOf } from '../../src/engine/judge/status.ts';
import { trustOf } from '../../src/engine/judge/trust.ts';
import { liveVerifications } from '../../src/engine/state/covers.ts';
import { decodeLines } from '../../src/host/journal-lines.ts';

const folder = 'test/fixtures/journals';

for (const version of readdirSync(folder)) {
  const expected = JSON.parse(readFileSync(join(folder, version, 'expected.json'), 'utf8')) as Record<string, unknown>;

  describe(`journals of ${version}`, () => {
    for (const [name, summary] of Object.entries(expected)) {
      const path = join(folder, version, `${name}.jsonl.gz`);
      const read = (): Event[] => decodeLines(gunzipSync(readFileSync(path)), path).events;

      it(`${name} ends in the state that it had`, () => assert.deepEqual(summaryOf(fold(read())), summary));
      it(`${name} decides as it did`, () => assert.deepEqual(decidedAnew(read()), decided(read())));
    }
  });
}

/** What that version called what is called otherwise now. */
const statusThen: Readonly<Record<string, string>> = { answered: 'claimed', 'not-needed': 'moot' };

/** In the words of that version. */
function summaryOf(state: State) {
  const { work, ledger, stopped } = state;
  return {
    stopped: stopped?.stop ?? null,
    reasons: stopped?.reasons.length ?? 0,
    tasks: Object.values(work.tasks).map(({ id, status }) => `${id} ${status}`),
    verifications: liveVerifications(work).map((c) => `${c.id} ${statusOf(state, c)} ${trustOf(state, c).trusted}`),
    requirements: coverage(state).map(({ requirement, provenBy }) => `${requirement.id} ${provenBy?.id ?? ''}`),
    humanActions: Object.values(ledger.humanActions).map(({ id, status }) => `${id} ${statusThen[status] ?? status}`),
    fuelLeft: left(ledger, tank('sprint')),
    milestones: ledger.milestones.map((milestone) => milestone.replace(/^verification /, 'check ')),
    runs: Object.values(ledger.runs).flat().length,
  };
}

function decided(events: readonly Event[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'step.begun' || event.step.kind !== 'action') return [];
    const { action, target } = event.step.decision;
    return [`${event.n}: ${action} ${target}`];
  });
}

/** What is decided at these points now, by the lines before each of them. */
function decidedAnew([first, ...events]: readonly Event[]): string[] {
  assert.ok(first);
  const state = opened(first);
  return events.flatMap((event) => {
    const isDecision = event.type === 'step.begun' && event.step.kind === 'action';
    const anew = isDecision ? decide(state, table) : undefined;
    advance(state, event);
    return anew ? [`${event.n}: ${anew.action} ${anew.target}`] : [];
  });
}
