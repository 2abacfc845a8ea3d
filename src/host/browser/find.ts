/** Finds a browser of this machine; Loop brings none. */
import { findIn, findProgram } from '../sandbox/places.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
/** Folders where their packages put them without a link in PATH. */
const packageFolders = [
  '/usr/lib/chromium',
  '/usr/lib64/chromium',
  '/opt/google/chrome',
  '/opt/chromium.org/chromium',
  '/opt/microsoft/msedge',
];
const packageNames = ['chromium', 'chrome', 'msedge'];

export const installBrowser =
  'No Chromium or Chrome is installed on this machine (on Debian: apt install chromium; on Fedora: dnf install chromium).';

/** @param writable folders that agents write; programs in them are not used. @returns the browser's canonical path. */
export function findBrowser(writable: string[], path?: string): string | undefined {
  const onPath = names.map((name) => findProgram(name, writable, path)).find((file) => isUsable(file));
  return onPath ?? packageNames.map((name) => findIn(packageFolders, name, writable)).find((file) => isUsable(file));
}

/** A browser from snap cannot start in Loop's sandbox, because it needs snap's own. */
function isUsable(file: string | undefined): file is string {
  return file !== undefined && !file.startsWith('/snap/') && !file.endsWith('/snap');
}
