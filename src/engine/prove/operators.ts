/** The kinds of faults, and what an operator of a language can be taken for by mistake. */
import type { Operator } from '../work/verification.ts';
import type { Language } from './language.ts';

export function operatorsOf(sign: string, language: Language): readonly [operator: Operator, now: string][] {
  return ranges[language]?.[sign] ?? (language === 'shell' ? shell : common)[sign] ?? [];
}

type Table = Readonly<Partial<Record<string, readonly [operator: Operator, now: string][]>>>;

const reversed = (now: string): [Operator, string] => ['comparison reversed', now];
const bound = (now: string): [Operator, string] => ['bound off by one', now];
const sum = (now: string): [Operator, string] => ['arithmetic changed', now];
const logic = (now: string): [Operator, string] => ['logic changed', now];

const common: Table = {
  '===': [reversed('!==')],
  '!==': [reversed('===')],
  '==': [reversed('!=')],
  '!=': [reversed('==')],
  '<>': [reversed('==')],
  '<': [bound('<='), reversed('>=')],
  '>': [bound('>='), reversed('<=')],
  '<=': [bound('<'), reversed('>')],
  '>=': [bound('>'), reversed('<')],
  '&&': [logic('||')],
  '||': [logic('&&')],
  and: [logic('or')],
  or: [logic('and')],
  '+': [sum('-')],
  '-': [sum('+')],
  '*': [sum('/')],
  '/': [sum('*')],
  '//': [sum('*')],
  '%': [sum('*')],
  '+=': [sum('-=')],
  '-=': [sum('+=')],
  '*=': [sum('/=')],
  '/=': [sum('*=')],
  '++': [sum('--')],
  '--': [sum('++')],
  is: [reversed('is not')],
  'is not': [reversed('is')],
  in: [reversed('not in')],
  'not in': [reversed('in')],
};

/** With and without the last. */
const ranges: Partial<Record<Language, Table>> = {
  rust: { '..': [bound('..=')], '..=': [bound('..')] },
  ruby: { '..': [bound('...')], '...': [bound('..')] },
  kotlin: { '..': [bound(' until ')] },
};

const shell: Table = {
  ...common,
  '=': [reversed('!=')],
  '!=': [reversed('=')],
  '==': [reversed('!=')],
  '-eq': [reversed('-ne')],
  '-ne': [reversed('-eq')],
  '-lt': [bound('-le'), reversed('-ge')],
  '-gt': [bound('-ge'), reversed('-le')],
  '-le': [bound('-lt'), reversed('-gt')],
  '-ge': [bound('-gt'), reversed('-lt')],
  '-z': [reversed('-n')],
  '-n': [reversed('-z')],
};
