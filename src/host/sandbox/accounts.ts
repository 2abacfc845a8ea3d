/**
 * The password file of a sandbox. A JVM, and so Maven, Gradle and sbt, takes the home from there and not from `HOME`; the person's own
 * is hidden, and nothing can be written there.
 */

/** @param text the machine's own password file. A user may have no account in it: in a container, or in a company with a directory. */
export function accountsOf(text: string, { uid, gid, home }: { uid: number; gid: number; home: string }): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const own = (line: string) => line.split(':')[2] === String(uid);
  const shown = lines.map((line) => (own(line) ? line.replace(/^((?:[^:]*:){5})[^:]*/, `$1${home}`) : line));
  const all = lines.some(own) ? shown : [...shown, `loop:x:${uid}:${gid}::${home}:/bin/sh`];
  return all.map((line) => `${line}\n`).join('');
}
