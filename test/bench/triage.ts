// Owns the benchmark of telling 500 failures' causes apart: real tools' output and lines that repeat, as kept in excerpts.

import { performance } from 'node:perf_hooks';

import { triage, type Failure } from '../../src/engine/diagnose/triage.ts';
import { verification } from '../engine/support/parts.ts';
import { nodeRefused } from '../engine/diagnose/outputs/clients.ts';
import { nodeNoPackage, pythonNoModule } from '../engine/diagnose/outputs/tools.ts';
import { bench, median, report } from './support/figures.ts';

const FAILURES = 500;
const ROUNDS = 15;
const GOAL_MS = 100;
/** Characters that a run's excerpt may have. */
const EXCERPT = 4000;

const outputs = [
  nodeNoPackage.output,
  pythonNoModule.output,
  nodeRefused.output,
  'expected 1, got 2\n'.repeat(EXCERPT),
  '    at total (/w/src/total.js:3:9)\n'.repeat(EXCERPT),
];

bench(() => {
  const failures = Array.from({ length: FAILURES }, (_, n) => failure(n));
  const times = Array.from({ length: ROUNDS }, () => {
    const from = performance.now();
    triage(failures);
    return performance.now() - from;
  });
  const groups = triage(failures).length;
  report({ name: 'triage-500', value: median(times), unit: 'ms', goal: GOAL_MS }, { samples: ROUNDS, groups });
  return Promise.resolve();
});

function failure(n: number): Failure {
  const id = `bench/${n}`;
  const excerpt = `failure ${n}\n${outputs[n % outputs.length] ?? ''}`.slice(0, EXCERPT);
  const run = { excerpt, summary: `test failure\nwrong total ${n % 40}`, signature: `test_failure-${n % 40}` };
  return { verification: verification({ id, lineage: id }), run };
}
