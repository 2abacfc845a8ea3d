/** The preflight: which needs of the work are missing, and what to do, as a pure function of the machine's answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { MachineAnswer, DeclaredNeed, Need } from '../../../src/engine/work/needs.ts';
import type { State } from '../../../src/engine/state/state.ts';
import { askForNeeds, lackOf, preflight } from '../../../src/engine/judge/preflight.ts';
import { deepFreeze } from '../support/events.ts';
import * as p from '../support/parts.ts';

const variable: Need = { kind: 'variable', name: 'API_KEY' };
const file: Need = { kind: 'file', path: 'prices.csv' };
const database: Need = { kind: 'port', port: 5432, state: 'listening' };
const ours: Need = { kind: 'port', port: 3000, state: 'free' };
const node: Need = { kind: 'tool', name: 'node', version: '20.9' };
const jq: Need = { kind: 'tool', name: 'jq' };
const disk: Need = { kind: 'disk', megabytes: 500 };
const port = (listening: boolean, reachable = true): MachineAnswer => ({ kind: 'port', listening, reachable });
const tool = (version: string | null): MachineAnswer => ({ kind: 'tool', version });

/** `lacks` is null when the need is met. */
const cases: { what: string; need: Need; answer: MachineAnswer; lacks: string | null; remedy?: RegExp }[] = [
  { what: 'a variable that is passed to commands', need: variable, answer: { kind: 'variable', is: 'given' }, lacks: null },
  {
    what: 'a variable that is not set',
    need: variable,
    answer: { kind: 'variable', is: 'not set' },
    lacks: 'API_KEY is not set',
    remedy: /export API_KEY=… .*--env API_KEY, or the setting loop\.environment.*stop the sprint/,
  },
  {
    what: 'a variable that the person did not name',
    need: variable,
    answer: { kind: 'variable', is: 'not named' },
    lacks: 'API_KEY is set, but commands do not get it',
    remedy: /^Name it .*--env API_KEY/,
  },
  { what: 'a file that is there', need: file, answer: { kind: 'file', there: true }, lacks: null },
  {
    what: 'a file that is not there',
    need: file,
    answer: { kind: 'file', there: false },
    lacks: 'there is no prices.csv',
    remedy: /^Put prices\.csv into your checkout\.$/,
  },
  { what: 'a port where something listens', need: database, answer: port(true), lacks: null },
  {
    what: 'a port where nothing listens',
    need: database,
    answer: port(false),
    lacks: 'nothing listens on port 5432',
    remedy: /^Start what should listen on port 5432\.$/,
  },
  {
    what: 'a port behind a closed network',
    need: database,
    answer: port(true, false),
    lacks: 'commands cannot reach port 5432 of this machine',
    remedy: /network "all"/,
  },
  { what: 'a port that is free', need: ours, answer: port(false), lacks: null },
  {
    what: 'a port that is taken',
    need: ours,
    answer: port(true),
    lacks: 'port 3000 is taken',
    remedy: /^End what listens on port 3000\.$/,
  },
  { what: 'a port that is taken outside the commands’ network', need: ours, answer: port(true, false), lacks: null },
  { what: 'a tool without a required version', need: jq, answer: tool(''), lacks: null },
  {
    what: 'a tool that is not installed',
    need: jq,
    answer: tool(null),
    lacks: 'commands do not find jq',
    remedy: /^Install jq in a folder of your PATH\.$/,
  },
  { what: 'a tool of exactly this version', need: node, answer: tool('20.9'), lacks: null },
  { what: 'a tool of a later patch version', need: node, answer: tool('20.9.1'), lacks: null },
  { what: 'a tool of a later major version', need: node, answer: tool('22'), lacks: null },
  { what: 'a tool of a later minor version with more digits', need: node, answer: tool('20.10'), lacks: null },
  {
    what: 'a tool of an earlier version',
    need: node,
    answer: tool('20.8.99'),
    lacks: 'node is 20.8.99, 20.9 or later is needed',
    remedy: /^Install node 20\.9 or later/,
  },
  { what: 'a tool of an earlier major version', need: node, answer: tool('4.20'), lacks: 'node is 4.20, 20.9 or later is needed' },
  { what: 'a tool with an unknown version', need: node, answer: tool(''), lacks: null },
  { what: 'a disk with room', need: disk, answer: { kind: 'disk', megabytes: 500 }, lacks: null },
  {
    what: 'a disk without room',
    need: disk,
    answer: { kind: 'disk', megabytes: 499 },
    lacks: '499 MB of disk are free, 500 MB are needed',
    remedy: /^Free 1 MB /,
  },
];

