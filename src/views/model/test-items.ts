/**
 * The verifications as items of a Test Explorer: categories, and below them what can be run. Criteria are left out, since no
 * command tells them, and so is what was retired; the Verifications tree has both.
 */
import type { CheckView, SprintView } from './sprint-view.ts';
import { plain } from './text.ts';
import type { TestReport } from './test-report.ts';

export interface TestCategory {
  /** Unique among all sprints: the editor keeps results by it. */
  id: string;
  label: string;
  checks: TestCheck[];
}

export interface TestCheck {
  id: string;
  label: string;
  description: string;
  /** Below `.loop`. */
  file: string;
  green: boolean;
  /** Tells the code that a run would judge now, and the script by which, from any others. */
  subject: string;
  /** The latest result, and what tells it from an earlier one. */
  latest: { key: string; report: TestReport } | null;
}

export function testCategories({ branch, categories, changes }: SprintView): TestCategory[] {
  const code = `${branch} ${changes.at(-1)?.code ?? 0}`;
  return categories
    .map(({ name, checks }) => ({
      id: `${branch}/${name}`,
      label: plain(name),
      checks: checks
        .filter(isRunnable)
        .map((check) => ({ ...testCheck(check, name, branch), subject: `${code} ${check.script}` })),
    }))
    .filter(({ checks }) => checks.length > 0);
}

/** What a person asked to be run, by ids of checks and categories. */
export interface Selection {
  /** All where it is left out. */
  include: readonly string[] | undefined;
  exclude: readonly string[];
  /** Only what is not green. */
  failed: boolean;
}

/** Ids of checks, in their order. */
export function selected(categories: readonly TestCategory[], { include, exclude, failed }: Selection): string[] {
  return categories.flatMap(({ id: category, checks }) => {
    const isIn = (ids: readonly string[], check: string): boolean => ids.includes(check) || ids.includes(category);
    return checks
      .filter(({ id, green }) => (!include || isIn(include, id)) && !isIn(exclude, id) && !(failed && green))
      .map(({ id }) => id);
  });
}

function isRunnable({ kind, status }: CheckView): boolean {
  return kind === 'command' && status !== 'retired';
}

function testCheck({ id, title, status, file, result }: CheckView, category: string, branch: string): Omit<TestCheck, 'subject'> {
  const label = id.startsWith(`${category}/`) ? id.slice(category.length + 1) : id;
  return {
    id,
    label: plain(label),
    description: plain(title),
    file,
    green: status === 'passed',
    latest: result && { key: `${branch} ${result.n} ${status}`, report: result.report },
  };
}
