/**
 * Runs the host suites from outside: starts an editor, runs the suites in its extension host and passes on their output. A missing
 * result, no tests or a lost editor is a failure, never a pass.
 */
import { existsSync } from 'node:fs';

import { startWindow, type EditorWindow } from './browser.ts';
import { desktopVariable, runOnDesktop } from './desktop.ts';
import { waitFor } from './processes.ts';
import { provideTestGround } from './provisioned.ts';
import { readOutput, readResult, reportFolderVariable, type HostTestResult } from './report.ts';
import { startEditorServer, type EditorServer, type HostTests } from './server.ts';
import { temporaryFolder } from './temporary.ts';

const runTimeoutMs = 1_200_000;
const keptLogLines = 40;

export interface HostTestOptions extends HostTests {
  /** The folder that the editor opens. */
  readonly workspace: string;
  /** Additional environment of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** Gets mocha's output as it comes. */
  readonly print: (text: string) => void;
  readonly timeoutMs?: number;
}

/** Runs the suites in a real extension host: a desktop's where LOOP_VSCODE is set, otherwise code-server's. */
export async function runHostTests(options: HostTestOptions): Promise<HostTestResult> {
  if (!existsSync(options.module)) throw new Error(`${options.module} is not there: build the tests first`);
  const report = await temporaryFolder('report');
  const stopPrinting = printAsItComes(report.path, options.print);
  try {
    const env = { ...options.env, [reportFolderVariable]: report.path };
    const desktop = process.env[desktopVariable];
    const log = desktop === undefined ? await runInServer(options, env) : await runAtDesktop(options, env, desktop);
    return checkedResult(readResult(report.path), log);
  } finally {
    stopPrinting();
    await report.remove();
  }
}

type Log = () => string;

async function runAtDesktop(options: HostTestOptions, env: Readonly<Record<string, string>>, vscode: string): Promise<Log> {
  // A failed test also rejects, but the result file describes that better.
  const outcome = await runOnDesktop(options, options.workspace, env, vscode).catch((error: unknown) => String(error));
  return () => `VS Code ended with: ${outcome}`;
}

async function runInServer(options: HostTestOptions, env: Readonly<Record<string, string>>): Promise<Log> {
  const ground = await provideTestGround();
  // The editor offers no language model where its own features of that kind are off.
  const settings = { 'chat.disableAIFeatures': false };
  const server = await startEditorServer({
    editor: ground.editor,
    flavour: { kind: 'host-tests', vsix: (options.beside ?? []).map(({ vsix }) => vsix) },
    env,
    settings,
  });
  try {
    const browser = await startWindow(ground.browser);
    try {
      return await openAndAwaitExit(server, browser, options);
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

// VS Code's smoke-test driver calls these two functions in the page at the end of the test module.
async function openAndAwaitExit(server: EditorServer, browser: EditorWindow, options: HostTestOptions): Promise<Log> {
  const lines: string[] = [];
  let exited: number | undefined;
  await browser.page.exposeFunction('codeAutomationLog', (kind: string, parts: unknown[]) => {
    lines.push(`${kind}: ${parts.map(String).join(' ')}`);
  });
  await browser.page.exposeFunction('codeAutomationExit', (code: number) => {
    exited = code;
  });
  const log = (): string => [...lines, ...server.output().split('\n')].slice(-keptLogLines).join('\n');
  await browser.page.goto(server.address(options.workspace, options));
  const timeout = options.timeoutMs ?? runTimeoutMs;
  await waitFor('the tests in the extension host to end', timeout, async () => exited).catch((error: unknown) => {
    throw new Error(`the extension host did not finish its tests; the editor said:\n${log()}`, { cause: error });
  });
  return log;
}

function checkedResult(result: HostTestResult | undefined, log: Log): HostTestResult {
  if (result === undefined) throw new Error(`the extension host left no test result; the editor said:\n${log()}`);
  if (result.passed + result.failing.length === 0) throw new Error('no test ran in the extension host; that is no pass');
  return result;
}

function printAsItComes(folder: string, print: (text: string) => void): () => void {
  let printed = 0;
  const printRest = (): void => {
    const output = readOutput(folder);
    if (output.length > printed) print(output.slice(printed));
    printed = output.length;
  };
  const timer = setInterval(printRest, 200);
  return () => {
    clearInterval(timer);
    printRest();
  };
}
