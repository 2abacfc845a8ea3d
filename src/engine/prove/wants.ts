/**
 * A script that wants something else: each value that it only compares with is another one. Over the same work it must not be green
 * then: else it is not what it says that decides. Found in its text by plain rules, because many scripts hold texts of other
 * languages; where a rule is in doubt a value is left out, and so less is asked.
 */
export interface OtherWants {
  /** The whole script. */
  text: string;
  /** The first line that differs, before and after. */
  was: string;
  now: string;
}

/**
 * Undefined where it states no value that it only compares with.
 * @param red its `RED` text, which is a message, with all that follows on its line.
 * @param inside whether the work runs in its process, where the work could look at its tables and arguments.
 */
export function otherWants(script: string, red: string, inside: boolean): OtherWants | undefined {
  const reading = new Reading(script, red);
  const values = [...compared(reading), ...asserted(reading), ...printed(reading), ...(inside ? handedOver(reading) : [])];
  const edits = new Map(values.filter(({ at }) => !reading.isSaid(at)).flatMap((value) => otherThan(value)));
  if (edits.size === 0) return undefined;
  const text = [...edits].reduce((now, [at, sign]) => now.slice(0, at) + sign + now.slice(at + 1), script);
  const [before, after] = [script.split('\n'), text.split('\n')];
  const first = before.findIndex((line, i) => line !== after[i]);
  return { text, was: before[first]?.trim() ?? '', now: after[first]?.trim() ?? '' };
}

/** A literal of a script. */
interface Value {
  at: number;
  text: string;
}

