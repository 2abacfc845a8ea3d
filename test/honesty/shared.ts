/**
 * One work that serves several requirements, each with a check of its own, as real work mostly is: all go through the same functions.
 * With honest checks alone it must be delivered; with one of them gamed, that requirement must not count.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { write } from '../support/sprint.ts';
import { runsGreen } from './bare.ts';
import { namesIn, read, type Case, type CaseFile, type Check, type Files } from './case-file.ts';
import { play, type Outcome } from './play.ts';

export interface Shared {
  readonly corpus: 'shared';
  /** Of the work, and of the gamed check, if one is. */
  readonly name: string;
  readonly what: string;
  readonly late: boolean;
  /** It is known to get through, so `npm test` does not draw it. */
  readonly open: boolean;
  readonly work: string;
  readonly own: CaseFile;
  /** `3-first-line`: the check of requirement 3 is this one. */
  readonly gamed: string | undefined;
}

/** For each work one case with honest checks, and one for each gamed check. */
export function sharedCases(): Shared[] {
  return namesIn('shared').flatMap((work) => {
    const own = read('shared', work);
    const { what = '', open = '' } = own.head;
    const isOpen = (name: string): boolean => open.split(' ').includes(name);
    const gamed = Object.keys(own.within('gamed ')).map(withoutExt);
    const base = { corpus: 'shared' as const, what, late: false, work, own };
    return [
      { ...base, name: `${work}-honest`, open: false, gamed: undefined },
      ...gamed.map((one) => ({ ...base, name: `${work}-${one}`, open: isOpen(one), gamed: one })),
    ];
  });
}

/**
 * What is wrong with a case itself. Over the work all checks are green; a gamed one also over a work that is wrong, where the honest
 * one is red.
 */
export async function vacuousShared({ own, gamed }: Shared): Promise<string[]> {
  const works = { ...own.within('base/'), ...own.within('work/') };
  const green = async (kind: string, name: string, files: Files): Promise<boolean> => runsGreen(files, checkOf(own, kind, name));
  const problems: string[] = [];
  if (gamed === undefined) {
    const names = Object.keys(own.within('honest ')).map(withoutExt);
    for (const name of names) if (!(await green('honest', name, works))) problems.push(`the honest check ${name} is red on the work`);
    return problems;
  }
  const wrong = await patched(works, own.files[`wrong ${gamed}.patch`] ?? '');
  if (!(await green('gamed', gamed, works))) problems.push('it is red on the work');
  if (!(await green('gamed', gamed, wrong))) problems.push('it is red on the wrong work');
  if (await green('honest', numberOf(gamed), wrong)) problems.push('the honest check is green on the wrong work');
  return problems;
}

export async function playShared({ name, work, own, gamed, what }: Shared): Promise<Outcome> {
  const requirements = (own.files['requirements'] ?? '').trim().split('\n');
  const cases = requirements.map((requirement, i): Case => {
    const isGamed = gamed !== undefined && numberOf(gamed) === String(i + 1);
    const files = { files: own.within('work/'), build: '' };
    return {
      corpus: 'everyday',
      name: String(i + 1),
      what,
      late: false,
      open: false,
      product: work,
      requirement,
      base: own.within('base/'),
      work: files,
      honest: files,
      wrong: {},
      checks: [isGamed ? checkOf(own, 'gamed', gamed) : checkOf(own, 'honest', String(i + 1))],
      truth: '',
      service: '',
    };
  });
  const outcomes = await play(cases);
  const told = gamed === undefined ? outcomes : outcomes.filter((one) => one.name === numberOf(gamed));
  const without = told.filter(({ counted }) => !counted);
  return {
    name,
    stop: outcomes[0]?.stop ?? '',
    level: told[0]?.level,
    counted: gamed === undefined ? without.length === 0 : told.some(({ counted }) => counted),
    why: (gamed === undefined ? without : told).flatMap(({ why }) => why),
  };
}

function checkOf(own: CaseFile, kind: string, name: string): Check {
  return { ext: 'sh', body: `#!/usr/bin/env bash\n${own.files[`${kind} ${name}.sh`] ?? ''}` };
}

function numberOf(gamed: string): string {
  return gamed.split('-')[0] ?? '';
}

function withoutExt(path: string): string {
  return path.slice(0, path.lastIndexOf('.'));
}

async function patched(files: Files, patch: string): Promise<Files> {
  const folder = mkdtempSync(join(tmpdir(), 'loop-shared-'));
  try {
    await write(folder, files);
    execFileSync('git', ['apply', '-'], { cwd: folder, input: patch });
    return Object.fromEntries(Object.keys(files).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
