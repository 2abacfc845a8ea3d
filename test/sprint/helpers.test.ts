/** Helpers and first runs in whole sprints: what scripts share stands in each, runs in the sandbox, and is mended in all of them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { trustOf } from '../../src/engine/judge/trust.ts';
import { withoutHelpers } from '../../src/engine/parse/helper-text.ts';
import type { Event } from '../../src/engine/state/events.ts';
import { openPayloads } from '../../src/host/payloads.ts';
import { honest, verifications, withSessions, writeVerifications } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

const helper = (body: string) => ({ write_helper: { name: 'greets.sh', content: `greets() { ${body}; }\n` } });
const right = 'out="$(sh greet.sh "${@:3}" 2>/dev/null)"; [ "$out" = "$2" ] || { echo "$1: expected $2, got $out"; exit 1; }';
const script = (id: string, prd: string, red: string, call: string) => ({
  write_verification: {
    path: `${id}.sh`,
    content: `# TEST: ${id}\n# PRD: ${prd}\n# RED: ${red}\n# USES: greets.sh\ngreets ${call}\n`,
  },
});
const three = [
  script('cli/name', '1.1, V1', 'wrong greeting', '"wrong greeting" "Hello, Ada!" Ada'),
  script('cli/world', '1.2', 'wrong default', '"wrong default" "Hello, world!"'),
  script('cli/house', '1.3', 'wrong word', '"wrong word" "Salute, Ada!" --house Ada'),
];

describe('a helper of verifications', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  it('is in the text of each script that names it, and they prove the sprint', async () => {
    at = await ground(honest);
    const { state, ending } = await run(at, withSessions(writeVerifications(helper(right), ...three)));
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    for (const verification of Object.values(state.work.verifications)) {
      const text = await payload(at, verification.script);
      assert.ok(text.includes('greets() {'), text);
      assert.ok(!withoutHelpers(text).includes('greets() {'));
      assert.equal(trustOf(state, verification).trusted, true, verification.id);
    }
  });

  it('that is mended is mended in all of them, and each has to fail for its reason again', async () => {
    at = await ground(honest);
    const wrong = helper('echo "nothing to see"; exit 1');
    const { state, ending, events } = await run(at, withSessions(writeVerifications(wrong, ...three, helper(right))));
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const answers = await answersOf(at, events);
    assert.match(answers[1] ?? '', /It ran: red, but not for its reason.*lacks the RED text "wrong greeting"/);
    assert.match(
      answers[4] ?? '',
      /It stands in cli\/name, cli\/world, cli\/house now, to be proven anew\.\ncli\/name: It ran: red, with its RED text: wrong greeting/,
    );
    for (const runs of Object.values(state.ledger.runs)) {
      assert.deepEqual(
        runs.slice(0, 2).map(({ redSeen, verdict }) => [verdict, redSeen]),
        [
          ['red', false],
          ['red', true],
        ],
      );
      assert.notEqual(runs[0]?.script, runs[1]?.script);
    }
  });

  it('has to be there, in the language of the script', async () => {
    at = await ground(honest);
    const [first] = three;
    const inPython = { write_helper: { name: 'greets.py', content: 'def greets(): pass\n' } };
    const foreign = {
      write_verification: { ...first?.write_verification, content: first?.write_verification.content.replace('.sh', '.py') },
    };
    const { ending, events } = await run(
      at,
      withSessions(writeVerifications(...three.slice(0, 1), inPython, foreign, helper(right), ...three)),
    );
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const answers = await answersOf(at, events);
    assert.equal(answers[0], 'cli/name.sh: there is no helper greets.sh; there are none. Write it with write_helper first.');
    assert.equal(answers[2], 'cli/name.sh: greets.py is in another language.');
  });
});

describe('a script that was just written', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  it('runs once, its writer is told how, and no row runs it again on the same code', async () => {
    at = await ground(honest);
    const { events } = await run(at, honest);
    const [first] = await answersOf(at, events);
    assert.match(
      first ?? '',
      /^Verification cli\/name written\.\nIt ran: red, with its RED text: wrong greeting: expected 'Hello, Ada!', got ''$/,
    );
    const onNothing = events.flatMap((event) =>
      event.type === 'step.ended'
        ? event.facts.flatMap((fact) => (fact.fact === 'verification.ran' && fact.run.code === 0 ? [fact.run] : []))
        : [],
    );
    assert.deepEqual(onNothing.map(({ verification }) => verification).sort(), ['cli/house', 'cli/name', 'cli/world']);
  });
});

describe('the report of QC in the reply that writes', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  it('is refused where a script did not fail for its reason, until its writer has read that', async () => {
    at = await ground(honest);
    const silent = { write_verification: { path: 'cli/name.sh', content: '# TEST: a\n# PRD: 1.1, V1\n# RED: wrong\nexit 1\n' } };
    const report = { report_verifications_complete: { summary: 'These verify what the PRD says.' } };
    const { world, house, name } = verifications;
    const turns = [{ calls: [silent, world, house, report] }, { calls: [name, report] }];
    const { ending, events } = await run(at, withSessions({ ...writeVerifications(), turns }));
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const answers = await answersOf(at, events);
    assert.match(answers[3] ?? '', /^cli\/name did not fail for the stated reason; see the answers above/);
    assert.equal(answers[5], 'Verifications taken.');
  });
});

/** What the calls of the first session of QC were answered. */
async function answersOf(at: Ground, events: readonly Event[]): Promise<string[]> {
  const begun = events.find(
    (event) => event.type === 'step.begun' && event.step.kind === 'action' && event.step.decision.action === 'write-verifications',
  );
  assert.ok(begun?.type === 'step.begun');
  const calls = events.flatMap((event) =>
    event.type === 'step.ended' && event.id.startsWith(`${begun.step.id}/`) && /\/c\d+$/.test(event.id) ? [event] : [],
  );
  return Promise.all(calls.map(({ result }) => payload(at, result ?? '')));
}

function payload({ sprintDir }: Ground, ref: string): Promise<string> {
  return openPayloads(join(sprintDir, '.loop')).get(ref);
}
