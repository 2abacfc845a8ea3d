// Owns the same test bundle in a desktop VS Code, where there is one or one can be downloaded.

import { runTests } from '@vscode/test-electron';

import type { HostTests } from './server.ts';

/** The variable that asks for a desktop: the path of its executable, or `download`. */
export const DESKTOP = 'LOOP_VSCODE';

/** Runs the tests in a desktop VS Code; gives its exit code. */
export async function runOnDesktop(
  tests: HostTests,
  workspace: string,
  env: Readonly<Record<string, string>>,
  vscode: string,
): Promise<number> {
  return runTests({
    ...(vscode === 'download' ? {} : { vscodeExecutablePath: vscode }),
    extensionDevelopmentPath: tests.extension,
    extensionTestsPath: tests.module,
    extensionTestsEnv: env,
    launchArgs: [workspace, '--disable-extensions', '--disable-workspace-trust', '--skip-welcome', '--skip-release-notes'],
  });
}
