/** npm, pnpm, yarn and bun: `.npmrc`, `.yarnrc.yml` and `bunfig.toml`. */
import { lastIn, readToml, type Entry } from './lines.ts';
import { basic, expanded, registriesOf, withoutCredentials, type Env, type Manager, type Settings } from './registry.ts';

export const npm: Manager = {
  programs: ['npm', 'pnpm', 'yarn', 'bun', 'node'],
  hosts: ['registry.npmjs.org', 'registry.yarnpkg.com'],
  places: (env) => [
    '/etc/npmrc',
    '/usr/etc/npmrc',
    '/usr/local/etc/npmrc',
    variable(env, 'globalconfig') ?? '',
    '.npmrc',
    variable(env, 'userconfig') ?? '',
  ],
  read: (texts, env, fileAt) => readNpm(texts.join('\n'), env, fileAt),
};

/** `.npmrc` lets yarn 1, pnpm and bun know a registry, too. */
function readNpm(text: string, env: Env, fileAt: (place: string) => string | undefined): Settings {
  const entries = new Map(text.split(/\r?\n/).flatMap((line) => entryOf(line, env)));
  const fromEnv = variable(env, 'registry');
  if (fromEnv !== undefined) entries.set('registry', fromEnv);
  const addresses = [...entries].filter(([key]) => key === 'registry' || /^@[^:]+:registry$/.test(key));
  const certificates = fileAt(variable(env, 'cafile') ?? entries.get('cafile') ?? '');
  if (certificates === undefined) entries.delete('cafile');
  else entries.set('cafile', certificates);
  const kept = [...addresses.map(([key, value]) => [key, withoutCredentials(value)] as const), ...harmless(entries)];
  return {
    registries: registriesOf(
      addresses.map(([, value]) => value),
      (url) => authorizationFor(url, entries),
    ),
    replacesDefaults: addresses.some(([key]) => key === 'registry'),
    files: kept.length === 0 ? {} : { '.npmrc': kept.map(([key, value]) => `${key}=${value}\n`).join('') },
    certificates,
    proxy: variable(env, 'https_proxy') ?? variable(env, 'proxy') ?? usable(entries.get('https-proxy')) ?? usable(entries.get('proxy')),
  };
}

function entryOf(line: string, env: Env): [string, string][] {
  const [, key, value] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
  return key === undefined ? [] : [[key, expanded((value ?? '').replace(/^"(.*)"$/, '$1'), env)]];
}

function harmless(entries: ReadonlyMap<string, string>): [string, string][] {
  return ['strict-ssl', 'cafile'].flatMap((key) => {
    const value = entries.get(key);
    return value === undefined ? [] : [[key, value]];
  });
}

/** npm keeps credentials below `//host/path/`, for this path and all below it. */
function authorizationFor(url: string, entries: ReadonlyMap<string, string>): string | undefined {
  const address = url.replace(/^https?:/, '').replace(/\/?$/, '/');
  for (let path = address; path.length > 2; path = path.replace(/[^/]*\/$/, '')) {
    const of = (name: string): string | undefined =>
      usable(entries.get(`${path}:${name}`) ?? entries.get(`${path.replace(/\/$/, '')}:${name}`));
    const [token, both, user, password] = [of('_authToken'), of('_auth'), of('username'), of('_password')];
    if (token !== undefined) return `Bearer ${token}`;
    if (both !== undefined) return `Basic ${both}`;
    if (user !== undefined && password !== undefined) return basic(user, Buffer.from(password, 'base64').toString());
  }
  return undefined;
}

/** npm takes a variable's name in capitals, too. */
function variable(env: Env, name: string): string | undefined {
  const key = Object.keys(env).find((one) => one.toLowerCase() === `npm_config_${name}`);
  return key === undefined ? undefined : usable(env[key]);
}

function usable(value: string | undefined): string | undefined {
  return value === undefined || value === '' || value === 'null' || value === 'false' ? undefined : value;
}

