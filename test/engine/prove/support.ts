/** Finds mutants of one text, as the engine does it for one verification after another. */
import { addedLines, type Patch } from '../../../src/engine/prove/added-lines.ts';
import type { Candidate, Mutant } from '../../../src/engine/prove/mutants.ts';
import type { Syntax } from '../../../src/engine/ports.ts';
import type { Files } from '../../../src/engine/run/files.ts';
import * as engine from '../../../src/engine/run/mutants.ts';

const coveredBy = (syntax: Syntax, files: Files, patches: readonly Patch[]): Promise<engine.Covered[]> =>
  new engine.Reading(syntax).covered(files, addedLines(patches));

export async function mutantsOf(
  syntax: Syntax,
  files: Files,
  patches: readonly Patch[],
  limit?: number,
  choice?: engine.Choice,
): Promise<Mutant[]> {
  return engine.mutantsOf(await coveredBy(syntax, files, patches), limit, choice);
}

export async function nearMutantsOf(
  syntax: Syntax,
  files: Files,
  patches: readonly Patch[],
  isWanted: (place: Candidate) => boolean,
  ofSeveral?: boolean,
): Promise<Mutant[]> {
  return engine.nearMutantsOf(await coveredBy(syntax, files, patches), isWanted, ofSeveral);
}

/** A git patch that adds these lines to a new file. */
export function adds(path: string, lines: readonly string[]): string {
  const body = lines.map((line) => `+${line}\n`).join('');
  return `diff --git a/${path} b/${path}\nnew file mode 100644\nindex 000..111\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${body}`;
}
