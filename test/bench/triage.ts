/** Benchmark: finding the causes of 500 failures, from real tools' output and from repeated lines, as kept in excerpts. */
import { performance } from 'node:perf_hooks';

import { triage, type Failure } from '../../src/engine/diagnose/triage.ts';
import { verification } from '../engine/support/parts.ts';
import { nodeRefused } from '../engine/diagnose/outputs/clients.ts';
import { nodeNoPackage, pythonNoModule } from '../engine/diagnose/outputs/tools.ts';
import { bench, median, report } from './support/figures.ts';

const failureCount = 500;
const roundCount = 15;
const goalMs = 100;
/** The most characters in a run's excerpt. */
const excerptLength = 4000;

const outputs = [
  nodeNoPackage.output,
  pythonNoModule.output,
  nodeRefused.output,
  'expected 1, got 2\n'.repeat(excerptLength),
  '    at total (/w/src/total.js:3:9)\n'.repeat(excerptLength),
];

bench(() => {
  const failures = Array.from({ length: failureCount }, (_, n) => failure(n));
  const times = Array.from({ length: roundCount }, () => {
    const from = performance.now();
    triage(failures);
    return performance.now() - from;
  });
  const groups = triage(failures).length;
  report({ name: 'triage-500', value: median(times), unit: 'ms', goal: goalMs }, { samples: roundCount, groups });
  return Promise.resolve();
});

function failure(n: number): Failure {
  const id = `bench/${n}`;
  const excerpt = `failure ${n}\n${outputs[n % outputs.length] ?? ''}`.slice(0, excerptLength);
  const run = { excerpt, summary: `test failure\nwrong total ${n % 40}`, signature: `test_failure-${n % 40}` };
  return { verification: verification({ id, lineage: id }), run };
}
