/** Names of files that must not get into a commit or to a model: each means that the file holds a key or a password. */

/** Whether a file's name means that it contains a key or a password. */
export function looksSecret(path: string): boolean {
  const name = (path.split('/').at(-1) ?? '').toLowerCase();
  return !templates.test(name) && secretNames.some((pattern) => pattern.test(name));
}

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
