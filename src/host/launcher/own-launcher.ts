import { fileURLToPath } from 'node:url';
import { createLauncher } from './launcher.ts';

/** This process's launcher. Its bundle is built beside the bundle with this file. */
export const launcher = createLauncher(fileURLToPath(new URL('launcher.js', import.meta.url)));
