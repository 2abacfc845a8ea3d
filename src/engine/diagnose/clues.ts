/**
 * The clue to a failure's cause in its text: an address that refuses, something that is missing, or a place in a file. There is
 * one at most, because the first two tell more than the places around them.
 */

import { withoutColours } from '../ground/text.ts';
import { isForeign, withoutForeignFrames } from './reports/place.ts';

export interface Clue {
  /** Equal for the same cause. */
  key: string;
  why: string;
}

/**
 * @param text an output or an excerpt.
 * @param reported the place that a framework names, which tells more than the first place in the text.
 */
export function clueIn(text: string, reported?: { file: string; line: number }): Clue | undefined {
  const plain = withoutColours(text).replaceAll('file://', '');
  const own = reported && !isElsewhere(reported.file) ? placeClue(reported.file, String(reported.line)) : undefined;
  return serviceIn(plain) ?? takenPortIn(plain) ?? missingIn(plain) ?? own ?? lintedIn(plain) ?? placeIn(plain);
}

const address = String.raw`\[?([\w.-]+|[\da-f:]*::[\da-f]*)\]?`;
const refused = [
  new RegExp(`ECONNREFUSED ${address}:(\\d+)`),
  new RegExp(`\\bdial tcp ${address}:(\\d+): connect: connection refused`),
  new RegExp(`\\bconnect(?:ion)? to (?:server at )?"?${address}"?,? (?:\\([^)\\n]{0,80}\\),? )?port (\\d+)`),
  new RegExp(`\\bhost='${address}', port=(\\d+)`),
];

function serviceIn(text: string): Clue | undefined {
  const match = refused.map((pattern) => pattern.exec(text)).find((one) => one !== null);
  const unknown = /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)/.exec(text)?.[1];
  if (!match) return unknown === undefined ? undefined : { key: `host ${unknown}`, why: `the host ${unknown} is not found` };
  const [, host = '', port = ''] = match;
  const name = `${/^(127\.0\.0\.1|::1|0\.0\.0\.0)$/.test(host) ? 'localhost' : host}:${port}`;
  return { key: `service ${name}`, why: `${name} refuses the connection` };
}

/** A port that another process holds. */
function takenPortIn(text: string): Clue | undefined {
  const port = /EADDRINUSE:? (?:address already in use )?\S*?:(\d+)\b|:(\d+): bind: address already in use/.exec(text);
  const number = port?.[1] ?? port?.[2];
  return number === undefined ? undefined : { key: `port ${number}`, why: `the port ${number} is taken` };
}

/** ESLint prints the file above its lines, black no line at all. */
function lintedIn(text: string): Clue | undefined {
  const [, file, line] = /^(\S+\.\w{1,5})\n {1,8}(\d+):\d+ {1,8}(?:error|warning) /m.exec(text) ?? [];
  if (file !== undefined && line !== undefined) return placeClue(file, line);
  const unformatted = /^would reformat (\S+)$/m.exec(text)?.[1];
  return unformatted === undefined ? undefined : { key: `style ${unformatted}`, why: `${unformatted} is not formatted` };
}

const missing: [string, RegExp][] = [
  ['module', /Cannot find (?:module|package) '([^'\n]+)'/],
  ['module', /No module named '?([\w.]+)'?/],
  ['module', /cannot load such file -- (\S+)/],
  ['module', /no required module provides package ([^\s:;]+)/],
  ['module', /ClassNotFoundException: (\S+)/],
  ['artifact', /the artifact (\S+) has not been downloaded/],
  ['artifact', /Could not find artifact (\S+)/],
  ['script', /Missing script: "([^"\n]+)"/],
  ['file', /ENOENT: no such file or directory, \w+ '([^'\n]+)'/],
  ['file', /No such file or directory: '([^'\n]+)'/],
  ['file', /can't open file '([^'\n]+)'/],
  ['file', /^(?:.*: )?([^\s:']+): No such file or directory$/m],
  // Behind the line that dash numbers, or the shell's own name: what a program does not find is no command.
  [
    'command',
    /(?:: (?=[^:\n]+: command )|: (?:line )?\d+: (?:exec: )?|^-?(?:[\w./]*\/)?(?:ba|da|a)?sh: (?:exec: )?)([\w./+-]+): (?:command )?not found$/m,
  ],
];

/** The module, artifact, script, file or command that the text calls missing; `key` begins with that kind. */
export function missingIn(text: string): Clue | undefined {
  for (const [what, pattern] of missing) {
    const name = pattern.exec(text)?.[1];
    if (name !== undefined) return { key: `${what} ${name}`, why: `the ${what} ${name} is missing` };
  }
  return undefined;
}

const place = /File "([^"\n]+)", line (\d+)|(?<![\w:/@.-])((?:\.{0,2}\/)?(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[a-z]\w{0,4})(?::\[?|\()(\d+)/gi;

/** The place of the error: the first one, but the last one in a Python traceback. */
function placeIn(text: string): Clue | undefined {
  const places = [...withoutForeignFrames(text).matchAll(place)]
    .map(([, python, line, file = python ?? '', at = line ?? '']) => ({ file, at }))
    .filter(({ file }) => !isElsewhere(file));
  const origin = text.includes('(most recent call last)') ? places.at(-1) : places[0];
  return origin && placeClue(origin.file, origin.at);
}

/** In a runtime, a library or the verification itself. */
function isElsewhere(file: string): boolean {
  return isForeign(file) || file.startsWith('/run/');
}

function placeClue(file: string, line: string): Clue {
  return { key: `place ${file}:${line}`, why: `it fails at ${file}:${line}` };
}
