/**
 * Reads one case from one text file: lines `key: value`, then files, each below a line `-- path --`. A case may name a `product`,
 * a file of the same kind in `products/`, and takes from it what it does not say itself.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Files = Readonly<Record<string, string>>;
export const corpora = ['cheats', 'gamed', 'honest', 'everyday'] as const;
export type Corpus = (typeof corpora)[number];

/** Whether its works are honest and its checks true: `everyday` was written by people who had not read the rules. */
export function isHonest(corpus: Corpus): boolean {
  return corpus === 'honest' || corpus === 'everyday';
}

/** What a builder leaves: files, then a shell script that it runs, if any. */
export interface Work {
  readonly files: Files;
  readonly build: string;
}

export interface Check {
  /** Without a dot. */
  readonly ext: string;
  /** Without the header of a verification. */
  readonly body: string;
}

export interface Case {
  readonly corpus: Corpus;
  readonly name: string;
  /** What it does, in one sentence. */
  readonly what: string;
  /** Written after all else, for the rate at the first try. */
  readonly late: boolean;
  /** It is known to get through, so `npm test` does not draw it. */
  readonly open: boolean;
  /** The product that it shares with others, or its own name. */
  readonly product: string;
  readonly requirement: string;
  /** Files that exist before the sprint. */
  readonly base: Files;
  /** What the builder of the sprint leaves. */
  readonly work: Work;
  /** Work that keeps the requirement. */
  readonly honest: Work;
  /** Work that breaks it, by name. */
  readonly wrong: Readonly<Record<string, Work>>;
  readonly checks: readonly Check[];
  /** A shell script that ends with 0 exactly when the requirement holds; the sprint never sees it. */
  readonly truth: string;
  /** The service that the checks require: its command and port, as `start` and `tcp`. */
  readonly service: string;
}

const folder = 'test/honesty';
const suffix = '.case';

export function casesOf(corpus: Corpus): Case[] {
  return namesIn(corpus).map((name) => caseOf(corpus, name));
}

export function namesIn(kind: string): string[] {
  return readdirSync(join(folder, kind))
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length))
    .sort();
}

function caseOf(corpus: Corpus, name: string): Case {
  const own = read(corpus, name);
  const product = own.head['product'] === undefined ? undefined : read('products', own.head['product']);
  const head = { ...product?.head, ...own.head };
  const parts = (kind: string): Files => ({ ...product?.within(kind), ...own.within(kind) });
  const ownWork = { files: own.within('work/'), build: own.files['build'] ?? '' };
  // A product's work is honest; a cheat's own work takes its place.
  const honest =
    corpus === 'cheats'
      ? product
        ? { files: product.within('work/'), build: product.files['build'] ?? '' }
        : { files: own.within('honest/'), build: own.files['honest-build'] ?? '' }
      : product && Object.keys(ownWork.files).length === 0
        ? { files: product.within('work/'), build: product.files['build'] ?? '' }
        : ownWork;
  const work = corpus === 'cheats' ? ownWork : honest;
  const checks = own.checks.length > 0 ? own.checks : (product?.checks ?? []).filter(({ ext }) => ext === own.head['check']);
  const truth = own.files['truth'] ?? product?.files['truth'] ?? '';
  const made: Case = {
    corpus,
    name,
    what: head['what'] ?? '',
    late: own.head['late'] === 'true',
    open: own.head['open'] === 'true',
    product: own.head['product'] ?? name,
    requirement: head['requirement'] ?? '',
    base: parts('base/'),
    work,
    honest,
    wrong: wrongOf({ ...product?.within('wrong '), ...own.within('wrong ') }, honest),
    checks,
    truth,
    service: head['service'] ?? '',
  };
  const lacks = Object.entries({ what: own.head['what'], requirement: made.requirement, truth, checks: checks[0], work: files(work) });
  const missing = lacks.filter(([, value]) => !value).map(([key]) => key);
  if (missing.length > 0) throw new Error(`${corpus}/${name}${suffix} lacks ${missing.join(', ')}`);
  return made;
}

function files({ files: all, build }: Work): string | undefined {
  return build || Object.keys(all)[0];
}

/** `wrong NAME/path` replaces a file of the honest work; `wrong NAME/build` runs after it. */
function wrongOf(parts: Files, honest: Work): Record<string, Work> {
  const names = [...new Set(Object.keys(parts).map((path) => path.split('/')[0] ?? ''))];
  return Object.fromEntries(
    names.map((name) => {
      const { build = honest.build, ...own } = below(parts, `${name}/`);
      return [name, { files: { ...honest.files, ...own }, build }];
    }),
  );
}

export interface CaseFile {
  head: Record<string, string>;
  files: Files;
  checks: Check[];
  /** The files whose names begin so, without that. */
  within(start: string): Files;
}

export function read(kind: string, name: string): CaseFile {
  const text = readFileSync(join(folder, kind, `${name}${suffix}`), 'utf8');
  const [top = '', ...rest] = text.split(/^-- (.+) --\n/m);
  const all: Record<string, string> = {};
  for (let i = 0; i < rest.length; i += 2) all[rest[i] ?? ''] = rest[i + 1] ?? '';
  const head = Object.fromEntries([...top.matchAll(/^(\w+):(.*)$/gm)].map(([, key = '', value = '']) => [key, value.trim()]));
  const checks = Object.entries(all).flatMap(([path, body]) => {
    const [, ext] = /^check[\w-]*\.(\w+)$/.exec(path) ?? [];
    return ext === undefined ? [] : [{ ext, body }];
  });
  return { head, files: all, checks, within: (start) => below(all, start) };
}

function below(all: Files, start: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(all)
      .filter(([path]) => path.startsWith(start))
      .map(([path, text]) => [path.slice(start.length), text]),
  );
}
