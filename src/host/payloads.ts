/**
 * The sprint's payloads, `.loop/payloads/<first two digits>/<sha-256>`: turns, outputs and diffs, named by their content. A
 * payload is on disk before the journal line that names it (I1). It is read only if its hash is still right.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bug, InputError } from '../engine/ground/errors.ts';
import type { Payloads } from '../engine/ports.ts';
import { ref as refSchema, type Ref } from '../engine/work/ref.ts';
import { codeOf, failedWrite, ifThere, makeFolders, replaceFile, syncFolder } from './disk.ts';
import { restoreOrGiveUp } from './loop-folder.ts';

/**
 * @param loopFolder the sprint's `.loop`, which must exist.
 * @param options `durable: false` leaves out the fsyncs, for simulations.
 * `put` throws Interruption `failed-write`; `get` throws InputError for a payload that is missing or damaged.
 */
export function openPayloads(loopFolder: string, options: { durable?: boolean } = {}): Payloads {
  const durable = options.durable ?? true;
  /** Payloads whose folder entry was synced in this process. */
  const known = new Set<Ref>();
  return {
    async put(text) {
      const bytes = Buffer.from(text);
      const ref = hash(bytes);
      const path = pathOf(loopFolder, ref);
      try {
        if (!known.has(ref) || !isThere(path, bytes)) await save(loopFolder, { ref, bytes, durable });
      } catch (error) {
        throw failedWrite(path, error);
      }
      known.add(ref);
      return ref;
    },
    get: (ref) => load(loopFolder, ref),
  };
}

interface Payload {
  ref: Ref;
  bytes: Buffer;
  durable: boolean;
}

async function save(loopFolder: string, { ref, bytes, durable }: Payload): Promise<void> {
  const folder = await makeFolders(loopFolder, namesOf(ref), { durable });
  const path = join(folder, ref);
  if (!isThere(path, bytes)) await replaceFile(path, bytes, { durable });
  // A writer that was killed may not have synced the folder.
  else if (durable) await syncFolder(folder);
}

function isThere(path: string, bytes: Buffer): boolean {
  return ifThere(() => readFileSync(path))?.equals(bytes) === true;
}

async function load(loopFolder: string, ref: Ref): Promise<string> {
  if (!refSchema.safeParse(ref).success) throw new Bug(`"${ref}" is not the address of a payload`);
  const path = pathOf(loopFolder, ref);
  const bytes = readPayload(path);
  if (!bytes) throw unusable(path, 'is missing');
  if (hash(bytes) !== ref) throw unusable(path, 'was changed after it was written: its content does not fit its name');
  return bytes.toString('utf8');
}

function readPayload(path: string): Buffer | undefined {
  try {
    return ifThere(() => readFileSync(path));
  } catch (error) {
    throw unusable(path, `cannot be read (${codeOf(error) ?? String(error)})`);
  }
}

function unusable(path: string, what: string): InputError {
  return new InputError(`A part of the record ${what}: ${path}.`, restoreOrGiveUp);
}

function pathOf(loopFolder: string, ref: Ref): string {
  return join(loopFolder, ...namesOf(ref), ref);
}

function namesOf(ref: Ref): string[] {
  return ['payloads', ref.slice(0, 2)];
}

/** The name of a payload with this content. */
export function refOf(text: string): Ref {
  return hash(Buffer.from(text));
}

function hash(bytes: Uint8Array): Ref {
  return createHash('sha256').update(bytes).digest('hex');
}
