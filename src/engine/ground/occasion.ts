/** Why the person is told outside of the window. */
export interface Occasion {
  event: 'needs-you' | 'ended';
  /** Name of the sprint or the pipeline's session. */
  name: string;
  folder: string;
  /** How it ended: delivered, waiting, failed …; empty for `needs-you`. */
  outcome: string;
  /** One line for the person. */
  words: string;
}
