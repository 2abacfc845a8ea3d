import { setTimeout as delay } from 'node:timers/promises';

/** Waits until something is so; a busy machine only makes it slower. */
export async function waitFor(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries += 1) {
    if (tries > 1200) throw new Error(`it never came: ${isSo.toString()}`);
    await delay(25);
  }
}
