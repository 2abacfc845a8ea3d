/** The browser tool: its calls of the port, its refusals, and how a picture enters a conversation (I2, I13). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runCalls, type CallSite } from '../../../src/engine/agents/calls.ts';
import { defaults, type Config } from '../../../src/engine/ground/config.ts';
import type { BrowserAction, BrowserAnswer, BrowserGround } from '../../../src/engine/ports.ts';
import { promptText } from '../../../src/engine/ground/prompts.ts';
import { browser, browserWords } from '../../../src/engine/tools/browser-tool.ts';
import { denied } from '../../../src/engine/tools/policy.ts';
import { specOf, ToolError } from '../../../src/engine/tools/tool.ts';
import type { Service } from '../../../src/engine/work/service.ts';
import { noBrowser } from '../../support/fake-host.ts';
import { world, type World } from '../../support/fakes.ts';
import * as p from '../support/parts.ts';
import { again, play } from '../support/play.ts';

const png = 'iVBORw0KGgo=';
const web: Service = { name: 'web', start: { command: 'node server.js' }, ready: { tcp: '$PORT' }, limit: 30 };
const database: Service = { name: 'db', start: { compose: 'db', file: 'compose.yaml' }, ready: { tcp: 5432 }, limit: 30 };

/** A browser that records its calls. */
function recordingBrowser(answer: BrowserAnswer = { text: 'Title: Home' }) {
  const recorded: [action: BrowserAction, ground: BrowserGround][] = [];
  const w = world();
  const act = (action: BrowserAction, on: BrowserGround): Promise<BrowserAnswer> => {
    recorded.push([action, on]);
    return Promise.resolve(action.action === 'screenshot' && !('refused' in answer) ? { ...answer, png } : answer);
  };
  Object.assign(w.ports, { browser: { ...noBrowser, act } });
  const call = async (input: unknown, over: Partial<Config> = {}) => {
    assert.ok(browser.kind === 'world');
    const config = { ...defaults, ...over };
    const { signal } = new AbortController();
    return browser.run(browser.input.parse(input), {
      role: 'evaluator',
      config,
      ports: w.ports,
      signal,
      place: { scratch: 's' },
      services: [web, database],
      pictures: 1,
    });
  };
  return { w, recorded, call };
}

