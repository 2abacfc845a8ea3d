/** The command of a queue that ends in `grep`: where it finds nothing it ends with 1, which is an error, so such a queue is never empty. */

/** What a command says that takes grep's 1 for an empty queue. */
export const emptyByGrep = '|| test $? -eq 1';

export interface GrepEnd {
  /** How to mend it, one sentence. */
  mend: string;
  /** Whether `emptyByGrep` behind the command is all that it needs. */
  isSimple: boolean;
}

/** Total. @returns undefined for a command whose last part is not grep alone; where that cannot be seen at a glance, too. */
export function grepEnd(command: string): GrepEnd | undefined {
  const { part, joint, isWhole } = lastPart(command);
  if (!/^(\w+=\S*\s+)*(\S*\/)?([efz]?grep|rg|git\s+grep)(\s|$)/.test(part)) return undefined;
  if (joint === '|') {
    const read = `all=$(…) && { printf '%s\\n' "$all" | grep … ${emptyByGrep}; }`;
    return { mend: `Keep what it reads first, so that a failure there stays one: \`${read}\`.`, isSimple: false };
  }
  if (joint === '&&') return { mend: `Write \`… && { grep … ${emptyByGrep}; }\`.`, isSimple: false };
  return { mend: `Write \`${emptyByGrep}\` behind it.`, isSimple: isWhole };
}

/** The last simple command, and what joins it to those before. */
function lastPart(command: string): { part: string; joint: string; isWhole: boolean } {
  const joints = [
    ...command.trimEnd().matchAll(/'[^']*'|"(?:\\.|[^"\\])*"|\\.|[<>]&|&>|\$?\((?:[^()]|\([^()]*\))*\)|(?<joint>&&|\|\||[|;&\n])/gs),
  ]
    .filter(({ groups }) => groups?.['joint'] !== undefined)
    .map(({ 0: text, index }) => ({ text, to: index + text.length }));
  const { text: joint = '', to = 0 } = joints.at(-1) ?? {};
  const part = command.slice(to).trim();
  return { part, joint, isWhole: !/[#\n]/.test(command.trim()) };
}
