/** Tests what `scripts/check-layers.mjs` refuses: each case adds one error to a small source tree that is otherwise valid. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';

const validTree: Record<string, string> = {
  'engine/work/task.ts': 'export type Task = { id: string };\n',
  'engine/state/state.ts': "import type { Task } from '../work/task.ts';\nexport type State = { tasks: Task[] };\n",
  'engine/judge/status.ts':
    "import type { State } from '../state/state.ts';\nexport const count = ({ tasks }: State): number => tasks.length;\n",
  'engine/ports.ts': 'export interface Clock {\n  now(): number;\n}\n',
  'engine/context.ts': "import type { Clock } from './ports.ts';\nexport interface Context {\n  clock: Clock;\n}\n",
  'host/clock.ts': "import type { Clock } from '../engine/ports.ts';\nexport const clock: Clock = { now: () => Date.now() };\n",
  'views/model/view.ts': "import { count } from '../../engine/judge/status.ts';\nexport const view = count;\n",
  'extension/editor/tree.ts':
    "import * as vscode from 'vscode';\nimport { view } from '../../views/model/view.ts';\nexport const tree = [vscode, view];\n",
};

describe('check-layers', () => {
  let folder = '';
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'loop-layers-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function runOn(changed: Record<string, string>): { status: number | null; output: string } {
    for (const [path, text] of Object.entries({ ...validTree, ...changed })) {
      mkdirSync(dirname(join(folder, 'src', path)), { recursive: true });
      writeFileSync(join(folder, 'src', path), text);
    }
    const { status, stdout } = spawnSync(process.execPath, ['scripts/check-layers.mjs', folder], { encoding: 'utf8' });
    return { status, output: stdout };
  }

  it('accepts a tree in which all imports go downward', () =>
    assert.deepEqual(runOn({}), { status: 0, output: 'Layers: all arrows go one way.\n' }));

  it('accepts words of clocks in texts and comments', () => {
    const text = "// It takes no Date.\nexport const words = `${'a'} Promise`; /* import('node:fs') */\n";
    assert.deepEqual(runOn({ 'engine/judge/words.ts': text }), { status: 0, output: 'Layers: all arrows go one way.\n' });
  });

  const refused: { what: string; path: string; text: string; output: RegExp }[] = [
    {
      what: 'an engine file that imports upward',
      path: 'engine/state/state.ts',
      text: "import { count } from '../judge/status.ts';\nexport type State = { tasks: []; count: typeof count };\n",
      output: /^src\/engine\/state\/state\.ts: state is below judge /m,
    },
    {
      what: 'a type that is imported upward',
      path: 'engine/work/task.ts',
      text: "import type { State } from '../state/state.ts';\nexport type Task = { id: string; of: State };\n",
      output: /^src\/engine\/work\/task\.ts: work is below state /m,
    },
    {
      what: 'a pure folder that reads a clock',
      path: 'engine/judge/status.ts',
      text: 'export const count = (): number => Date.now();\n',
      output: /^src\/engine\/judge\/status\.ts: judge is pure, and may not use Date\.$/m,
    },
    {
      what: 'a pure folder that waits',
      path: 'engine/judge/status.ts',
      text: 'export async function count(): Promise<number> {\n  return 1;\n}\n',
      output: /^src\/engine\/judge\/status\.ts: judge is pure, and may not use /m,
    },
    {
      what: 'a pure folder that imports the context',
      path: 'engine/judge/status.ts',
      text: "import type { Context } from '../context.ts';\nexport const count = ({ clock }: Context): number => clock.now();\n",
      output: /^src\/engine\/judge\/status\.ts: judge is below context /m,
    },
    {
      what: 'a circle of files',
      path: 'engine/judge/trust.ts',
      text: "import { count } from './other.ts';\nexport const trust = count;\n",
      output: /^A circle: src\/engine\/judge\/(other|trust)\.ts -> src\/engine\/judge\/(other|trust)\.ts -> /m,
    },
    {
      what: 'a view that imports vscode',
      path: 'views/model/view.ts',
      text: "import * as vscode from 'vscode';\nexport const view = vscode;\n",
      output: /^src\/views\/model\/view\.ts: views may not import vscode\.$/m,
    },
    {
      what: 'an engine file that imports the disk',
      path: 'engine/context.ts',
      text: "import { readFileSync } from 'node:fs';\nexport type Context = typeof readFileSync;\n",
      output: /^src\/engine\/context\.ts: engine may not import node:fs\.$/m,
    },
    {
      what: 'an editor file that imports the host',
      path: 'extension/editor/tree.ts',
      text: "import { clock } from '../../host/clock.ts';\nexport const tree = clock;\n",
      output: /^src\/extension\/editor\/tree\.ts: extension\/editor may not import host /m,
    },
    {
      what: 'a language feature that waits',
      path: 'language/hover.ts',
      text: 'export async function hover(): Promise<string> {\n  return "";\n}\n',
      output: /^src\/language\/hover\.ts: language is pure, and may not use /m,
    },
    {
      what: 'a language feature that asks the server',
      path: 'language/hover.ts',
      text: "import { serve } from './server/server.ts';\nexport const hover = serve;\n",
      output: /^src\/language\/hover\.ts: language may not import language\/server /m,
    },
    {
      what: 'a clock behind two strokes in a template',
      path: 'engine/judge/status.ts',
      text: 'export const count = (to: string): string => `http://${to}/${new Date().getTime()}`;\n',
      output: /^src\/engine\/judge\/status\.ts: judge is pure, and may not use Date\.$/m,
    },
    {
      what: 'a clock by its name as a text',
      path: 'engine/judge/status.ts',
      text: "export const count = (): unknown => globalThis['Date'];\n",
      output: /^src\/engine\/judge\/status\.ts: judge is pure, and may not use globalThis\.$/m,
    },
    {
      what: 'a pure folder that draws',
      path: 'engine/judge/status.ts',
      text: "export const count = (): number => Math['random']();\n",
      output: /^src\/engine\/judge\/status\.ts: judge is pure, and may not use Math\.random\.$/m,
    },
    {
      what: 'an import by assignment',
      path: 'engine/context.ts',
      text: "import fs = require('node:fs');\nexport type Context = typeof fs;\n",
      output: /^src\/engine\/context\.ts: engine may not import node:fs\.$/m,
    },
    {
      what: 'an indented import',
      path: 'engine/context.ts',
      text: "  import { readFileSync } from 'node:fs';\nexport type Context = typeof readFileSync;\n",
      output: /^src\/engine\/context\.ts: engine may not import node:fs\.$/m,
    },
    {
      what: 'an import with a comment that has an apostrophe',
      path: 'engine/context.ts',
      text: "import { readFileSync /* it's the disk */ } from 'node:fs';\nexport type Context = typeof readFileSync;\n",
      output: /^src\/engine\/context\.ts: engine may not import node:fs\.$/m,
    },
    {
      what: 'an import of what only a run knows',
      path: 'views/model/view.ts',
      text: 'export const view = (name: string): unknown => import(name);\n',
      output: /^src\/views\/model\/view\.ts: may not import what only a run knows: name\.$/m,
    },
    {
      what: 'a view that requires vscode',
      path: 'views/model/view.ts',
      text: "export const view = require('vscode');\n",
      output: /^src\/views\/model\/view\.ts: views may not import vscode\.$/m,
    },
    {
      what: 'a module of another extension that imports upward',
      path: 'engine/work/task.mts',
      text: "import type { State } from '../state/state.ts';\nexport type Task = { id: string; of: State };\n",
      output: /^src\/engine\/work\/task\.mts: work is below state /m,
    },
    {
      what: 'an engine folder that has no place in the order',
      path: 'engine/attic/old.ts',
      text: "import type { Task } from '../work/task.ts';\nexport type Old = Task;\n",
      output: /^src\/engine\/attic\/old\.ts: the engine has no floor "attic"\.$/m,
    },
  ];
  for (const { what, path, text, output } of refused)
    it(`refuses ${what}`, () => {
      const other = path.endsWith('trust.ts')
        ? { 'engine/judge/other.ts': "import { trust } from './trust.ts';\nexport const count = trust;\n" }
        : {};
      const result = runOn({ [path]: text, ...other });
      assert.match(result.output, output);
      assert.equal(result.status, 1);
    });
});
