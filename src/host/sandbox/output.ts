/** Keeps the head and the tail of a command's output, and counts the rest. */

const newline = 0x0a;
/** A cut is moved to a line end within this distance, because redaction would miss one half of a secret. */
const nearBytes = 64 * 1024;

export class CappedOutput {
  private readonly half: number;
  private head: Buffer[] = [];
  private headSize = 0;
  private tail: Buffer[] = [];
  private tailSize = 0;
  /** Bytes written in all. */
  total = 0;

  /** @param cap how many bytes are kept. */
  constructor(cap: number) {
    this.half = Math.floor(cap / 2);
  }

  add(chunk: Buffer): void {
    this.total += chunk.length;
    const room = Math.min(chunk.length, this.half - this.headSize);
    if (room > 0) {
      this.head.push(chunk.subarray(0, room));
      this.headSize += room;
    }
    if (room < chunk.length) this.addToTail(chunk.subarray(Math.max(room, 0)));
  }

  private addToTail(chunk: Buffer): void {
    this.tail.push(chunk);
    this.tailSize += chunk.length;
    while (this.tailSize - (this.tail[0]?.length ?? 0) >= this.half) this.tailSize -= this.tail.shift()?.length ?? 0;
  }

  /** @returns the kept text, with a line in the place of what is missing; `dropped` is the number of missing bytes. */
  take(): { text: string; dropped: number } {
    const head = Buffer.concat(this.head);
    const tail = Buffer.concat(this.tail);
    if (this.total <= this.half * 2) return { text: Buffer.concat([head, tail]).toString(), dropped: 0 };
    const first = head.subarray(0, lastLineEnd(head));
    const last = tail.subarray(firstLineStart(tail, tail.length - this.half));
    const dropped = this.total - first.length - last.length;
    return { text: `${first.toString()}\n[loop: ${dropped} bytes left out]\n${last.toString()}`, dropped };
  }
}

function lastLineEnd(head: Buffer): number {
  const at = head.lastIndexOf(newline);
  return at >= head.length - nearBytes && at >= 0 ? at + 1 : wholeCharacters(head, head.length);
}

function firstLineStart(tail: Buffer, from: number): number {
  const start = Math.max(from, 0);
  const at = tail.indexOf(newline, start);
  return at >= 0 && at < start + nearBytes ? at + 1 : nextCharacter(tail, start);
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Moves the end before an UTF-8 character that may be cut off. */
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
