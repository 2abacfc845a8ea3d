/** The words of the command `browser`. Pure. */
import type { BrowserAction } from '../../engine/ports.ts';
import { mostTabs } from './tab-numbers.ts';

type Plain = 'back' | 'console';

export type Call =
  | Exclude<BrowserAction, { action: 'open' | 'read' | 'screenshot' | Plain }>
  | { action: Plain }
  /** `all`: every line, for a script that counts them. */
  | { action: 'read'; all?: true }
  /** How dialogs of the page are answered from now on. */
  | { action: 'dialogs'; accept: boolean }
  | { action: 'open'; url: string }
  | { action: 'screenshot'; file: string }
  /** Which colour the page has at a point. */
  | { action: 'pixel'; point: string }
  /** Until the page shows the text, or so many seconds have passed. */
  | { action: 'wait'; text: string; seconds: number }
  /** What the page keeps in localStorage, after an entry of it was set. */
  | { action: 'stored'; entry?: { key: string; text: string } };

/** Its words, those in brackets may be left out, and the call that they make; undefined where a number is none. */
interface Form {
  words: string;
  call(...words: (string | undefined)[]): Call | undefined;
}

/** As the last of a form's words: as many more as somebody wants. */
const more = '[POINT …]';
const mostPoints = 100;
const usualWait = '10';
const longestWait = 600;
const widest = 4000;

const forms: Record<Call['action'], Form> = {
  open: { words: 'ADDRESS', call: (url = '') => ({ action: 'open', url }) },
  click: { words: 'POINT', call: (target = '') => ({ action: 'click', target }) },
  doubleclick: { words: 'POINT', call: (target = '') => ({ action: 'doubleclick', target }) },
  rightclick: { words: 'POINT', call: (target = '') => ({ action: 'rightclick', target }) },
  hover: { words: 'POINT', call: (target = '') => ({ action: 'hover', target }) },
  drag: { words: `POINT POINT ${more}`, call: (...points) => ({ action: 'drag', points: given(points) }) },
  touch: { words: `POINT ${more}`, call: (...points) => ({ action: 'touch', points: given(points) }) },
  type: { words: 'TARGET TEXT', call: (target = '', text = '') => ({ action: 'type', target, text }) },
  upload: { words: 'TARGET FILE', call: (target = '', file = '') => ({ action: 'upload', target, file }) },
  press: { words: 'KEY', call: (key = '') => ({ action: 'press', key }) },
  wait: {
    words: 'TEXT [SECONDS]',
    call: (text = '', seconds = usualWait) =>
      isNumber(seconds, longestWait) ? { action: 'wait', text, seconds: Number(seconds) } : undefined,
  },
  tab: { words: 'N', call: (number = '') => (isNumber(number, mostTabs) ? { action: 'tab', number: Number(number) } : undefined) },
  viewport: {
    words: 'WIDTH HEIGHT',
    call: (width = '', height = '') =>
      isNumber(width, widest) && isNumber(height, widest)
        ? { action: 'viewport', width: Number(width), height: Number(height) }
        : undefined,
  },
  clock: { words: 'WHEN', call: (when = '') => ({ action: 'clock', when }) },
  pixel: { words: 'POINT', call: (point = '') => ({ action: 'pixel', point }) },
  screenshot: { words: 'FILE', call: (file = '') => ({ action: 'screenshot', file }) },
  dialogs: {
    words: 'ok|cancel',
    call: (answer = '') => (answer === 'ok' || answer === 'cancel' ? { action: 'dialogs', accept: answer === 'ok' } : undefined),
  },
  read: {
    words: '[all]',
    call: (all) => (all === undefined ? { action: 'read' } : all === 'all' ? { action: 'read', all: true } : undefined),
  },
  back: { words: '', call: () => ({ action: 'back' }) },
  console: { words: '', call: () => ({ action: 'console' }) },
  stored: {
    words: '[KEY TEXT]',
    call: (key, text) =>
      key === undefined ? { action: 'stored' } : text === undefined ? undefined : { action: 'stored', entry: { key, text } },
  },
};

/** Stands between calls that are made one after the other. */
const then = 'then';

export const usage = [
  'Use one of:',
  ...Object.entries(forms).map(([name, { words }]) => `  browser ${name} ${words}`.trimEnd()),
  `Several in a row: browser click TARGET ${then} wait TEXT. They stop at the first that fails; what the last one shows is printed.`,
].join('\n');

export function callsOf(words: readonly string[]): Call[] | { problem: string } {
  const calls: Call[] = [];
  for (let rest = words; ;) {
    const end = rest.indexOf(then);
    const call = callOf(end < 0 ? rest : rest.slice(0, end));
    if ('problem' in call) return call;
    calls.push(call);
    if (end < 0) return calls;
    rest = rest.slice(end + 1);
  }
}

function callOf([name = '', ...said]: readonly string[]): Call | { problem: string } {
  const form = Object.hasOwn(forms, name) ? forms[name as Call['action']] : undefined;
  if (!form) return { problem: name === '' ? 'No action is named.' : `There is no action ${JSON.stringify(name)}.` };
  const least = countOf(form.words.replace(/\[.*\]/, ''));
  const hasPoints = form.words.endsWith(more);
  const longest = hasPoints ? mostPoints : countOf(form.words);
  const isEmpty = (hasPoints ? said : said.slice(0, 1)).includes('');
  const isRight = said.length >= least && said.length <= longest && !isEmpty;
  const call = isRight ? form.call(...said) : undefined;
  return call ?? { problem: `${name} takes ${form.words || 'no words'}, each one word of the shell: what has blanks stands in quotes.` };
}

function countOf(words: string): number {
  return words.split(' ').filter(Boolean).length;
}

function given(words: readonly (string | undefined)[]): string[] {
  return words.filter((word) => word !== undefined);
}

function isNumber(word: string, most: number): boolean {
  return /^[1-9]\d{0,4}$/.test(word) && Number(word) <= most;
}