describe('browser', () => {
  it('has a flat object as its input schema, because providers accept no union there', () => {
    const { inputSchema } = specOf(browser);
    assert.equal(inputSchema['type'], 'object');
    assert.ok(!('anyOf' in inputSchema) && !('oneOf' in inputSchema));
  });

  it('passes the action to the port, with the reachable services', async () => {
    const { recorded, call } = recordingBrowser();
    assert.equal(await call({ action: 'open', url: 'http://localhost:$PORT/' }), 'Title: Home');
    await call({ action: 'type', target: 'Name', text: '' }, { network: 'all' });
    await call({ action: 'tab', number: 2 });
    assert.deepEqual(recorded, [
      [
        { action: 'open', url: 'http://localhost:$PORT/' },
        { at: { scratch: 's' }, network: false, readonly: false, services: [web] },
      ],
      [
        { action: 'type', target: 'Name', text: '' },
        { at: { scratch: 's' }, network: true, readonly: false, services: [web, database] },
      ],
      [
        { action: 'tab', number: 2 },
        { at: { scratch: 's' }, network: false, readonly: false, services: [web] },
      ],
    ]);
  });

  const wrong: [input: object, message: string][] = [
    [{ action: 'open' }, 'open needs url. Call it again with that mended.'],
    [{ action: 'click' }, 'click needs target. Call it again with that mended.'],
    [{ action: 'type', target: 'Name' }, 'type needs text. Call it again with that mended.'],
    [{ action: 'upload', target: 'Open' }, 'upload needs file. Call it again with that mended.'],
    [{ action: 'tab' }, 'tab needs number. Call it again with that mended.'],
    [{ action: 'clock' }, 'clock needs when. Call it again with that mended.'],
    [{ action: 'read', url: 'x' }, 'read does not take url. Call it again with that mended.'],
  ];
  for (const [input, message] of wrong)
    it(`does not call the port for ${JSON.stringify(input)}`, async () => {
      const { recorded, call } = recordingBrowser();
      await assert.rejects(call(input), new ToolError(message));
      assert.deepEqual(recorded, []);
    });

  it('passes on a refusal of the browser', async () => {
    await assert.rejects(
      recordingBrowser({ refused: 'button "Send" is not visible.' }).call({ action: 'click', target: 'Send' }),
      new ToolError('button "Send" is not visible.'),
    );
  });

  it('applies the command policy to a served command', () => {
    assert.match(denied('evaluator', 'browser', { action: 'open', serve: 'git push' }) ?? '', /^Loop keeps the history/);
    assert.equal(denied('evaluator', 'browser', { action: 'open', serve: 'npm start' }), undefined);
    assert.equal(denied('evaluator', 'browser', { action: 'open' }), undefined);
  });

  it('takes files of the tree and those below /tmp, and no others', () => {
    const why = (file: string): string | undefined => denied('evaluator', 'browser', { action: 'upload', target: 'Open', file });
    for (const file of ['a.json', '.downloads/a.json', '/tmp/downloads/a.json']) assert.equal(why(file), undefined, file);
    for (const file of ['/etc/passwd', '../a.json', '/tmp/../etc/passwd', '/tmp//etc/passwd', '/tmp/']) assert.ok(why(file), file);
    assert.match(why('.loop/sprint/journal') ?? '', /is protected/);
  });

  it('tells the agent whether there is a browser', () => {
    const { ports } = world();
    assert.match(browserWords(ports), /^There is no browser here: None is installed here\. .* do not pretend\.$/);
    Object.assign(ports, { browser: { ...noBrowser, problem: () => undefined } });
    assert.match(browserWords(ports), /^You have a real browser/);
    assert.equal(browserWords(ports), promptText('browser'));
  });
});

describe('a screenshot', () => {
  const site: CallSite = { askId: 's7/a1', role: 'evaluator', tools: [browser], place: 'worktree', ends: [] };
  const uses = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ type: 'tool_use' as const, id: `t${i}`, name: 'browser', input: { action: 'screenshot' } }));

  async function takeScreenshots(w: World, count: number, context = play(w).context) {
    return (await runCalls(context, site, uses(count))).results;
  }

  function evaluating() {
    const { w } = recordingBrowser({ text: 'password: hunter2hunter2X9' });
    w.journal.events.push(...p.awaiting().begin('critical-eval', 'work', ['evaluation']).events);
    return w;
  }

  it('is an unchanged picture in the result, with redacted text, stored before the journal line that refers to it', async () => {
    const w = evaluating();
    const [result] = await takeScreenshots(w, 1);
    const source = { type: 'base64', media_type: 'image/png', data: png };
    assert.deepEqual(result?.content, [
      { type: 'text', text: 'password: [redacted]' },
      { type: 'image', source },
    ]);
    const ended = w.journal.events.at(-1);
    assert.ok(ended?.type === 'step.ended' && ended.picture);
    assert.equal(await w.payloads.get(ended.picture), png);
  });

  it('is read from the payloads after a crash, without taking a second one', async () => {
    const w = evaluating();
    const before = await takeScreenshots(w, 2);
    Object.assign(w.ports, { browser: noBrowser });
    assert.deepEqual(await takeScreenshots(w, 2, (await again(w)).context), before);
  });

  it('is refused after twelve in one session, also after a crash', async () => {
    const w = evaluating();
    const results = await takeScreenshots(w, 13);
    const refusal = 'All screenshots of this session are taken. Read the page instead.';
    assert.deepEqual(
      results.map((r) => r.content === refusal && r.is_error),
      [...Array<boolean>(12).fill(false), true],
    );
    const { context } = await again(w);
    const [late] = (await runCalls(context, { ...site, askId: 's7/a2' }, uses(1))).results;
    assert.equal(late?.content, refusal);
  });
});
