/** The one editor of all driven suites of a run: its start takes longer than most of them. */
import { after } from 'mocha';

import { chatProviderVsix } from '../chat-provider-folder.ts';
import { startEditor, type Ground, type InstalledEditor } from './ground.ts';

let editor: Promise<InstalledEditor> | undefined;
after(async () => (await editor)?.close());

/**
 * A ground for one suite. Call it in a `before` of the suite: one of a file would run before all files. Its sprints do not measure
 * their proofs unless the settings say so: that takes most of their time, and `sprint.test.ts` sees it.
 */
export async function suiteGround(settings: Readonly<Record<string, unknown>> = {}): Promise<Ground> {
  editor ??= chatProviderVsix().then((vsix) => startEditor([vsix]));
  return (await editor).ground({ 'loop.evidence': 'any', 'loop.keepAwake': 'never', ...settings });
}
