/**
 * Which result the Test Explorer shows for each verification: the journal's latest, or that of a later run by hand. Finds
 * results that are new, and results of older code or of an older script.
 */
import type { TestVerification } from './test-items.ts';

export class ShownResults {
  /** By verification, the key of the journal's result that is shown. */
  private readonly mirrored = new Map<string, string>();
  /** By verification, the code and the script of its last run by hand. */
  private readonly byHand = new Map<string, string>();

  /** Records a run by hand, whose result is shown now. */
  ran({ id, subject }: Pick<TestVerification, 'id' | 'subject'>): void {
    this.byHand.set(id, subject);
  }

  /** Results of the journal count as not shown, but for those in whose place one of a later run by hand is shown. */
  forget(): void {
    for (const id of this.mirrored.keys()) if (!this.byHand.has(id)) this.mirrored.delete(id);
  }

  /** Ids whose shown result is not of the current code and script; from now on it counts as not shown. */
  outdated(verifications: readonly TestVerification[]): string[] {
    return verifications
      .filter(({ id, subject, latest }) => {
        const isOfAnother = this.byHand.has(id) && this.byHand.get(id) !== subject;
        if (isOfAnother) this.byHand.delete(id);
        return (latest === null && this.mirrored.delete(id)) || isOfAnother;
      })
      .map(({ id }) => id);
  }

  /** Results of the journal that are not shown yet; from now on they count as shown. */
  news(verifications: readonly TestVerification[]): (TestVerification & { latest: NonNullable<TestVerification['latest']> })[] {
    const fresh = verifications.flatMap((verification) =>
      verification.latest && this.isNews(verification.id, verification.latest.key)
        ? [{ ...verification, latest: verification.latest }]
        : [],
    );
    for (const { id, latest } of fresh) this.mirrored.set(id, latest.key);
    return fresh;
  }

  private isNews(id: string, key: string): boolean {
    return this.mirrored.get(id) !== key;
  }
}
