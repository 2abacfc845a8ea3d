/** Keeps the head and the tail of what a command writes, counts the rest, and goes on reading for as long as it writes. */

const NEWLINE = 0x0a;
/** Cuts are moved to the end of a line when one is this near, so that no half of a secret remains. */
const NEAR = 64 * 1024;

export class CappedOutput {
  readonly #half: number;
  #head: Buffer[] = [];
  #headSize = 0;
  #tail: Buffer[] = [];
  #tailSize = 0;
  /** Bytes written in all. */
  total = 0;

  /** @param cap bytes that are kept. */
  constructor(cap: number) {
    this.#half = Math.floor(cap / 2);
  }

  add(chunk: Buffer): void {
    this.total += chunk.length;
    const room = Math.min(chunk.length, this.#half - this.#headSize);
    if (room > 0) {
      this.#head.push(chunk.subarray(0, room));
      this.#headSize += room;
    }
    if (room < chunk.length) this.#addToTail(chunk.subarray(Math.max(room, 0)));
  }

  #addToTail(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailSize += chunk.length;
    while (this.#tailSize - (this.#tail[0]?.length ?? 0) >= this.#half) this.#tailSize -= this.#tail.shift()?.length ?? 0;
  }

  /** What was kept, with a line that says where something is missing, and how many bytes are. */
  take(): { text: string; dropped: number } {
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    if (this.total <= this.#half * 2) return { text: Buffer.concat([head, tail]).toString(), dropped: 0 };
    const first = head.subarray(0, lastLineEnd(head));
    const last = tail.subarray(firstLineStart(tail, tail.length - this.#half));
    const dropped = this.total - first.length - last.length;
    return { text: `${first.toString()}\n[loop: ${dropped} bytes left out]\n${last.toString()}`, dropped };
  }
}

function lastLineEnd(head: Buffer): number {
  const at = head.lastIndexOf(NEWLINE);
  return at >= head.length - NEAR && at >= 0 ? at + 1 : wholeCharacters(head, head.length);
}

function firstLineStart(tail: Buffer, from: number): number {
  const start = Math.max(from, 0);
  const at = tail.indexOf(NEWLINE, start);
  return at >= 0 && at < start + NEAR ? at + 1 : nextCharacter(tail, start);
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** The end before a character of UTF-8 that may be cut off. */
function wholeCharacters(bytes: Buffer, end: number): number {
  let at = end;
  while (at > end - 4 && isContinuation(bytes[at - 1])) at -= 1;
  const lead = bytes[at - 1];
  return lead !== undefined && lead >= 0xc0 ? at - 1 : end;
}

function nextCharacter(bytes: Buffer, start: number): number {
  let at = start;
  while (at < start + 4 && isContinuation(bytes[at])) at += 1;
  return at;
}
