/**
 * A loop of a shell script that reads its rows from the standard input, which all that it starts has too: work that reads it to its
 * end leaves no row, and the loop ends as if all had been right.
 */

/**
 * The same script, with such loops' rows on a descriptor of their own: over work that leaves them alone its verdict is the same.
 * @param ext of the script's file name.
 * @returns undefined where there is no such loop, or plain rules cannot tell where each ends.
 */
export function withOwnInput(script: string, ext: string): string | undefined {
  if (!/^(sh|bash)$/.test(ext) || script.length > longest || new RegExp(String.raw`\b${own}[<>]|[<>]&${own}\b|-u ?${own}\b`).test(script))
    return undefined;
  const loops = script.match(head)?.length ?? 0;
  const ends = script.match(end)?.length ?? 0;
  if (loops === 0 || loops !== ends) return undefined;
  return script.replaceAll(head, `$1 <&${own}`).replaceAll(end, `$1${own}<`);
}

const longest = 100_000;
/** Neither the shell nor Loop uses it in a script. */
const own = 9;
/** `while IFS=: read -r key value`, whose rows come by no pipe. */
const head = /(?<!\|\s*)(\bwhile\s+(?:IFS=(?:\$?'[^']*'|"[^"]*"|\S*)\s+)?read\b[^;\n|&<]*?)(?=\s*[;\n|&])/g;
/** `done < rows`, `done <<END`, `done <<< "$rows"`. */
const end = /(\bdone[^\S\n]*)<(?!&)/g;
