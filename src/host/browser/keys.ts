/** Translates a key as a person names it (`Shift+Tab`) into the browser's key event. */

export interface KeyPress {
  key: string;
  code: string;
  windowsVirtualKeyCode: number;
  /** Bits of the modifier keys that are held. */
  modifiers: number;
  /** The text that it types. */
  text?: string;
}

const modifierBits = new Map(Object.entries({ alt: 1, control: 2, ctrl: 2, meta: 4, shift: 8 }));
type NamedKey = [key: string, code: number, text?: string];
const functionKeys = Array.from({ length: 12 }, (_, i): [string, NamedKey] => [`f${i + 1}`, [`F${i + 1}`, 112 + i]]);
const namedKeys = new Map<string, NamedKey>([
  ...Object.entries({
    enter: ['Enter', 13, '\r'],
    tab: ['Tab', 9],
    escape: ['Escape', 27],
    backspace: ['Backspace', 8],
    delete: ['Delete', 46],
    space: [' ', 32, ' '],
    arrowleft: ['ArrowLeft', 37],
    arrowup: ['ArrowUp', 38],
    arrowright: ['ArrowRight', 39],
    arrowdown: ['ArrowDown', 40],
    home: ['Home', 36],
    end: ['End', 35],
    pageup: ['PageUp', 33],
    pagedown: ['PageDown', 34],
  } satisfies Record<string, NamedKey>),
  ...functionKeys,
]);
/** While alt, control or meta is held, a key types no text. */
const silencingBits = 1 | 2 | 4;

/** The keys that there are, for who presses one. */
export const keyWords =
  'Enter, Tab, Escape, Space, Backspace, Delete, Home, End, PageUp, PageDown, ArrowUp, ArrowDown, ArrowLeft, ArrowRight, F1 to F12, or one character; with Shift+, Control+, Alt+ or Meta+ before it';

/** @returns undefined for an unknown key. */
export function keyOf(words: string): KeyPress | undefined {
  const parts = words.length > 1 ? words.split('+') : [words];
  const name = parts.pop() ?? '';
  const bits = parts.map((part) => modifierBits.get(part.trim().toLowerCase()));
  if (bits.includes(undefined)) return undefined;
  const modifiers = bits.reduce<number>((sum, bit) => sum | (bit ?? 0), 0);
  const isOne = /^.$/u.test(name);
  const [key, number, text] = namedKeys.get(name.toLowerCase()) ?? (isOne ? [name, name.toUpperCase().codePointAt(0) ?? 0, name] : []);
  if (key === undefined || number === undefined) return undefined;
  const writes = text === undefined || (modifiers & silencingBits) > 0 ? {} : { text };
  return { key, code: codeOf(key), windowsVirtualKeyCode: number, modifiers, ...writes };
}

function codeOf(key: string): string {
  if (/^[a-z]$/i.test(key)) return `Key${key.toUpperCase()}`;
  if (/^\d$/.test(key)) return `Digit${key}`;
  return key === ' ' ? 'Space' : key;
}
