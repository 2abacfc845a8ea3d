/** Readers of the simple formats in which package managers are configured. Each is total: what it cannot read is left out. */

export interface Entry {
  /** `global`, `install.scopes`; empty before the first section. */
  section: string;
  key: string;
  values: string[];
}

/** `key = value` below `[section]`. A line that is indented goes on with the value above it, as in pip.conf. */
export function readIni(text: string): Entry[] {
  const entries: Entry[] = [];
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    const [, header] = /^\s*\[([^\]]*)\]\s*$/.exec(line) ?? [];
    const last = entries.at(-1);
    if (/^\s*([#;]|$)/.test(line)) continue;
    if (header !== undefined) section = header.trim();
    else if (/^\s/.test(line) && last?.section === section) last.values.push(...words(line));
    else {
      const at = line.indexOf('=');
      if (at > 0) entries.push({ section, key: line.slice(0, at).trim(), values: words(line.slice(at + 1)) });
    }
  }
  return entries;
}

/** The strings of a TOML file. Each table of `[[index]]` has a section of its own: `index#1`, `index#2`. */
export function readToml(text: string): Entry[] {
  const entries: Entry[] = [];
  const tables = new Map<string, number>();
  let section = '';
  let open: { entry: Entry; rest: string } | undefined;
  for (const line of text.split(/\r?\n/).map(withoutComment)) {
    if (open) {
      open.rest += line;
    } else {
      const [, brackets, header] = /^\s*(\[{1,2})([^[\]]+)\]{1,2}\s*$/.exec(line) ?? [];
      const [, key, value] = /^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\.[\w-]+)*)\s*=\s*(.*)$/.exec(line) ?? [];
      if (header !== undefined) section = brackets === '[[' ? numbered(header.trim(), tables) : header.trim().replaceAll(/["']/g, '');
      if (key !== undefined) open = { entry: { section, key: key.replaceAll(/["']/g, ''), values: [] }, rest: value ?? '' };
    }
    if (!open || !isClosed(open.rest)) continue;
    entries.push({ ...open.entry, values: valuesOf(open.rest) });
    open = undefined;
  }
  return entries;
}

/** All values of a key, the last entry's last. */
export function valuesIn(entries: readonly Entry[], key: string, section?: string): string[] {
  return entries.filter((e) => e.key === key && (section === undefined || e.section === section)).flatMap((e) => e.values);
}

/** The value that counts: the last one. */
export function lastIn(entries: readonly Entry[], key: string, section?: string): string | undefined {
  return entries.findLast((e) => e.key === key && (section === undefined || e.section === section))?.values[0];
}

/** The texts between `<name …>` and `</name>`. */
export function elements(xml: string, name: string): string[] {
  const plain = xml.replaceAll(/<!--[^]*?-->/g, '');
  return [...plain.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([^]*?)</${name}>`, 'g'))].map(([, inner = '']) => inner.trim());
}

export function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

export function fromXml(text: string): string {
  return text
    .trim()
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}

function words(text: string): string[] {
  return text.trim().split(/\s+/).filter(Boolean).map(unquoted);
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}

function numbered(name: string, tables: Map<string, number>): string {
  const count = (tables.get(name) ?? 0) + 1;
  tables.set(name, count);
  return `${name}#${count}`;
}

function withoutComment(line: string): string {
  return /^(?:[^"'#]|"[^"]*"|'[^']*')*/.exec(line)?.[0] ?? '';
}

/** Whether a value is complete: an array may take several lines. */
function isClosed(value: string): boolean {
  const bare = value.replaceAll(/"[^"]*"|'[^']*'/g, '');
  return bare.split('[').length <= bare.split(']').length;
}

/** The strings of a value, else the value as it is written. In `{ url = "…", token = "…" }` only the url counts. */
function valuesOf(value: string): string[] {
  const [, url] = /^\{.*\burl\s*=\s*["']([^"']*)["']/.exec(value) ?? [];
  if (url !== undefined) return [url];
  const strings = [...value.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single ?? '');
  return strings.length > 0 ? strings : [value.trim()];
}
