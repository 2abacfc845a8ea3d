/**
 * What a Test Explorer shows of each verification: the journal's latest result, or what a person's own run found since. It says
 * which results are news, and which speak of code or of a script that is no more.
 */
import type { TestVerification } from './test-items.ts';

export class ShownResults {
  /** Keys of the results that were taken from the journal. */
  readonly #mirrored = new Map<string, string>();
  /** The code and the script with which a person ran it last. */
  readonly #byHand = new Map<string, string>();

  /** A person's run of it was told. */
  ran({ id, subject }: Pick<TestVerification, 'id' | 'subject'>): void {
    this.#byHand.set(id, subject);
  }

  /** Ids whose result says nothing about the code or the script as they are; they are no longer shown. */
  outdated(verifications: readonly TestVerification[]): string[] {
    return verifications
      .filter(({ id, subject, latest }) => {
        const isOfAnother = this.#byHand.has(id) && this.#byHand.get(id) !== subject;
        if (isOfAnother) this.#byHand.delete(id);
        return (latest === null && this.#mirrored.delete(id)) || isOfAnother;
      })
      .map(({ id }) => id);
  }

  /** Results of the journal that are not shown yet; from now on they are. */
  news(verifications: readonly TestVerification[]): (TestVerification & { latest: NonNullable<TestVerification['latest']> })[] {
    const fresh = verifications.flatMap((verification) =>
      verification.latest && this.#isNews(verification.id, verification.latest.key)
        ? [{ ...verification, latest: verification.latest }]
        : [],
    );
    for (const { id, latest } of fresh) this.#mirrored.set(id, latest.key);
    return fresh;
  }

  #isNews(id: string, key: string): boolean {
    return this.#mirrored.get(id) !== key;
  }
}
