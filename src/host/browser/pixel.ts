/** The colour of one pixel, from a picture of it alone (PNG, ISO/IEC 15948). */
import { inflateSync } from 'node:zlib';

const signature = 8;
/** Length, type and check sum of a chunk. */
const around = 12;

/** @param png of one pixel, as a browser makes it: 8 bits a channel, no palette. @returns such as `#0a7f3c`. */
export function colourOf(png: Buffer): string {
  const data: Buffer[] = [];
  for (let at = signature; at + around <= png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length));
    at += around + length;
  }
  // Before its channels stands a filter, which changes nothing where no pixel is before it or above.
  return `#${inflateSync(Buffer.concat(data)).toString('hex', 1, 4)}`;
}
