/** Prompts are files in `prompts/` (I14). Each is used and has exactly the placeholders that the engine fills. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { actions, table } from '../../../src/engine/actions/table.ts';
import { roleNames } from '../../../src/engine/ground/roles.ts';
import { shownTools } from '../../../src/engine/agents/shown-tools.ts';
import { Bug } from '../../../src/engine/ground/errors.ts';
import type { SprintRow } from '../../../src/engine/state/rows.ts';
import { frontOf, prompt, promptText, type PromptName } from '../../../src/engine/ground/prompts.ts';
import { readers } from '../../../src/engine/tools/policy.ts';
import { toolsNamed } from '../../../src/engine/tools/registry.ts';
import { calls, says, world } from '../../support/fakes.ts';
import { Story } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { play } from '../support/play.ts';

const folder = join(process.cwd(), 'prompts');
const files = readdirSync(folder)
  .map((name) => name.replace(/\.md$/, ''))
  .sort();
const source = (name: string): string => readFileSync(join(folder, `${name}.md`), 'utf8');
const placeholders = (name: string): string[] => [...new Set([...source(name).matchAll(/\{\{(\w+)\}\}/g)].map(([, key]) => key ?? ''))];
const values = (name: string): Record<string, string> => Object.fromEntries(placeholders(name).map((key) => [key, `<${key}>`]));
const isSession = (name: string): boolean => source(name).startsWith('---\n');
const sessions = files.filter(isSession);

describe('a prompt', () => {
  for (const name of files as PromptName[])
    it(`${name} renders with exactly its placeholders`, () => {
      const render = (given: Record<string, string>): string => (isSession(name) ? prompt(name, given).text : promptText(name, given));
      const text = render(values(name));
      assert.doesNotMatch(text, /\{\{|\}\}|^---/m);
      for (const key of placeholders(name)) assert.ok(text.includes(`<${key}>`), key);
      for (const key of placeholders(name)) {
        const { [key]: _, ...rest } = values(name);
        assert.throws(() => render(rest), new Bug(`prompts/${name}.md wants {{${key}}}`));
      }
      assert.throws(() => render({ ...values(name), more: 'x' }), new Bug(`prompts/${name}.md does not use more`));
    });

  it('inserts a value unchanged, also one with placeholders or dollar signs', () => {
    const { text } = prompt('vrc', {
      checklist: '{{scope}} $& $1',
      scope: 'all of it',
      notable: 'None.',
      open: 'None.',
      recommend: 'None.',
    });
    assert.ok(text.includes('{{scope}} $& $1') && text.includes('Vision Reality Check of all of it.'));
  });

  for (const name of sessions as PromptName[])
    it(`${name} has a role, existing tools, and a report that ends its session`, () => {
      const { role, tools, ends } = prompt(name, values(name));
      assert.ok(roleNames.includes(role));
      const known = toolsNamed(tools);
      assert.equal(known.length, tools.length, 'each tool only once');
      assert.ok(ends.length > 0 && ends.every((end) => known.some((t) => t.name === end && t.kind === 'report')), ends.join());
    });

  it('gives a role only its tools: a judge writes no files, a classifier has no world tools, only a researcher has the web', () => {
    for (const name of sessions as PromptName[]) {
      const { role, tools, web } = prompt(name, values(name));
      const acting = toolsNamed(tools)
        .filter((tool) => tool.kind === 'world')
        .map((tool) => tool.name);
      if (readers.includes(role)) assert.ok(!acting.some((tool) => tool === 'write_file' || tool === 'edit_file'), name);
      if (role === 'classifier') assert.deepEqual(acting, [], name);
      assert.equal(web, role === 'researcher', name);
    }
  });

  it('without front matter cannot start a session', () => {
    assert.throws(() => prompt('reminder', {}), new Bug('prompts/reminder.md has no front matter'));
  });
});

/** A state in which each action that asks a model has something to do. */
const stages: Partial<Record<SprintRow, [story: Story, target: string, prompt: string]>> = {
  discovery: [new Story(), '', 'discovery'],
  'review-documents': [new Story(), '', 'review-documents'],
  plan: [new Story(), '', 'plan'],
  'review-plan': [p.planned(), '', 'review-plan'],
  'service-fix': [withService(), 'api', 'service-fix'],
  'write-verifications': [p.planned(), 'plan', 'write-verifications'],
  strategy: [p.awaiting(), '', 'strategy'],
  'course-correct': [p.awaiting(), '', 'course-correct'],
  triage: [p.awaiting(), '', 'triage'],
  fix: [p.awaiting(), 'value/total', 'fix'],
  'plan-health': [p.awaiting(), '', 'plan-health'],
  research: [p.awaiting(), 'value/total', 'research'],
  execute: [p.awaiting(), 'T1', 'execute'],
  vrc: [p.awaiting(), 'full', 'vrc'],
  'critical-eval': [p.awaiting(), 'work', 'evaluation'],
  'write-hidden': [p.proven(), '', 'write-hidden'],
};

/** Texts that a strategy adds to other prompts, tested in `strategy.test.ts`. */
const approaches = ['approach-revert', 'approach-rewrite', 'approach-smaller', 'approach-smallest'];

