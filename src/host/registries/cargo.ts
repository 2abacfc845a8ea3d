/** cargo: `config.toml` and `credentials.toml` of its folder. */
import { lastIn, readToml } from './lines.ts';
import { registriesOf, withoutCredentials, type Manager, type Settings } from './registry.ts';

export const cargo: Manager = {
  programs: ['cargo'],
  hosts: ['index.crates.io', 'static.crates.io'],
  places: (env) => ['config', 'config.toml', 'credentials', 'credentials.toml'].map((name) => `${env['CARGO_HOME'] ?? '.cargo'}/${name}`),
  read: (texts) => readCargo(texts),
};

function readCargo(texts: readonly string[]): Settings {
  const entries = texts.flatMap(readToml);
  const sections = [...new Set(entries.map((e) => e.section))].filter((name) => /^(source|registries)\./.test(name));
  const places = sections.map((section) => ({
    section,
    index: lastIn(entries, 'index', section),
    registry: lastIn(entries, 'registry', section),
    'replace-with': lastIn(entries, 'replace-with', section),
    token: lastIn(entries, 'token', section),
  }));
  const addressOf = (place: (typeof places)[number]): string | undefined => place.index ?? place.registry;
  const shown = places.flatMap(({ section, token: _token, ...values }) => {
    const given = Object.entries(values).flatMap(([key, value]) =>
      value === undefined ? [] : [`${key} = "${withoutCredentials(value)}"`],
    );
    return given.length === 0 ? [] : [`[${section}]`, ...given];
  });
  return {
    registries: registriesOf(places.map(addressOf), (url) => places.find((p) => registriesOf([addressOf(p)])[0]?.url === url)?.token),
    replacesDefaults: places.some((p) => p.section === 'source.crates-io' && p['replace-with'] !== undefined),
    files: shown.length === 0 ? {} : { '.cargo/config.toml': `${shown.join('\n')}\n` },
    proxy: lastIn(entries, 'proxy', 'http'),
  };
}
