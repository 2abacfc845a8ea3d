/** What is missing of what the work needs, and what to do: pure, from the machine's answers. */
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

/** Null: met. */
const table: [what: string, need: Need, answer: MachineAnswer, lacks: string | null, remedy?: RegExp][] = [
  ['a variable that commands get', variable, { kind: 'variable', is: 'given' }, null],
  [
    'a variable that is not set',
    variable,
    { kind: 'variable', is: 'not set' },
    'API_KEY is not set',
    /export API_KEY=… .*--env API_KEY, or the setting loop\.environment.*stop the sprint/,
  ],
  [
    'a variable that the person did not name',
    variable,
    { kind: 'variable', is: 'not named' },
    'API_KEY is set, but commands do not get it',
    /^Name it .*--env API_KEY/,
  ],
  ['a file that is there', file, { kind: 'file', there: true }, null],
  ['a file that is not', file, { kind: 'file', there: false }, 'there is no prices.csv', /^Put prices\.csv into your checkout\.$/],
  ['a port where something listens', database, port(true), null],
  ['a port where nothing does', database, port(false), 'nothing listens on port 5432', /^Start what should listen on port 5432\.$/],
  ['a port behind a closed network', database, port(true, false), 'commands cannot reach port 5432 of this machine', /network "all"/],
  ['a port that is free', ours, port(false), null],
  ['a port that is taken', ours, port(true), 'port 3000 is taken', /^End what listens on port 3000\.$/],
  ['a port that is taken outside of the network that commands have', ours, port(true, false), null],
  ['a tool of no certain version', jq, tool(''), null],
  ['a tool that is not there', jq, tool(null), 'commands do not find jq', /^Install jq in a folder of your PATH\.$/],
  ['a tool of that very version', node, tool('20.9'), null],
  ['a tool of a later patch', node, tool('20.9.1'), null],
  ['a tool of a later major version', node, tool('22'), null],
  ['a tool of a later minor version with more digits', node, tool('20.10'), null],
  ['a tool of an earlier version', node, tool('20.8.99'), 'node is 20.8.99, 20.9 or later is needed', /^Install node 20\.9 or later/],
  ['a tool of an earlier major version', node, tool('4.20'), 'node is 4.20, 20.9 or later is needed'],
  ['a tool that does not say its version', node, tool(''), null],
  ['a disk with room', disk, { kind: 'disk', megabytes: 500 }, null],
  ['a disk without', disk, { kind: 'disk', megabytes: 499 }, '499 MB of disk are free, 500 MB are needed', /^Free 1 MB /],
];

describe('a need', () => {
  for (const [what, need, answer, lacks, remedy] of table)
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

describe('what is missing', () => {
  const two = p.task({ id: 'T2', description: 'Say thanks', prdSection: ['2'] });
  const state = p.awaiting().act('plan', { fact: 'task.added', task: two }).state;
  const act = (declared: DeclaredNeed[], at: State = state) =>
    askForNeeds(
      deepFreeze(structuredClone(at)),
      preflight(
        declared,
        declared.map(({ what }) => missing[what.kind]),
      ),
    );
  const opened = (declared: DeclaredNeed[], at?: State) =>
    act(declared, at).flatMap((fact) => {
      if (fact.fact !== 'human-action.asked') return [];
      assert.ok(fact.humanAction.kind === 'deed');
      return [fact.humanAction];
    });

  it('is asked for in one action for each kind, all told what to do', () => {
    const [variables, files, ...more] = opened([
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

  it('is asked for apart where other work waits for it, so that each goes on with its own', () => {
    const asked = opened([needs(jq, ['1']), needs(node, ['2'])]);
    assert.deepEqual(
      asked.map(({ action, requirements }) => [action, requirements]),
      [
        ['Install tools: commands do not find jq', ['1']],
        ['Install tools: commands do not find node', ['2']],
      ],
    );
  });

  it('is a note where nothing waits for it: no requirement, or none with an open task', () => {
    const noted = act([needs(jq, []), needs(file, ['V1']), needs(database, ['2'])], p.proven().state);
    assert.deepEqual(noted, [
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

  it('is not asked for twice', () => {
    const asked = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction() }).state;
    assert.deepEqual(opened([needs(file, ['1'])], asked), []);
    const others = structuredClone(asked);
    others.work = { ...others.work, tasks: { ...others.work.tasks, T2: { ...two, prdSection: ['1'] } } };
    assert.deepEqual(
      opened([needs(file, ['1'])], others).map(({ id }) => id),
      ['H2'],
    );
  });

  it('is nothing where all is there', () => {
    assert.deepEqual(preflight([needs(variable, ['1'])], [{ kind: 'variable', is: 'given' }]), []);
    assert.deepEqual(askForNeeds(state, []), []);
  });
});
