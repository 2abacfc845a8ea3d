/**
 * A loop of a shell script that reads its rows from the standard input, which all that it starts has too: work that reads it to its
 * end leaves no row, and the loop ends as if all had been right.
 */

/**
 * The same script, with such loops' rows on a descriptor of their own: over work that leaves them alone its verdict is the same.
 * @param ext of the script's file name.
 * @returns undefined where there is no such loop, plain rules cannot tell where each ends, or anything else reads rows of it.
 */
export function withOwnInput(script: string, ext: string): string | undefined {
  if (!/^(sh|bash)$/.test(ext) || script.length > longest || new RegExp(String.raw`\b${own}[<>]|[<>]&${own}\b|-u ?${own}\b`).test(script))
    return undefined;
  const loops = script.match(head)?.length ?? 0;
  const ends = script.match(end)?.length ?? 0;
  if (loops === 0 || loops !== ends || loops !== script.match(reader)?.length) return undefined;
  return script.replaceAll(head, `$1 <&${own}`).replaceAll(end, `$1${own}<`);
}

const longest = 100_000;
/** Neither the shell nor Loop uses it in a script. */
const own = 9;
const ifs = String.raw`(?:IFS=(?:\$?'[^']*'|"[^"]*"|\S*)\s+)?`;
/** `while IFS=: read -r key value`, whose rows come by no pipe. */
const head = new RegExp(String.raw`(?<!\|\s*)(\bwhile\s+${ifs}read\b[^;\n|&<]*?)(?=\s*[;\n|&])`, 'g');
/** Any command that reads, but from a pipe or a file of its own. */
const reader = new RegExp(
  String.raw`(?:^|[;&({!]|\|\||\b(?:do|then|else|if|elif)\s|(?<!\|\s*)\b(?:while|until)\s)[^\S\n]*${ifs}(?:read|mapfile|readarray)\b(?=[^;\n|&<]*(?:[;\n|&]|$))`,
  'gm',
);
/** `done < rows`, `done <<END`, `done <<< "$rows"`. */
const end = /(\bdone[^\S\n]*)<(?!&)/g;
