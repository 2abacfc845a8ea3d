/** bundler and gem: `.bundle/config` and `.gemrc`. */
import { basic, registriesOf, withoutCredentials, type Env, type Manager, type Settings } from './registry.ts';

export const bundler: Manager = {
  programs: ['bundle', 'gem'],
  hosts: ['rubygems.org', 'index.rubygems.org'],
  places: () => ['.gemrc', '.bundle/config'],
  read: ([gemrc = '', config = ''], env) => readBundler(gemrc, config, env),
};

function readBundler(gemrc: string, config: string, env: Env): Settings {
  const own = config.split(/\r?\n/).flatMap((line) => {
    const [, key, value] = /^(BUNDLE_[^\s"]+?):\s+"?([^"]*)"?\s*$/.exec(line) ?? [];
    return key === undefined ? [] : [[key, value ?? ''] as [string, string]];
  });
  const all = [
    ...own,
    ...Object.entries(env).flatMap(([key, value]) => (key.startsWith('BUNDLE_') ? [[key, value ?? ''] as [string, string]] : [])),
  ];
  const mirrors = all.filter(([key, value]) => key.startsWith('BUNDLE_MIRROR__') && /^https?:/.test(value));
  const sources = sourcesOf(gemrc);
  const files = {
    ...(mirrors.length === 0
      ? {}
      : { '.bundle/config': `---\n${mirrors.map(([key, value]) => `${key}: "${withoutCredentials(value)}"\n`).join('')}` }),
    ...(sources.length === 0 ? {} : { '.gemrc': `---\n:sources:\n${sources.map((url) => `- ${withoutCredentials(url)}\n`).join('')}` }),
  };
  return {
    registries: registriesOf([...mirrors.map(([, value]) => value), ...sources], (url) => authorizationFor(url, all)),
    replacesDefaults: mirrors.some(([key]) => /^BUNDLE_MIRROR__(ALL|HTTPS?:\/\/(INDEX__)?RUBYGEMS__ORG)/i.test(key)),
    files,
  };
}

/** bundler keeps `user:password` under the host's name, with `__` for dots. */
function authorizationFor(url: string, entries: readonly [string, string][]): string | undefined {
  const key = `BUNDLE_${new URL(url).hostname.replaceAll('.', '__').replaceAll('-', '___').toUpperCase()}`;
  const [user, ...password] = (entries.find(([name]) => name === key)?.[1] ?? '').split(':');
  return user === undefined || user === '' ? undefined : basic(user, password.join(':'));
}

function sourcesOf(gemrc: string): string[] {
  const [, list = ''] = /^:sources:\s*\n((?:\s*-.*\n?)*)/m.exec(gemrc) ?? [];
  return list.split('\n').flatMap((line) => /^\s*-\s*["']?(https?:[^"'\s]+)/.exec(line)?.[1] ?? []);
}
