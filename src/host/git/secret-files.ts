/** Finds keys that must not get into a commit: files whose name means a key, and lines of a patch with a key. */
import { keysIn } from '../../engine/ground/keys.ts';

const secretNames = [
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /\.(pem|p12|pfx|jks|keystore|ppk|kdbx|asc)$/,
  /\.key$/,
  /^\.env(\..+)?$/,
  /^\.(npmrc|netrc|pypirc|pgpass|htpasswd|git-credentials|dockercfg)$/,
  /^_netrc$/,
  /^credentials(\.(json|ya?ml|toml|ini|env|txt|csv|xml|properties|db))?$/,
  /^service-?account.*\.json$/,
  /^secrets?\.(json|ya?ml|toml|env|txt)$/,
];
const templates = /\.(example|sample|template|dist|defaults?)$/;

/** Whether a file's name means that it contains a key. */
export function looksSecret(path: string): boolean {
  const name = (path.split('/').at(-1) ?? '').toLowerCase();
  return !templates.test(name) && secretNames.some((pattern) => pattern.test(name));
}

/** Keys in the lines that a patch adds, as `file:line holds …`. The patch must have no context lines and no colour. */
export function secretsInPatch(patch: string): string[] {
  const found: string[] = [];
  let file = '';
  for (const part of patch.split(/^(?=diff --git |@@ )/m)) {
    const name = /^\+\+\+ (?:"?b\/(.*?)"?\t?)$/m.exec(part)?.[1];
    if (part.startsWith('diff --git ')) file = name ?? '';
    const start = /^@@ -\S+ \+(\d+)/.exec(part)?.[1];
    if (start === undefined) continue;
    const added = part
      .split('\n')
      .filter((line) => line.startsWith('+'))
      .map((line) => line.slice(1));
    found.push(...keysIn(added).map(({ line, what }) => `${file}:${Number(start) + line - 1} holds ${what}`));
  }
  return found;
}
