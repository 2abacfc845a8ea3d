/** Runs the same test bundle in a desktop VS Code, installed or downloaded. */
import { runTests } from '@vscode/test-electron';

import type { HostTests } from './server.ts';

/** The environment variable for a desktop: the path of its executable, or `download`. */
export const desktopVariable = 'LOOP_VSCODE';

/** Runs the tests in a desktop VS Code. @returns its exit code */
export async function runOnDesktop(
  tests: HostTests,
  workspace: string,
  env: Readonly<Record<string, string>>,
  vscode: string,
): Promise<number> {
  return runTests({
    ...(vscode === 'download' ? {} : { vscodeExecutablePath: vscode }),
    extensionDevelopmentPath: [tests.extension, ...(tests.beside ?? []).map(({ folder }) => folder)],
    extensionTestsPath: tests.module,
    extensionTestsEnv: env,
    launchArgs: [workspace, '--disable-extensions', '--disable-workspace-trust', '--skip-welcome', '--skip-release-notes'],
  });
}