export const yarn: Manager = {
  programs: ['yarn'],
  hosts: ['registry.yarnpkg.com', 'repo.yarnpkg.com'],
  places: () => ['.yarnrc.yml'],
  read: ([text = ''], env) => readYarn(expanded(text, env), env),
};

/** The servers of the file's top level and of its scopes. Other lines are left out, so no credentials are kept. */
function readYarn(text: string, env: Env): Settings {
  const own = env['YARN_NPM_REGISTRY_SERVER'];
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(#|$)/.test(line));
  const kept: string[] = own === undefined ? [] : [`npmRegistryServer: "${withoutCredentials(own)}"`];
  const found: { address: string; authorization: string | undefined }[] =
    own === undefined ? [] : [{ address: own, authorization: undefined }];
  let top = '';
  for (const [index, line] of lines.entries()) {
    const [, indent = '', key = '', value = ''] = /^(\s*)["']?([^"':]+)["']?:\s*["']?([^"']*?)["']?\s*$/.exec(line) ?? [];
    if (indent === '') top = key;
    const isServer = key === 'npmRegistryServer' && (indent === '' ? own === undefined : top === 'npmScopes');
    if (isServer) {
      found.push({ address: value, authorization: siblingToken(lines, index, indent) });
      kept.push(`${indent}npmRegistryServer: "${withoutCredentials(value)}"`);
    } else if (top === 'npmScopes' && value === '' && key !== '' && !key.startsWith('npm')) kept.push(line);
    else if (key === 'npmScopes') kept.push(line);
  }
  return {
    registries: registriesOf(
      found.map((f) => f.address),
      (url) => found.find((f) => registriesOf([f.address])[0]?.url === url)?.authorization,
    ),
    replacesDefaults: own !== undefined || lines.some((line) => line.startsWith('npmRegistryServer:')),
    files: found.length === 0 ? {} : { '.yarnrc.yml': `${kept.join('\n')}\n` },
  };
}

/** The token beside a server: among the lines around it with the same indent. */
function siblingToken(lines: readonly string[], at: number, indent: string): string | undefined {
  const isSame = (line: string | undefined): boolean => line !== undefined && (/^\s*/.exec(line)?.[0].length ?? 0) >= indent.length;
  let [from, to] = [at, at];
  while (isSame(lines[from - 1])) from -= 1;
  while (isSame(lines[to + 1])) to += 1;
  const block = lines.slice(from, to + 1).filter((line) => /^\s*/.exec(line)?.[0] === indent);
  const token = block.flatMap((line) => /^\s*npmAuthToken:\s*["']?([^"']+?)["']?\s*$/.exec(line)?.[1] ?? [])[0];
  return token === undefined ? undefined : `Bearer ${token}`;
}

export const bun: Manager = {
  programs: ['bun'],
  // It reads `.npmrc` as well, so its usual host is npm's.
  hosts: [],
  places: () => ['.bunfig.toml', '.config/.bunfig.toml'],
  read: (texts, env) => readBun(readToml(expanded(texts.join('\n'), env)), env),
};

function readBun(entries: readonly Entry[], env: Env): Settings {
  const main = env['BUN_CONFIG_REGISTRY'] ?? lastIn(entries, 'registry', 'install');
  const scopes = entries.filter((e) => e.section === 'install.scopes' && /^https?:/.test(e.values[0] ?? ''));
  const lines = [
    ...(main === undefined ? [] : ['[install]', `registry = "${withoutCredentials(main)}"`]),
    ...(scopes.length === 0 ? [] : ['[install.scopes]', ...scopes.map((e) => `"${e.key}" = "${withoutCredentials(e.values[0] ?? '')}"`)]),
  ];
  return {
    registries: registriesOf([main, ...scopes.map((e) => e.values[0])]),
    replacesDefaults: main !== undefined,
    files: lines.length === 0 ? {} : { '.bunfig.toml': `${lines.join('\n')}\n` },
  };
}
