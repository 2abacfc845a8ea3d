/**
 * The verifications as items of the Test Explorer: categories, and below them what can run. Criteria and retired
 * verifications cannot run, so only the Verifications tree has them.
 */
import type { VerificationView, SprintView } from './sprint-view.ts';
import { plain } from './display-text.ts';
import type { TestReport } from './test-report.ts';

export interface TestCategory {
  /** Unique among all sprints, since the editor keeps results by id. */
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
  /** Identifies the code that a run would judge now, and the script that would judge it. */
  subject: string;
  /** The latest result; `key` differs from that of every other result. */
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

/** Of an item for a case, which stands below its verification's. */
export function caseItemId(verification: string, index: number, name: string): string {
  return `${verification}\n${index}\n${name}`;
}

/** The verification of an item, which may be one of its cases. */
export function verificationOfItem(id: string): string {
  return id.split('\n', 1)[0] ?? id;
}

/** What the person asked to run, by ids of verifications and categories. */
export interface Selection {
  /** Undefined means all. */
  include: readonly string[] | undefined;
  exclude: readonly string[];
  /** Leaves out verifications that are green. */
  failed: boolean;
}

/** @returns ids of verifications, in the order of the tree. */
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
