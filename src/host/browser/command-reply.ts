/** What the two processes of the command `browser` share. */

export const commandFolder = '/tmp/.browser';
export const commandSocket = `${commandFolder}/socket`;

export interface Reply {
  /** What the page shows. */
  text: string;
  /** Base64, of a screenshot. */
  png?: string;
  /** Why the call counts as failed. */
  problem?: string;
}
