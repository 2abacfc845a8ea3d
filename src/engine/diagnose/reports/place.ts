/** Finds the place of a failure in a text: the first one in the work itself, not in a runtime or a library. */

export interface PlaceInFile {
  file: string;
  line: number;
}

const python = /File "([^"\n]+)", line (\d+)/;
/** `a/b.js:3`, `a/b.js:3:7`. */
const colons = /(?<![\w:/@.-])((?:\.{0,2}\/)?(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,4}):(\d{1,7})\b/;
/** Babel's `a/b.js: Unexpected token (2:12)`. */
const brackets = /(?<![\w:/@.-])((?:\.{0,2}\/)?(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,4}): [^\n]{0,300}\((\d{1,7}):\d{1,7}\)/;
/** `example.com:8080` is no place in a file. */
const host = /^[^/]+\.(?:com|net|org|io|dev|local|test)$/i;
const foreign =
  /^(\/usr\/|\/rustc\/|\/opt\/|\/lib\/|<|node:)|(^|\/)(node_modules|site-packages|dist-packages|\.cargo\/registry|pkg\/mod)\//;

/** `at org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)`: the name of the file alone does not tell a library. */
const foreignFrame =
  /^[ \t]*at (?:[\w.@-]*\/)*(?:javax?|jdk|(?:com\.)?sun|kotlinx?|scala|groovy|junit|org\.(?:junit|opentest4j|assertj|hamcrest|testng|mockito|gradle|apache\.maven|codehaus))\.[^\s(]+\([^)\n]*\)/gm;

/** Without the frames of a stack of Java, Kotlin or Scala that are in a runtime or a library. */
export function withoutForeignFrames(text: string): string {
  return text.replaceAll(foreignFrame, '');
}

/** In a runtime or a library, or no file but a host. */
export function isForeign(file: string): boolean {
  return foreign.test(file) || host.test(file);
}

/** @param last whether the innermost place comes last, as in a Python traceback. */
export function placeIn(lines: readonly string[], last = false): PlaceInFile | undefined {
  const ordered = last ? [...lines].reverse() : lines;
  for (const line of ordered) {
    const place = placeOn(line);
    if (place) return place;
  }
  return undefined;
}

/** The first place on a line, if it is in the work itself. */
export function placeOn(line: string): PlaceInFile | undefined {
  const text = withoutForeignFrames(line).replaceAll('file://', '');
  const [, file, at] = python.exec(text) ?? colons.exec(text) ?? brackets.exec(text) ?? [];
  if (file === undefined || at === undefined || isForeign(file) || Number(at) === 0) return undefined;
  return { file: file.replace(/^\.\//, ''), line: Number(at) };
}
