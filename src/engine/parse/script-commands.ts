/** The commands that a script of a CI's configuration runs, each with the folder it runs in. Pure. */

/** Without what only steers, sets up or may fail; `cd web && npm test` for a command that runs in `web`. */
export function commandsOf(script: string, folder = ''): string[] {
  const found: string[] = [];
  let at = folder;
  let left = folder;
  const pushed: string[] = [];
  let loops = 0;
  for (const part of partsOf(withoutHeredocs(script.replaceAll(/\\\r?\n[ \t]*/g, ''), 'left out'))) {
    if (loopEnds.test(part)) loops -= 1;
    if (loopBegins.test(part)) loops += 1;
    const command = part.replace(/^(?:(?:then|do|else) +)+/, '');
    const [, inner] = /^[({]([^]*)[)}]$/.exec(command) ?? [];
    const [, by, to] = enters.exec(command) ?? [];
    // What a loop runs depends on the values that it goes through.
    if (loops > 0) continue;
    if (by === 'pushd') pushed.push(at);
    if (to !== undefined) [at, left] = [to === '-' ? left : folderIn(at, to), at];
    else if (leaves.test(command)) at = pushed.pop() ?? folder;
    else if (inner !== undefined) found.push(...commandsOf(inner, at));
    else if (!isNoCheck(command)) found.push(at === '' ? command : `cd ${at} && ${command}`);
  }
  return found;
}

/** Whether it only steers, sets up or may fail. */
export function isNoCheck(command: string): boolean {
  return command.includes('\n') || steers.test(command) || isSetUp.test(command) || isAssignment(command) || mayFail.test(command);
}

/** Only names that get values. */
function isAssignment(command: string): boolean {
  const plain = command.replaceAll(/"(?:\\[^]|[^"\\])*"|'[^']*'/g, '').replaceAll(/\([^()]*\)/g, '');
  return /^\w+=\S*(?:\s+\w+=\S*)*$/.test(plain);
}

/** Whatever it prints, and what it does where there is no such folder. */
const enters = /^(cd|pushd) +([^\s|>&]+)(?: *>.*| *\|\|[^]*)?$/;
const leaves = /^popd\b/;
const loopBegins = /^(?:(?:then|do|else) +)*(?:for|while|until|select|case)(?![\w-])/;
const loopEnds = /^(?:done|esac)\b/;
const steers =
  /^(?:$|(?:if|elif|else|then|fi|for|while|until|do|done|case|esac|function|return|exit|break|continue|shift|trap|true|false|test|\[|\[\[|\{|\}|:)(?:[ ;)]|$)|[\w-]+ *\(\))/;
const isSetUp =
  /^(?:-|#|echo |printf |export |unset |set |cd |popd|source |\. |eval |sudo |apt(?:-get)? |brew |mkdir |cp |mv |rm |ln |ls\b|cat |chmod |touch |sleep |coveralls|codecov|curl |wget |git )|\b(?:pip3?|uv|poetry|npm|pnpm|yarn|bun|gem|bundle|composer|cargo) (?:ci|install|sync|add)\b/;
const mayFail = /\|\| *(?:true|:|exit 0|echo\b.*)$/;

/** Outside of quotes, brackets and expressions of the CI, a script is divided at the ends of its lines, `;` and `&&`. */
function partsOf(script: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [token] of `\n${script}`.matchAll(tokens)) {
    if (token === '(' || token === '{') depth += 1;
    if (token === ')' || token === '}') depth = Math.max(0, depth - 1);
    if (depth === 0 && /^(?:\n|;;?$|&&$)/.test(token)) parts.push('');
    else if (!/^\s#/.test(token)) parts.push(`${parts.pop() ?? ''}${token}`);
  }
  return parts.map((part) => part.trim());
}

/** Comments and what is quoted or an expression, each whole. */
const tokens = /\$\{\{[^}\n]{0,300}\}\}|\$?\{[^\s{}][^{}\n]{0,300}\}|\$\([^()]*\)|'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|&&|;;|\s#[^\n]*|[^]/g;

/** @param openers what becomes of the lines that begin one. */
export function withoutHeredocs(script: string, openers: 'kept' | 'left out'): string {
  const kept: string[] = [];
  let end: string | undefined;
  for (const line of script.split(/\r?\n/)) {
    if (end !== undefined) {
      if (line.trim() === end) end = undefined;
      continue;
    }
    [, end] = /(?<!<)<<(?!<)[-~]?\s*["']?([A-Za-z_][\w-]*)/.exec(line) ?? [];
    if (end === undefined || openers === 'kept') kept.push(line);
  }
  return kept.join('\n');
}

/** A folder that only the CI knows stays as it is written. */
export function folderIn(folder: string, to: string): string {
  const plain = to.replaceAll(/^["']|["']$/g, '');
  if (/^[/~]|\$/.test(plain)) return to;
  const parts: string[] = [];
  for (const part of `${folder}/${plain}`.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
