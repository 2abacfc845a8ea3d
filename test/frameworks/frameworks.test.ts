/** Every framework, run for real in the real sandbox over a small project: exact cases with file, line, message and values. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'mocha';
import { casesOf, type Cases } from '../../src/engine/diagnose/reports/read-cases.ts';
import type { Runner } from '../../src/engine/ports.ts';
import type { Finished } from '../../src/engine/work/job.ts';
import { createRunner } from '../../src/host/sandbox/runner.ts';
import { expected, fixtures, withoutDurations } from '../support/frameworks.ts';

interface Frameworks {
  bin: string;
  modules: string;
  browser: string;
}

/** What a verification calls; the cases are those of what the same call printed once, and of what it prints alone. */
const calls: [name: string, call: string, exit: number, like: string, printed?: string][] = [
  ['pytest, called plainly, reports by itself', 'cd pytest && python3 -m pytest test_total.py', 1, 'pytest-xml', 'pytest'],
  ['pytest with a file that does not compile', 'cd pytest && python3 -m pytest', 2, 'pytest-xml-broken', 'pytest-broken'],
  ['Jest, and its JSON in the folder', 'cd jest && npx jest --json --outputFile=$REPORTS_DIR/a.json', 1, 'jest-json', 'jest-all'],
  [
    'Vitest, and JUnit in the folder',
    'cd vitest && npx vitest run --reporter=default --reporter=junit --outputFile.junit=$REPORTS_DIR/a.xml',
    1,
    'vitest-junit',
    'vitest-all',
  ],
  ['Mocha, called plainly', 'cd mocha && npx mocha total.spec.js', 4, 'mocha'],
  ['Mocha with a file that does not compile', 'cd mocha && npx mocha broken.spec.js', 1, 'mocha-broken'],
  ['Mocha, xunit in the folder', 'cd mocha && npx mocha --reporter xunit -O output=$REPORTS_DIR/a.xml total.spec.js', 4, 'mocha-xunit'],
  ['Mocha, TAP', 'cd mocha && npx mocha --reporter tap total.spec.js', 4, 'mocha-tap'],
  ['node:test, spec', 'cd node && node --test --test-reporter=spec', 1, 'node'],
  ['node:test, TAP', 'cd node && node --test --test-reporter=tap', 1, 'node-tap'],
  ['node:test, JUnit', 'cd node && node --test --test-reporter=junit', 1, 'node-junit'],
  [
    'Playwright with Chromium, and its JSON in the folder',
    'cd playwright && PLAYWRIGHT_JSON_OUTPUT_NAME=$REPORTS_DIR/a.json npx playwright test --reporter=list,json',
    1,
    'playwright-json',
    'playwright-list',
  ],
  ['Playwright with a file that does not compile', 'cd playwright && TESTS=broken npx playwright test', 1, 'playwright-broken'],
  ['go test, called plainly, with a package that does not compile', 'cd go && go test ./... || exit 1', 1, 'go'],
  ['go test -json', 'cd go && go test -json ./... || exit 1', 1, 'go-json'],
  ['cargo test, called plainly', 'cd cargo && cargo test --offline --no-fail-fast --target-dir /tmp/t', 101, 'cargo'],
  ['cargo test of what does not compile', 'cd cargo-broken && cargo test --offline --target-dir /tmp/t', 101, 'cargo-broken'],
];

describe('frameworks, for real', () => {
  let home: string;
  let run: (call: string) => Promise<Finished>;

  before(async () => {
    const frameworks = await provided();
    home = realpathSync(mkdtempSync(join(tmpdir(), 'loop-frameworks-')));
    run = runIn(createTree(home, frameworks), frameworks);
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  for (const [name, call, exit, like, alone] of calls)
    it(name, async () => {
      const done = await run(call);
      assert.equal(done.exit, exit, done.output);
      assert.deepEqual(comparable(casesOf(done, true), like), comparable(expected[like], like), done.output);
      if (alone === undefined) return;
      const { output, root } = done;
      assert.deepEqual(comparable(casesOf({ output, root }, true), alone), comparable(expected[alone], alone), output);
    });
});

/**
 * In an order of our own, since tests run side by side. Languages come from the system, in one version or another: what the words of their own runtimes are is theirs. Names, places,
 * verdicts and values are not.
 */
function comparable(cases: Cases | undefined, like: string): Cases | undefined {
  const found = withoutDurations(cases);
  if (!found) return undefined;
  const sorted = [...found.cases].sort((a, b) => (a.name < b.name ? -1 : 1));
  if (!/^(cargo|go|pytest)/.test(like)) return { ...found, cases: sorted };
  return { ...found, cases: sorted.map(({ message, ...one }) => ({ ...one, message: lastWords(message) })) };
}

function lastWords(message: string | undefined): string {
  return (
    /two and three|InvalidDigit|not positive|missing|mismatched types|SyntaxError|index out of range/.exec(message ?? '')?.[0] ??
    message ??
    ''
  );
}

async function provided(): Promise<Frameworks> {
  const script = pathToFileURL(join(process.cwd(), 'scripts', 'provision.mjs')).href;
  const provision = (await import(script)) as { ensureFrameworks(): Promise<Frameworks> };
  return provision.ensureFrameworks();
}

function createTree(folder: string, { modules }: Frameworks): string {
  const tree = join(folder, 'tree');
  cpSync(join(fixtures, 'projects'), tree, { recursive: true });
  symlinkSync(modules, join(tree, 'node_modules'));
  mkdirSync(join(folder, 'repository', '.git'), { recursive: true });
  return tree;
}

function runIn(tree: string, { bin, browser }: Frameworks): (call: string) => Promise<Finished> {
  const folders = [bin, '/usr/bin', '/bin', dirname(process.execPath)];
  const runner: Runner = createRunner({
    worktree: tree,
    gitCommonDir: join(dirname(tree), 'repository', '.git'),
    network: 'none',
    env: { ...process.env, PATH: folders.join(':') },
  });
  return (call) => {
    const script = `#!/usr/bin/env bash\nexport BROWSER=${browser}\n${call}\n`;
    const job = { run: { script, ext: 'sh', name: 'unit-all' }, at: 'worktree' as const, timeout: 100, network: false };
    return runner.run(job, new AbortController().signal);
  };
}
