/** composer: `config.json` and `auth.json` of its folder. */
import { basic, registriesOf, withoutCredentials, type Manager, type Settings } from './registry.ts';

export const composer: Manager = {
  programs: ['composer'],
  // Most packages are fetched from GitHub as archives.
  hosts: ['repo.packagist.org', 'packagist.org', 'api.github.com', 'codeload.github.com'],
  places: (env) => {
    const folders = env['COMPOSER_HOME'] === undefined ? ['.composer', '.config/composer'] : [env['COMPOSER_HOME']];
    return folders.flatMap((folder) => [`${folder}/config.json`, `${folder}/auth.json`]);
  },
  read: (texts) => readComposer(texts.map(parsed)),
};

type Json = Record<string, unknown>;

function readComposer(files: readonly Json[]): Settings {
  const repositories = files.flatMap((file) => Object.entries(json(file['repositories'])));
  const named = repositories.filter(([, one]) => typeof json(one)['url'] === 'string');
  const isOff = repositories.some(([name, one]) => (/packagist/.test(name) && one === false) || json(one)['packagist.org'] === false);
  const isReplaced = isOff || named.some(([name]) => /^packagist(\.org)?$/.test(name));
  const logins = files.map((file) => json(file['http-basic']));
  const shown = Object.fromEntries([
    ...named.map(([name, one]) => [name, { type: text(json(one)['type']), url: withoutCredentials(text(json(one)['url'])) }]),
    ...(isOff ? [['packagist.org', false]] : []),
  ]) as Json;
  return {
    registries: registriesOf(
      named.map(([, one]) => text(json(one)['url'])),
      (url) => authorizationFor(new URL(url).host, logins),
    ),
    replacesDefaults: isReplaced,
    files: Object.keys(shown).length === 0 ? {} : { '.config/composer/config.json': `${JSON.stringify({ repositories: shown })}\n` },
  };
}

function authorizationFor(host: string, logins: readonly Json[]): string | undefined {
  const login = json(logins.map((one) => one[host]).find((one) => one !== undefined));
  return login['username'] === undefined ? undefined : basic(text(login['username']), text(login['password']));
}

function parsed(source: string): Json {
  try {
    return json(JSON.parse(source));
  } catch {
    return {};
  }
}

function json(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
