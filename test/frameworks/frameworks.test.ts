/** Every framework really runs in the sandbox over a small project, and gives exact cases with file, line, message and values. */
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

interface Call {
  name: string;
  /** The command of a verification. */
  call: string;
  exit: number;
  /** The expected cases, by their name in `cases.json`. */
  like: string;
  /** The expected cases from the output alone, where the call also writes a report. */
  alone?: string;
}

const calls: Call[] = [
  {
    name: 'pytest without options, which reports by itself',
    call: 'cd pytest && python3 -m pytest test_total.py',
    exit: 1,
    like: 'pytest-xml',
    alone: 'pytest',
  },
  {
    name: 'pytest with a file that does not compile',
    call: 'cd pytest && python3 -m pytest',
    exit: 2,
    like: 'pytest-xml-broken',
    alone: 'pytest-broken',
  },
  {
    name: 'Jest with JSON in the folder for reports',
    call: 'cd jest && npx jest --json --outputFile=$REPORTS_DIR/a.json',
    exit: 1,
    like: 'jest-json',
    alone: 'jest-all',
  },
  {
    name: 'Vitest with JUnit in the folder for reports',
    call: 'cd vitest && npx vitest run --reporter=default --reporter=junit --outputFile.junit=$REPORTS_DIR/a.xml',
    exit: 1,
    like: 'vitest-junit',
    alone: 'vitest-all',
  },
  { name: 'Mocha without options', call: 'cd mocha && npx mocha total.spec.js', exit: 4, like: 'mocha' },
  { name: 'Mocha with a file that does not compile', call: 'cd mocha && npx mocha broken.spec.js', exit: 1, like: 'mocha-broken' },
  {
    name: 'Mocha with xunit in the folder for reports',
    call: 'cd mocha && npx mocha --reporter xunit -O output=$REPORTS_DIR/a.xml total.spec.js',
    exit: 4,
    like: 'mocha-xunit',
  },
  { name: 'Mocha with TAP', call: 'cd mocha && npx mocha --reporter tap total.spec.js', exit: 4, like: 'mocha-tap' },
  { name: 'node:test with spec', call: 'cd node && node --test --test-reporter=spec', exit: 1, like: 'node' },
  { name: 'node:test with TAP', call: 'cd node && node --test --test-reporter=tap', exit: 1, like: 'node-tap' },
  { name: 'node:test with JUnit', call: 'cd node && node --test --test-reporter=junit', exit: 1, like: 'node-junit' },
  {
    name: 'Playwright with Chromium and JSON in the folder for reports',
    call: 'cd playwright && PLAYWRIGHT_JSON_OUTPUT_NAME=$REPORTS_DIR/a.json npx playwright test --reporter=list,json',
    exit: 1,
    like: 'playwright-json',
    alone: 'playwright-list',
  },
  {
    name: 'Playwright with a file that does not compile',
    call: 'cd playwright && TESTS=broken npx playwright test',
    exit: 1,
    like: 'playwright-broken',
  },
  { name: 'go test without options, with a package that does not compile', call: 'cd go && go test ./... || exit 1', exit: 1, like: 'go' },
  { name: 'go test -json', call: 'cd go && go test -json ./... || exit 1', exit: 1, like: 'go-json' },
  {
    name: 'cargo test without options',
    call: 'cd cargo && cargo test --offline --no-fail-fast --target-dir /tmp/t',
    exit: 101,
    like: 'cargo',
  },
  {
    name: 'cargo test of a package that does not compile',
    call: 'cd cargo-broken && cargo test --offline --target-dir /tmp/t',
    exit: 101,
    like: 'cargo-broken',
  },
];

describe('cases of a real run of', () => {
  let home: string;
  let run: (call: string) => Promise<Finished>;

  before(async () => {
    const frameworks = await provideFrameworks();
    home = realpathSync(mkdtempSync(join(tmpdir(), 'loop-frameworks-')));
    run = runIn(createTree(home, frameworks), frameworks);
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  for (const { name, call, exit, like, alone } of calls)
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
 * Sorts the cases, since a framework may run tests in parallel. Messages of cargo, go and pytest are reduced to a few words, since
 * those languages come from the system and their versions word messages differently. Names, places, verdicts and values stay.
 */
function comparable(cases: Cases | undefined, like: string): Cases | undefined {
  const plain = withoutDurations(cases);
  if (!plain) return undefined;
  const sorted = [...plain.cases].sort((a, b) => (a.name < b.name ? -1 : 1));
  if (!/^(cargo|go|pytest)/.test(like)) return { ...plain, cases: sorted };
  return { ...plain, cases: sorted.map(({ message, ...rest }) => ({ ...rest, message: stableWords(message) })) };
}

function stableWords(message: string | undefined): string {
  return (
    /two and three|InvalidDigit|not positive|missing|mismatched types|SyntaxError|index out of range/.exec(message ?? '')?.[0] ??
    message ??
    ''
  );
}

async function provideFrameworks(): Promise<Frameworks> {
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
    views: join(dirname(tree), 'views'),
    network: 'none',
    env: { ...process.env, PATH: folders.join(':') },
  });
  return (call) => {
    const script = `#!/usr/bin/env bash\nexport BROWSER=${browser}\n${call}\n`;
    const job = { run: { script, ext: 'sh', name: 'unit-all' }, at: 'worktree' as const, timeout: 100, network: false, view: true };
    return runner.run(job, new AbortController().signal);
  };
}
