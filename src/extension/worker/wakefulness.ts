import { canKeepAwake, keepAwake } from '../../host/awake.ts';

/** Keeps the machine awake while something runs, if the person wants that. */
export class Wakefulness {
  private isWanted = false;
  private isBusy = false;
  private letGo: (() => void) | undefined;

  /** @returns whether this machine can be kept awake at all. */
  async want(isWanted: boolean): Promise<boolean> {
    const isPossible = await canKeepAwake();
    this.isWanted = isWanted && isPossible;
    this.follow();
    return isPossible;
  }

  busy(isBusy: boolean): void {
    this.isBusy = isBusy;
    this.follow();
  }

  private follow(): void {
    const isDue = this.isWanted && this.isBusy;
    if (isDue) this.letGo ??= keepAwake();
    if (isDue || !this.letGo) return;
    this.letGo();
    this.letGo = undefined;
  }
}
