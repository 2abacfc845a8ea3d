/** Gives a page a file, as a person does: by the file chooser that a click opens. */
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { Connection } from './connection.ts';
import type { Chooser, Watch } from './watch.ts';

/** Milliseconds within which the chooser must open. */
const longestWait = 2000;
const pollMs = 50;

const shapes = {
  object: z.object({ result: z.object({ objectId: z.string() }) }),
  tried: z.object({ result: z.object({ value: z.boolean() }) }),
};

interface Given {
  connection: Connection;
  watch: Watch;
  /** As the page names what is clicked. */
  label: string;
  /** Absolute, as the browser sees it. */
  file: string;
  /** @returns why it cannot be clicked. */
  click: () => Promise<string | undefined>;
}

/** @returns why it was not done. */
export async function upload({ connection, watch, label, file, click }: Given): Promise<string | undefined> {
  if (!(await isReadable(connection, file))) return `There is no file ${file} that the browser can read.`;
  watch.chooser = undefined;
  await connection.send('Page.setInterceptFileChooserDialog', { enabled: true });
  try {
    const refused = await click();
    if (refused !== undefined) return refused;
    const chooser = await opened(watch);
    if (!chooser) return `${label} was clicked, and no file chooser opened within ${longestWait / 1000} s.`;
    if (chooser.node === undefined)
      return `${label} opened a file chooser that belongs to no file input, and only a file input can be given a file.`;
    await connection.send('DOM.setFileInputFiles', { files: [file], backendNodeId: chooser.node });
    return undefined;
  } finally {
    await connection.send('Page.setInterceptFileChooserDialog', { enabled: false });
  }
}

async function opened(watch: Watch): Promise<Chooser | undefined> {
  for (const end = Date.now() + longestWait; !watch.chooser && Date.now() < end;) await delay(pollMs);
  return watch.chooser;
}

/** The browser itself is asked, since it may see other files than this process. It gives a page a missing file without a word. */
async function isReadable(connection: Connection, file: string): Promise<boolean> {
  const created = await connection.send('Runtime.evaluate', { expression: input });
  const { objectId } = shapes.object.parse(created).result;
  await connection.send('DOM.setFileInputFiles', { files: [file], objectId });
  const call = { objectId, functionDeclaration: readFirst, awaitPromise: true, returnByValue: true };
  return shapes.tried.parse(await connection.send('Runtime.callFunctionOn', call)).result.value;
}

const input = `Object.assign(document.createElement('input'), { type: 'file' })`;
/** A missing file has no size, and then only reading all of it fails. */
const readFirst = `async function () {
  const [file] = this.files;
  return (file.size > 0 ? file.slice(0, 1) : file).text().then(() => true, () => false);
}`;