/** Nobody writes a longer line or table by hand, and reading it would take long. */
const longest = { line: 1000, table: 5000 };
const literal = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|-?\d+(?:\.\d+)?(?![\w.])`;
/** A literal, a bracket, or what stands between literals in brackets. */
const token = new RegExp(String.raw`(${literal})|([[({])|([\])}])|([\w$]+\s*:|[,:])|\s+`, 'y');
/** The value is only a part of an expression. */
const further = /^\s*(?:[.+*/%[]|-\D|\?\.)/;
/** A function that turns it red only where something does not hold. */
const asks = /\b(?:if|unless|assert)\b|&&|\|\|| \? |\[\[? /;
const comment = /^\s*(#|\/\/|\*|\/\*)/;

class Reading {
  readonly lines: { at: number; text: string }[] = [];
  /** Functions of the script that turn it red whenever they are called; not those that compare, such as an assertion. */
  private readonly tellers: RegExp | undefined;
  private readonly uses: readonly string[];

  constructor(
    readonly script: string,
    private readonly red: string,
  ) {
    let at = 0;
    for (const text of script.split('\n')) {
      if (text.length <= longest.line && !comment.test(text)) this.lines.push({ at, text });
      at += text.length + 1;
    }
    const tellers = this.lines.flatMap(({ text }, i) => {
      const [, one, two, three] = /^\s*(?:(?:async\s+)?(?:function|def)\s+(\w+)|const\s+(\w+)\s*=.*=>|(\w+)\s*\(\)\s*\{)/.exec(text) ?? [];
      const name = one ?? two ?? three;
      const body = name === undefined ? [] : this.bodyOf(i);
      const told = body.findIndex((line) => line.text.includes(red));
      return name !== undefined && told >= 0 && !body.slice(0, told + 1).some((line) => asks.test(line.text)) ? [name] : [];
    });
    this.uses = this.lines.map(({ text }) => this.usesOf(text));
    if (tellers.length > 0) this.tellers = new RegExp(`\\b(?:${tellers.join('|')})\\b`);
  }

  /** It turns red there, or in the next few lines. */
  decides(index: number): boolean {
    return this.lines.slice(index, index + near).some(({ text }) => text.includes(this.red) || this.tellers?.test(text) === true);
  }

  /** The first lines of a function that begins there: none but its own where it ends there, too. */
  private bodyOf(index: number): { text: string }[] {
    const [first = { text: '' }, ...rest] = this.lines.slice(index, index + near);
    if (!/([{(:]|=>)\s*$/.test(first.text)) return [first];
    const end = rest.findIndex(({ text }) => text.trim() !== '' && indentOf(text) <= indentOf(first.text));
    return [first, ...(end < 0 ? rest : rest.slice(0, end))];
  }

  /** Stands in a message of the script's. */
  isSaid(at: number): boolean {
    const from = this.script.lastIndexOf('\n', at - 1) + 1;
    return this.script.slice(from, at + this.red.length).includes(this.red);
  }

  /** The literals of an expression that is made of nothing else; none of any other. */
  valuesAt(from: number): Value[] {
    const values: Value[] = [];
    let depth = 0;
    for (let at = from; at < from + longest.table; at += token.lastIndex - at) {
      token.lastIndex = at;
      const [whole, text, open, close, inner] = token.exec(this.script) ?? [];
      if (whole === undefined || (inner !== undefined && depth === 0)) return [];
      if (text !== undefined) values.push({ at, text });
      depth += Number(open !== undefined) - Number(close !== undefined);
      if (depth < 0) return [];
      if (depth === 0 && whole.trim() !== '') return further.test(this.script.slice(token.lastIndex, token.lastIndex + 20)) ? [] : values;
    }
    return [];
  }

  /** A name that is compared, and goes nowhere else once it has its value. */
  isOnlyCompared(name: string): boolean {
    if (name === '' || status.test(name)) return false;
    const beside = new RegExp(
      String.raw`[!=]==?\s*"?\$?${name}\b"?(?!\s*[([])|\b${name}(?:\.length)?\s*[!=]==?|qual\w*\(${balanced},\s*${name}\s*[,)]|\.(?:startsWith|endsWith|includes)\(${name}\)`,
      'g',
    );
    const anywhere = new RegExp(String.raw`\b${name}\b`);
    const uses = this.uses.filter((line) => anywhere.test(line));
    return uses.length > 0 && uses.every((line) => !anywhere.test(line.replaceAll(beside, '')));
  }

  /** Without messages and the places where names get their values. */
  private usesOf(text: string): string {
    const said = this.red === '' ? -1 : text.indexOf(this.red);
    return (said < 0 ? text : text.slice(0, said)).replaceAll(binder, '').replaceAll(/\$?\{[^{}]*\}(?=[^{}]*["'`])/g, '');
  }
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** Arguments with brackets of their own. */
const balanced = String.raw`(?:[^()]|\((?:[^()]|\([^()]*\))*\))*`;

/** Lines in which it is told after a comparison, with that of the comparison. */
const near = 4;

/** Where names get their values: parameters, loops, assignments. */
const binder =
  /\b(?:function|def)\s+\w+\s*\([^()]*\)|\bfor\s+[\w\s,()]+\s+in\b|\bfor\s*(?:await\s*)?\(\s*(?:const|let)\s*\[[^\]]*\]\s+of\b|\(\s*\[[\w\s,]*\]\s*\)\s*=>|=\s*(?:async\s*)?\([\w\s,]*\)\s*=>|^\s*(?:const\s+|let\s+)?[A-Za-z_]\w*\s*=(?![=>])/g;

/** What says how a program ended, what kind of value there is, or how a test runner fared. */
const status = /(?:status|code|\brc|\?|exit\w*|\btypeof\s+[\w.]+|__name__|platform|signal|type)\W*$/i;

