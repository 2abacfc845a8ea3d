/**
 * The command `node out/test/editor/run-host-tests.js [workspace]`: the host suites in a real editor, with exit code 0 only when all
 * pass. Without a folder they get an empty one. LOOP_TEST_COUNTS names a file for the numbers of tests.
 */
import { writeFileSync } from 'node:fs';
import * as path from 'node:path';

import { runHostTests } from './host-tests.ts';
import { chatProviderFolder, chatProviderVsix } from './chat-provider-folder.ts';
import { checkoutRoot } from './provisioned.ts';
import { temporaryFolder } from './temporary.ts';

async function main(given: string | undefined): Promise<void> {
  const root = checkoutRoot();
  const empty = await temporaryFolder('workspace');
  try {
    const { passed, failing } = await runHostTests({
      workspace: given === undefined ? empty.path : path.resolve(given),
      extension: root,
      beside: [{ folder: await chatProviderFolder(), vsix: await chatProviderVsix() }],
      module: path.join(root, 'out', 'test', 'editor', 'host', 'index.js'),
      print: (text) => process.stdout.write(text),
    });
    process.stdout.write(`in the extension host: ${passed} passed, ${failing.length} failed\n`);
    const counts = process.env['LOOP_TEST_COUNTS'];
    if (counts !== undefined) writeFileSync(counts, JSON.stringify([{ file: 'the extension host', passed, failing }]));
    if (failing.length > 0) process.exitCode = 1;
  } finally {
    await empty.remove();
  }
}

main(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