describe('a need', () => {
  for (const { what, need, answer, lacks, remedy } of cases)
    it(`${lacks === null ? 'is met by' : 'is not met by'} ${what}`, () => {
      const lack = lackOf(need, answer);
      assert.equal(lack?.lacks ?? null, lacks);
      if (remedy) assert.match(lack?.remedy ?? '', remedy);
    });
});

const needs = (what: Need, requirements: string[], why = 'the clerk pays with it'): DeclaredNeed => ({ what, why, requirements });
const missing: Record<Need['kind'], MachineAnswer> = {
  variable: { kind: 'variable', is: 'not set' },
  file: { kind: 'file', there: false },
  port: port(false),
  tool: tool(null),
  disk: { kind: 'disk', megabytes: 0 },
};

describe('a missing need', () => {
  const two = p.task({ id: 'T2', description: 'Say thanks', prdSection: ['2'] });
  const state = p.awaiting().act('plan', { fact: 'task.added', task: two }).state;
  const factsFor = (declared: DeclaredNeed[], at: State = state) =>
    askForNeeds(
      deepFreeze(structuredClone(at)),
      preflight(
        declared,
        declared.map(({ what }) => missing[what.kind]),
      ),
    );
  const deedsFor = (declared: DeclaredNeed[], at?: State) =>
    factsFor(declared, at).flatMap((fact) => {
      if (fact.fact !== 'human-action.asked') return [];
      assert.ok(fact.humanAction.kind === 'deed');
      return [fact.humanAction];
    });

  it('is requested in one human action for each kind, with instructions for each need', () => {
    const [variables, files, ...more] = deedsFor([
      needs(variable, ['1']),
      needs(file, ['1'], 'its prices.'),
      needs({ kind: 'variable', name: 'ACCOUNT' }, ['1']),
    ]);
    assert.deepEqual(more, []);
    assert.equal(variables?.action, 'Set variables: API_KEY is not set; ACCOUNT is not set');
    assert.deepEqual(variables.needs, [variable, { kind: 'variable', name: 'ACCOUNT' }]);
    assert.deepEqual([variables.id, variables.paths, variables.task, variables.requirements], ['H1', [], '', ['1']]);
    assert.deepEqual([files?.id, files?.paths, files?.needs], ['H2', ['prices.csv'], []]);
    assert.match(variables.instructions, /^1\. Set API_KEY .* It is needed for this: the clerk pays with it\.\n2\. Set ACCOUNT /);
    assert.equal(files?.instructions, '1. Put prices.csv into your checkout. It is needed for this: its prices.');
  });

  it('is requested separately when other work waits for it, so that each work can go on by itself', () => {
    const asked = deedsFor([needs(jq, ['1']), needs(node, ['2'])]);
    assert.deepEqual(
      asked.map(({ action, requirements }) => [action, requirements]),
      [
        ['Install tools: commands do not find jq', ['1']],
        ['Install tools: commands do not find node', ['2']],
      ],
    );
  });

  it('becomes a note when nothing waits for it: no requirement, or none with an open task', () => {
    const facts = factsFor([needs(jq, []), needs(file, ['V1']), needs(database, ['2'])], p.proven().state);
    assert.deepEqual(facts, [
      {
        fact: 'needs.noted',
        notes: [
          'commands do not find jq. Install jq in a folder of your PATH.',
          'there is no prices.csv. Put prices.csv into your checkout.',
          'nothing listens on port 5432. Start what should listen on port 5432.',
        ],
      },
    ]);
  });

  it('is not requested twice', () => {
    const asked = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction() }).state;
    assert.deepEqual(deedsFor([needs(file, ['1'])], asked), []);
    const others = structuredClone(asked);
    others.work = { ...others.work, tasks: { ...others.work.tasks, T2: { ...two, prdSection: ['1'] } } };
    assert.deepEqual(
      deedsFor([needs(file, ['1'])], others).map(({ id }) => id),
      ['H2'],
    );
  });

  it('does not exist when all needs are met', () => {
    assert.deepEqual(preflight([needs(variable, ['1'])], [{ kind: 'variable', is: 'given' }]), []);
    assert.deepEqual(askForNeeds(state, []), []);
  });

  it('forgets what was missing once it is there', () => {
    const finding = { need: file, why: 'prices', requirements: ['9'], lacks: 'there is no prices.csv', remedy: 'Put it there.' };
    const story = p.awaiting().act('prepare', ...askForNeeds(p.awaiting().state, [finding]));
    assert.equal(story.state.ledger.notes.length, 1);
    story.act('prepare', ...askForNeeds(story.state, []));
    assert.deepEqual(story.state.ledger.notes, []);
    assert.deepEqual(askForNeeds(story.state, []), []);
  });
});