/** Beside a comparison after which the script turns red, where the two are not alike. */
function compared(reading: Reading): Value[] {
  return reading.lines.flatMap(({ at, text }, index) =>
    [...text.matchAll(/[!=]==?|\s-(?:eq|ne)(?=\s)|(?<=\s)=(?=\s)/g)].flatMap(({ index: place, 0: sign }) => {
      const [before, after] = [text.slice(0, place), text.slice(place + sign.length)];
      const isShell = /(?:^|[\s;!])\[\[?\s[^\]]*$/.test(before);
      if ((sign === '=' && !isShell) || isOfLoop(before, after)) return [];
      const isUnlike = /!|-ne/.test(sign);
      const isAssertion = /\bassert(?:\.ok)?[\s(]/.test(before);
      const isWanted = isShell ? isUnlike !== /\]\s.*\|\|/.test(after) : isAssertion !== isUnlike;
      if (!isWanted || status.test(before.replace(/["}]+$/, '')) || !(isAssertion || reading.decides(index))) return [];
      const from = at + place + sign.length;
      return isShell ? shellValues(after, from) : reading.valuesAt(from);
    }),
  );
}

/** In the head of a loop, which only waits for it. */
function isOfLoop(before: string, after: string): boolean {
  return /(?:^|[;\s])(?:while|until)\b(?!.*(?:\bdo\b|\)\s*\{))/.test(before) || /;\s*do\b/.test(after);
}

/** A word, a quoted text, or what a command prints there. */
function shellValues(after: string, from: number): Value[] {
  const [, space = '', word = ''] =
    /^(\s*)("\$\(\s*(?:printf|echo)\s+(?:'[^']*'|"[^"]*")|"[^"]*"|'[^']*'|[A-Z\d][\w-]*(?=\s))/.exec(after) ?? [];
  return word === '' ? [] : [{ at: from + space.length, text: word }];
}

/**
 * The first or second argument of an assertion, whichever is a value. The first of three may be a name of the case instead, but for
 * assertions that are known to take that last: then the others have to be values too.
 */
function asserted(reading: Reading): Value[] {
  return reading.lines.flatMap(({ at, text }) =>
    [...text.matchAll(equals)].flatMap(({ index, 0: call, 1: known }) => {
      if (unlike.test(text.slice(0, index))) return [];
      const values = argumentsAt(reading.script, at + index + call.length).map((from) => reading.valuesAt(from));
      const [first = [], second = [], ...others] = values;
      if (first.length === 0) return second;
      if (known !== undefined || others.length === 0) return first;
      const beside = [...second, ...others.flat()];
      return beside.length > 0 ? [...first, ...beside] : [];
    }),
  );
}

const equals =
  /(?:\b(assert|self)\s*\.\s*)?\b(?:equal|strictEqual|deepEqual|deepStrictEqual|assertEquals?|assertListEqual|assertDictEqual)\s*\(|\.(?:toBe|toEqual|toStrictEqual)\s*\(/g;

/** `expect(got).not`, `expect(got).to.not.deep.`: what follows must not be there. */
const unlike = /\.not(?:\.\w+)*\.?$/;

/** Where each begins; none where the call does not end nearby. */
function argumentsAt(script: string, from: number): number[] {
  const starts = [from];
  let depth = 0;
  for (let at = from; at < Math.min(script.length, from + longest.table); at += 1) {
    const sign = script[at] ?? '';
    if (/["'`]/.test(sign)) {
      at = script.indexOf(sign, at + 1);
      if (at < 0) return [];
    } else if (/[[({]/.test(sign)) depth += 1;
    else if (/[\])}]/.test(sign)) depth -= 1;
    else if (sign === ',' && depth === 0) starts.push(at + 1);
    if (depth < 0) return starts;
  }
  return [];
}

/** What a shell prints into a comparing program, or into a file that nothing but such a program reads. */
function printed({ lines }: Reading): Value[] {
  return lines.flatMap(({ at, text }) => {
    const found = /\b(?:printf|echo)\s+('[^']*'|"[^"]*")\s*(?:\|\s*(?:cmp|diff)\b|>\s*("?)([\w./$-]+)\2\s*$)/.exec(text);
    if (!found) return [];
    const [whole, value = '', , file] = found;
    const others = lines.filter((line) => line.text !== text && file !== undefined && line.text.includes(file));
    const isOnlyCompared = others.length > 0 && others.every((line) => /^\W*(?:if\s+!?\s*)?(?:cmp|diff)\s/.test(line.text));
    if (file !== undefined && !isOnlyCompared) return [];
    return [{ at: at + found.index + whole.indexOf(value), text: value }];
  });
}

/** Last values of the rows of a table, and last arguments, where the name that they get is only compared. */
function handedOver(reading: Reading): Value[] {
  const { lines } = reading;
  const isWanted = (names: string): boolean => reading.isOnlyCompared(lastName(names));
  return lines.flatMap(({ at, text }) => [
    ...[...text.matchAll(loop)].flatMap(({ index, 0: head, 1: one, 2: two }) =>
      isWanted(one ?? two ?? '') ? rowsAt(reading, at + index + head.length) : [],
    ),
    ...[...text.matchAll(helper)].flatMap(({ 1: one, 2: ofOne, 3: two, 4: ofTwo }) =>
      isWanted(ofOne ?? ofTwo ?? '') ? lastArguments(reading, one ?? two ?? '') : [],
    ),
  ]);
}

const loop = /\bfor\s+([\w\s,()]+?)\s+in\s+|\bfor\s*\(\s*(?:const|let)\s*\[([^\]]*)\]\s+of\s+/g;
const helper = /\b(?:function|def)\s+(\w+)\s*\(([^()]*)\)|\b(?:const|let)\s+(\w+)\s*=\s*(?:async\s*)?\(([^()]*)\)\s*=>/g;

function lastArguments({ lines }: Reading, name: string): Value[] {
  const call = new RegExp(String.raw`^\s*(?:await\s+)?${name}\(.*,\s*(${literal})\s*\);?\s*$`);
  return lines.flatMap(({ at, text }) => {
    const value = call.exec(text)?.[1];
    return value === undefined ? [] : [{ at: at + text.lastIndexOf(value), text: value }];
  });
}

/** Only of several: a single name is no pair. */
function lastName(names: string): string {
  const all = names.match(/\w+/g) ?? [];
  return all.length > 1 ? (all.at(-1) ?? '') : '';
}

/** The last value of each row of the table that stands there, or that the name there was given. */
function rowsAt(reading: Reading, from: number): Value[] {
  const { script } = reading;
  const [, of, itself] = /^(?:Object\.entries\((\w+)\)|(\w+)(?:\.items\(\))?)\s*[):]/.exec(script.slice(from, from + longest.line)) ?? [];
  const name = of ?? itself;
  const given = name === undefined ? undefined : new RegExp(`^(?:const |let )?${name}\\s*=\\s*`, 'm').exec(script);
  const begin = name === undefined ? from : given ? given.index + given[0].length : -1;
  if (begin < 0 || !/[[{(]/.test(script[begin] ?? '')) return [];
  return reading.valuesAt(begin).filter(({ at, text }) => {
    const [before, after] = [script.slice(begin, at), script.slice(at + text.length, at + text.length + 20)];
    return script[begin] === '{' ? /:\s*$/.test(before) : /^\s*,?\s*[)\]]/.test(after) && /,\s*$/.test(before);
  });
}

/** Its last letter or digit is the next one, so that its length and kind stay. What is put in later is no part of it. */
function otherThan({ at, text }: Value): [number, string][] {
  const blank = (part: string): string => ' '.repeat(part.length);
  const plain = text.replaceAll(/^"\$\(\s*\w+|\\.|\$\{[^}]*\}|\$\([^)]*\)?|\$\w+|\{[^}]*\}|%\d*[a-z]/g, blank);
  const place = /[\p{L}\d](?=[^\p{L}\d]*$)/u.exec(plain)?.index;
  if (place === undefined || /\.[a-z]\w*["']?$|\//i.test(text)) return [];
  return [[at + place, nextSign(plain[place] ?? '')]];
}

function nextSign(sign: string): string {
  if (/\d/.test(sign)) return String((Number(sign) + 1) % 10);
  return /[a-yA-Y]/.test(sign) ? String.fromCharCode(sign.charCodeAt(0) + 1) : sign === 'Z' ? 'Y' : 'y';
}