function withService(): Story {
  const api = { name: 'api', start: { command: 'node server.js' }, ready: { tcp: 3000 }, limit: 30 };
  return p.awaiting().act('inputs', { fact: 'services.read', services: [api] });
}

/** Sent in `pipeline.test.ts`, `session.test.ts` and `tell.test.ts`. */
const elsewhere = ['stage', 'stage-system', 'stage-verification', 'cut-reply', 'hand-over', 'handed-over', 'said', 'chat'];

/** Texts about the browser or the web, available or not. */
const availability = ['browser', 'browser-command', 'browser-found', 'browser-none', 'web', 'web-none'];

describe('every prompt', () => {
  it('is a file, and every file is used', async () => {
    const used = new Set([
      'system',
      'reminder',
      'evaluation-ways',
      'evaluation-assesses',
      'evaluation-earlier',
      'review-others',
      'verification-run',
      'withheld',
      'expected-texts',
      'failed-installs',
      'texts-to-rewrite',
      'recommend',
      'settled',
      'closer-look',
      'discovery-judges',
      'first-look',
      'judge-documents',
      'made-texts',
      'repository-texts',
      'plan-judges',
      'plan-lenses',
      'context',
      'network',
      'program-history',
      ...elsewhere,
      ...availability,
      ...approaches,
    ]);
    for (const [id, [story, target, name]] of Object.entries(stages)) used.add(await assertSends(id as SprintRow, story, target, name));
    used.add(await assertSends('write-verifications', p.awaiting(), 'value/total', 'review-verification'));
    used.add(await assertSends('vrc', p.awaiting(), 'quick', 'vrc-quick'));
    used.add(await assertSends('write-verifications', withSuite(), 'suite/unit', 'review-suite'));
    used.add(await assertSends('write-verifications', withDoubt(), 'service api', 'review-declaration'));
    used.add(await assertSends('final', p.proven(), 'vrc', 'vrc'));
    used.add(await assertSends('final', p.proven(), 'evaluation', 'evaluation'));
    assert.deepEqual([...used].sort(), files);
    const asking = table.filter((row) => row.asksModel).map(({ id }) => id);
    assert.deepEqual(asking.sort(), [...Object.keys(stages), 'final'].sort());
  });
});

function withSuite(): Story {
  return p.awaiting().act('characterise', { fact: 'verification.written', verification: p.suite() });
}

/** The fixer of a service says that it is declared wrongly. */
function withDoubt(): Story {
  const lineage = 'service api';
  const said = {
    lineage,
    verification: lineage,
    also: [],
    signature: '',
    fixApplied: 'nothing',
    filesChanged: [],
    reasoning: 'it is called otherwise',
  };
  const answer = { kind: 'declaration' as const, evidence: 'It is started by node serve.js.', amendments: 0 };
  return withService().act('service-fix', { fact: 'fix.reported', step: 's9', report: { ...said, answer } });
}

/** Runs the action and asserts that it sent the role, the tools and the words of this prompt, with every placeholder filled. */
async function assertSends(id: SprintRow, story: Story, target: string, name: string): Promise<string> {
  const { shown, withheld } = shownTools(name as PromptName);
  const foreign = withheld.slice(0, 1).map((tool) => calls([tool, {}]));
  const w = world({ answers: [...foreign, says('no'), says('no')] });
  for (const text of ['# Vision', '## 1. Totals', 'script of value/total', 'npm test', 'patch']) await w.payloads.put(text);
  w.payloads.texts.set(p.criterion().script, 'The tone is kind.');
  w.journal.events.push(...story.begin(id, target).events);
  const { context } = play(w);
  await actions[id].run(target, context);
  const [request] = w.model.asked;
  const [message] = request?.messages ?? [];
  const text = message?.content[0]?.type === 'text' ? message.content[0].text : '';
  assert.equal(request?.role, frontOf(name as PromptName).role);
  assert.deepEqual(
    request.tools.map((t) => t.name),
    [...shown].sort(),
  );
  assert.doesNotMatch(text + request.system + (request.context ?? ''), /\{\{|undefined|\[object/);
  const words = /\n---\n([^{]*)/.exec(source(name))?.[1]?.trim() ?? '';
  assert.ok(words.length > 0 && text.startsWith(words), name);
  assert.equal(request.purpose, `${id}/${target}#1`);
  assertTold(text, name as PromptName);
  if (foreign.length > 0) assert.match(JSON.stringify(w.model.asked[1]?.messages.at(-1)), /is for another session\. Here you may call: /);
  assert.ok(request.system.includes('<document name="VISION.md">\n# Vision\n</document>'));
  assert.equal(text, text.trim());
  return name;
}

/** A session that is shown more tools than it may call is told which, at the end of what it is asked. */
function assertTold(text: string, name: PromptName): void {
  const own = frontOf(name).tools.map((tool) => `\`${tool}\``);
  const told = `may be called in this session: ${own.join(', ')}. `;
  assert.equal(text.trim().split('\n').at(-1)?.includes(told), shownTools(name).withheld.length > 0);
}
