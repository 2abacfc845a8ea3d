/**
 * The password file of a sandbox. A JVM, and so Maven, Gradle and sbt, takes the home from there and not from `HOME`; the person's own
 * is hidden, and nothing can be written there.
 */

export interface User {
  uid: number;
  gid: number;
}

/**
 * Who commands run as, by what they see: this process's own user, or in the place of root an ordinary one. Servers of databases refuse to
 * run as root, and `tar` gives what root unpacks to other users. Outside of the sandbox all of it is this process's own user.
 */
export function insideUser({ uid, gid }: User = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }): User {
  return uid === 0 ? { uid: ordinary, gid: ordinary } : { uid, gid };
}

/** The first user of a Debian machine. */
const ordinary = 1000;

/** @param text the machine's own password file. A user may have no account in it: in a container, or in a company with a directory. */
export function accountsOf(text: string, { uid, gid, home }: User & { home: string }): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const own = (line: string) => line.split(':')[2] === String(uid);
  const shown = lines.map((line) => (own(line) ? line.replace(/^((?:[^:]*:){5})[^:]*/, `$1${home}`) : line));
  const all = lines.some(own) ? shown : [...shown, `loop:x:${uid}:${gid}::${home}:/bin/sh`];
  return all.map((line) => `${line}\n`).join('');
}
