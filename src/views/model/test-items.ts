/**
 * The verifications as items of a Test Explorer: categories, and below them what can be run. Criteria are left out, since no
 * command tells them, and so is what was retired; the Verifications tree has both.
 */
import type { VerificationView, SprintView } from './sprint-view.ts';
import { plain } from './display-text.ts';
import type { TestReport } from './test-report.ts';

export interface TestCategory {
  /** Unique among all sprints: the editor keeps results by it. */
  id: string;
  label: string;
  verifications: TestVerification[];
}

export interface TestVerification {
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
    .map(({ name, verifications }) => ({
      id: `${branch}/${name}`,
      label: plain(name),
      verifications: verifications
        .filter(isRunnable)
        .map((verification) => ({ ...testVerification(verification, name, branch), subject: `${code} ${verification.script}` })),
    }))
    .filter(({ verifications }) => verifications.length > 0);
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
  return categories.flatMap(({ id: category, verifications }) => {
    const isIn = (ids: readonly string[], verification: string): boolean => ids.includes(verification) || ids.includes(category);
    return verifications
      .filter(({ id, green }) => (!include || isIn(include, id)) && !isIn(exclude, id) && !(failed && green))
      .map(({ id }) => id);
  });
}

function isRunnable({ kind, status }: VerificationView): boolean {
  return kind !== 'criterion' && status !== 'retired';
}

function testVerification(
  { id, title, status, file, result }: VerificationView,
  category: string,
  branch: string,
): Omit<TestVerification, 'subject'> {
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
