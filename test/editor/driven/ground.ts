/**
 * The ground of the driven tests: one editor with the packaged extension, in which each suite gets a window and a folder of its own,
 * as of another person. Each test opens a folder of its own.
 */
import { mkdir, mkdtemp } from 'node:fs/promises';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';

import { startBrowser } from '../browser.ts';
import { checkoutRoot, provideTestGround } from '../provisioned.ts';
import { startEditorServer } from '../server.ts';
import { temporaryFolder } from '../temporary.ts';
import type { Workbench } from '../workbench.ts';
import { editorPrograms, type Played } from './editor-programs.ts';

export interface Ground {
  /** The folder for repositories. */
  readonly scratch: string;
  /** Where Loop keeps its worktrees, as a variable of the environment: NAME=value. */
  readonly stateHome: string;
  /** From now on the editor finds Codex, which plays the honest sprint of this folder, and a way to keep the machine awake. */
  play(sprintDir: string): Played;
  open(folder: string): Promise<Workbench>;
  close(): Promise<void>;
}

export interface InstalledEditor {
  /** A new window and an empty folder. At most one ground is open at a time, because all have the same settings. */
  ground(settings?: Readonly<Record<string, unknown>>): Promise<Ground>;
  /** Ends the editor, and removes the folders of all grounds. */
  close(): Promise<void>;
}

/** @param beside files of other extensions. Packages the built extension, installs it as a person would, and starts editor and browser. */
export async function startEditor(beside: readonly string[] = []): Promise<InstalledEditor> {
  const { editor, browser: executable } = await provideTestGround();
  const folder = await temporaryFolder('driven');
  const opened: (() => Promise<void>)[] = [folder.remove];
  const close = async (): Promise<void> => {
    for (const end of opened.toReversed()) await end();
  };
  try {
    const vsix = await packageVsix();
    const state = path.join(folder.path, 'state');
    const programs = await editorPrograms(path.join(folder.path, 'programs'));
    opened.push(programs.close);
    // The editor must not use the person's own key or worktrees.
    const env = { LOOP_STATE_HOME: state, ANTHROPIC_API_KEY: undefined, ...programs.env };
    const server = await startEditorServer({ editor, flavour: { kind: 'person', vsix: [vsix, ...beside] }, env });
    opened.push(server.stop);
    const browser = await startBrowser(executable);
    opened.push(browser.close);
    let isTaken = false;
    const ground = async (settings: Readonly<Record<string, unknown>> = {}): Promise<Ground> => {
      if (isTaken) throw new Error('another suite has the editor now: take a ground in a `before` inside of the suite');
      isTaken = true;
      await server.configure(settings);
      const window = await browser.window();
      const scratch = await mkdtemp(path.join(folder.path, 'ground-'));
      const open = (opening: string): Promise<Workbench> => window.open(server.address(opening));
      const leave = (): Promise<void> => window.close().finally(() => (isTaken = false));
      return { scratch, stateHome: `LOOP_STATE_HOME=${state}`, play: programs.play, open, close: leave };
    };
    return { ground, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The folder, ignored by git, for the pictures of a test run. */
export async function pictureFolder(): Promise<string> {
  const folder = path.join(checkoutRoot(), 'out', 'screenshots');
  await mkdir(folder, { recursive: true });
  return folder;
}

async function packageVsix(): Promise<string> {
  const script = pathToFileURL(path.join(checkoutRoot(), 'scripts', 'package.mjs')).href;
  const { packageExtension } = (await import(script)) as { packageExtension(): string };
  return packageExtension();
}
