/** Finds a browser of this machine; Loop brings none. An editor's own window is no browser that a person would use it in. */
import { findIn, findProgram } from '../sandbox/places.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
/** Where their packages put them without a link in PATH. */
const usual = ['/usr/lib/chromium', '/usr/lib64/chromium', '/opt/google/chrome', '/opt/chromium.org/chromium', '/opt/microsoft/msedge'];
const bare = ['chromium', 'chrome', 'msedge'];

export const installBrowser =
  'No Chromium or Chrome is installed on this machine (on Debian: apt install chromium; on Fedora: dnf install chromium).';

/** @param writable folders that agents write, from which no program is taken. @returns its canonical path. */
export function findBrowser(writable: string[], path?: string): string | undefined {
  const onPath = names.map((name) => findProgram(name, writable, path)).find((file) => isUsable(file));
  return onPath ?? bare.map((name) => findIn(usual, name, writable)).find((file) => isUsable(file));
}

/** One that snap starts cannot be started inside: it needs snap's own sandbox. */
function isUsable(file: string | undefined): file is string {
  return file !== undefined && !file.startsWith('/snap/') && !file.endsWith('/snap');
}
