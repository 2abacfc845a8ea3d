import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import type { Progress } from '../../../src/engine/ground/progress.ts';
import { roleNames } from '../../../src/engine/ground/roles.ts';
import type { Draft, Event } from '../../../src/engine/state/events.ts';
import { tank } from '../../../src/engine/state/fuel.ts';
import { activityView, afterEvent, afterProgress, idle, roleWords, type Activity } from '../../../src/views/model/activity.ts';
import { toolWords } from '../../../src/views/model/tool-words.ts';
import { begun, ended, ref } from './sample.ts';

const event = (draft: Draft, at: number): Event => ({ ...draft, n: 1, owner: 1, at });
const asked = (turn: number): Draft => ({
  type: 'step.begun',
  step: { id: `5/a${turn}`, kind: 'ask', request: ref('1'), role: 'builder', purpose: 'execute/T2#1', turn },
  burns: [tank('turns', '5')],
});
const lines = (activity: Activity, now: number): string[] =>
  activityView(activity, now).lines.map(({ words, elapsed }) => `${words}, ${elapsed} ms`);

/** Each item comes a second after the one before. */
function after(...items: (Draft | Progress)[]): { activity: Activity; now: number } {
  let [activity, now] = [idle(0), 0];
  for (const item of items) {
    now += 1000;
    activity = 'type' in item ? afterEvent(activity, event(item, now)) : afterProgress(activity, item, now);
  }
  return { activity, now };
}

describe('activity', () => {
  it('says who thinks, and then the last line of what they wrote', () => {
    const thinking = after(begun('5', 'execute', 'T2'), asked(0));
    assert.deepEqual(lines(thinking.activity, thinking.now + 500), ['Builder thinks, 500 ms']);
    const said = after(begun('5', 'execute', 'T2'), asked(0), text('I read it.\nNow the '), text('parser.\n'));
    assert.deepEqual(lines(said.activity, said.now), ['Builder: Now the parser., 2000 ms']);
    assert.equal(activityView(said.activity, said.now).elapsed, 3000);
  });

  it('names the tool that works until its call has ended', () => {
    const call = [begun('5', 'execute', 'T2'), asked(0), { kind: 'tool' as const, name: 'bash', input: 'npm test' }];
    const works = after(...call);
    assert.deepEqual(lines(works.activity, works.now + 7000), ['Builder thinks, 8000 ms', 'runs a command: npm test, 7000 ms']);
    const over = after(...call, ended('5/a0/c1'));
    assert.deepEqual(lines(over.activity, over.now), ['Builder thinks, 2000 ms']);
  });

  it('names the verifications that run, each until it has ended', () => {
    const [first, second] = [began('cli/total'), began('cli/month')];
    const { activity, now } = after(begun('5', 'run-verifications'), first, second, {
      kind: 'verification',
      id: 'cli/total',
      verdict: 'red',
      duration: 900,
    });
    assert.deepEqual(lines(activity, now), ['runs cli/month, 1000 ms']);
  });

  it('says why the model does not answer, until it does', () => {
    const retry: Progress = { kind: 'retry', why: 'overloaded', attempt: 2, waitMs: 4000 };
    const waits = after(asked(0), retry);
    assert.deepEqual(lines(waits.activity, waits.now), [
      'Builder thinks, 1000 ms',
      'the model is asked again in 4.0 s: overloaded, 1000 ms',
    ]);
    const answers = after(asked(0), retry, text('Hello'));
    assert.deepEqual(lines(answers.activity, answers.now), ['Builder: Hello, 2000 ms']);
  });

  it('forgets all of it when something else is begun', () => {
    const { activity, now } = after(asked(0), text('Done.'), began('cli/total'), begun('6', 'run-verifications'));
    assert.deepEqual(activityView(activity, now), { elapsed: 0, lines: [] });
  });

  it('keeps no more of a long text than its end, and makes it inert', () => {
    const { activity, now } = after(asked(0), text(`${'x'.repeat(100_000)}\n[a](command:evil) $(zap) \u001B[31mred`));
    assert.deepEqual(lines(activity, now), ['Builder: [a] (command:evil) $ (zap) red, 1000 ms']);
    assert.ok(JSON.stringify(activity).length < 1000);
  });

  it('says how many faults were tried, until something else is done', () => {
    const measuring = after(
      begun('5', 'wait', ''),
      { kind: 'faults', tried: 12, all: 96, left: 0 },
      { kind: 'faults', tried: 24, all: 96, left: 130_000 },
    );
    assert.deepEqual(lines(measuring.activity, measuring.now), ['24 of 96 faults tried, about 2 min left, 2000 ms']);
    assert.deepEqual(lines(afterEvent(measuring.activity, event(begun('6', 'close', ''), 4000)), 4000), []);
  });

  it('has words for every role and every tool', () => {
    assert.deepEqual(Object.keys(roleWords).sort(), [...roleNames].sort());
    const prompts = readdirSync('prompts').map((name) => readFileSync(`prompts/${name}`, 'utf8'));
    const tools = new Set(prompts.flatMap((prompt) => /^tools: \[(.*)\]$/m.exec(prompt)?.[1]?.split(', ') ?? []));
    assert.ok(tools.size > 20);
    for (const name of tools) assert.doesNotMatch(toolWords(name, ''), /_|^bash$/, name);
  });
});

function text(words: string): Progress {
  return { kind: 'agent', role: 'builder', text: words };
}

function began(id: string): Progress {
  return { kind: 'verification-began', id };
}
