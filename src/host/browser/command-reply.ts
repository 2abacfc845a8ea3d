/** What the two processes of the command `browser` share. */

export const commandFolder = '/tmp/.browser';
export const commandSocket = `${commandFolder}/socket`;

export interface Reply {
  /** What the page shows. */
  text: string;
  /** Screenshots, in base64. */
  pictures: { file: string; png: string }[];
  /** Why the call counts as failed. */
  problem?: string;
}
