/**
 * Reads the XML of reports in linear time. Open elements are closed at the end, and wrong markup becomes text. Only character
 * references and the five entities of the XML standard are known, so that no entity can expand to a huge text. Elements deeper
 * than `depthLimit` are dropped.
 */

export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  /** Its own text, CDATA included. */
  text: string;
}

const depthLimit = 50;
const elementLimit = 50_000;
const attributeLimit = 40;

/** @returns the outermost elements. */
export function readXml(text: string): XmlElement[] {
  const root = element('', {});
  const open = [root];
  let count = 0;
  let at = 0;
  while (at < text.length && count < elementLimit) {
    const markup = text.indexOf('<', at);
    const parent = open.at(-1) ?? root;
    parent.text += decoded(text.slice(at, markup === -1 ? text.length : markup));
    if (markup === -1) break;
    const token = tokenAt(text, markup);
    at = token.end;
    if (token.kind === 'text') parent.text += token.text;
    else if (token.kind === 'close') close(open, token.name);
    else if (token.kind === 'open') {
      const one = element(token.name, token.attributes);
      count += 1;
      if (open.length <= depthLimit) parent.children.push(one);
      if (!token.empty && open.length <= depthLimit) open.push(one);
    }
  }
  return root.children;
}

function element(name: string, attributes: Record<string, string>): XmlElement {
  return { name, attributes, children: [], text: '' };
}

/** Closes the innermost open element of that name with all elements in it; ignores the tag if there is none. */
function close(open: XmlElement[], name: string): void {
  const at = open.findLastIndex((one) => one.name === name);
  if (at > 0) open.length = at;
}

type Token = { end: number } & (
  | { kind: 'text'; text: string }
  | { kind: 'skip' }
  | { kind: 'close'; name: string }
  | { kind: 'open'; name: string; attributes: Record<string, string>; empty: boolean }
);

function tokenAt(text: string, at: number): Token {
  if (text.startsWith('<![CDATA[', at)) {
    const end = until(text, ']]>', at + 9);
    return { kind: 'text', text: text.slice(at + 9, end.from), end: end.to };
  }
  if (text.startsWith('<!--', at)) return { kind: 'skip', end: until(text, '-->', at + 4).to };
  if (text.startsWith('<?', at)) return { kind: 'skip', end: until(text, '?>', at + 2).to };
  if (text.startsWith('<!', at)) return { kind: 'skip', end: doctypeEnd(text, at) };
  if (text.startsWith('</', at)) {
    const end = until(text, '>', at + 2);
    return { kind: 'close', name: text.slice(at + 2, end.from).trim(), end: end.to };
  }
  return tagAt(text, at);
}

function until(text: string, mark: string, from: number): { from: number; to: number } {
  const at = text.indexOf(mark, from);
  return at === -1 ? { from: text.length, to: text.length } : { from: at, to: at + mark.length };
}

/** A document type may hold declarations in brackets; they are skipped whole. */
function doctypeEnd(text: string, at: number): number {
  const end = until(text, '>', at);
  const bracket = text.slice(at, end.from).indexOf('[');
  return bracket === -1 ? end.to : until(text, '>', until(text, ']', at + bracket).to).to;
}

const tagName = /[A-Za-z_][\w:.-]{0,100}/y;
const attribute = /\s*([\w:.-]{1,100})\s{0,10}=\s{0,10}("[^"<]*"|'[^'<]*')/y;
const tagEnd = /\s*(\/?)>/y;

function tagAt(text: string, at: number): Token {
  const name = stick(tagName, text, at + 1);
  if (!name) return { kind: 'text', text: '<', end: at + 1 };
  const attributes: Record<string, string> = {};
  let end = at + 1 + name[0].length;
  for (let n = 0; n < attributeLimit; n += 1) {
    const match = stick(attribute, text, end);
    if (!match) break;
    end += match[0].length;
    attributes[match[1] ?? ''] = decoded((match[2] ?? '').slice(1, -1));
  }
  const last = stick(tagEnd, text, end);
  if (!last) return { kind: 'text', text: '<', end: at + 1 };
  return { kind: 'open', name: name[0], attributes, empty: last[1] === '/', end: end + last[0].length };
}

function stick(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g, (all, ten, hex, name) => {
    if (typeof name === 'string') return entities[name] ?? all;
    const code = typeof ten === 'string' ? Number(ten) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
