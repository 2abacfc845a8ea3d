/** pip, uv and poetry: `pip.conf`, `uv.toml` and their variables. Poetry has registries only in a project. */
import { lastIn, readIni, readToml, valuesIn } from './lines.ts';
import { expanded, registriesOf, withoutCredentials, type Env, type Manager, type Settings } from './registry.ts';

const pypi = ['pypi.org', 'files.pythonhosted.org'];

export const pip: Manager = {
  programs: ['pip', 'pip3', 'python3'],
  hosts: pypi,
  places: (env) => ['/etc/pip.conf', '/etc/xdg/pip/pip.conf', '.pip/pip.conf', '.config/pip/pip.conf', env['PIP_CONFIG_FILE'] ?? ''],
  read: (texts, env) => readPip(texts, env),
};

function readPip(texts: readonly string[], env: Env): Settings {
  const entries = texts.flatMap(readIni).filter((e) => e.section === 'global' || e.section === 'install');
  const index = env['PIP_INDEX_URL'] ?? lastIn(entries, 'index-url');
  const extra = listed(env['PIP_EXTRA_INDEX_URL']) ?? valuesIn(entries, 'extra-index-url');
  const trusted = listed(env['PIP_TRUSTED_HOST']) ?? valuesIn(entries, 'trusted-host');
  const lines = [
    ...(index === undefined ? [] : [`index-url = ${withoutCredentials(index)}`]),
    ...(extra.length === 0 ? [] : [`extra-index-url = ${extra.map(withoutCredentials).join('\n    ')}`]),
    ...(trusted.length === 0 ? [] : [`trusted-host = ${trusted.join('\n    ')}`]),
  ];
  return {
    registries: registriesOf([index, ...extra]),
    replacesDefaults: index !== undefined,
    files: lines.length === 0 ? {} : { '.config/pip/pip.conf': `[global]\n${lines.join('\n')}\n` },
    proxy: env['PIP_PROXY'] ?? lastIn(entries, 'proxy'),
  };
}

export const uv: Manager = {
  programs: ['uv'],
  hosts: pypi,
  places: (env) => ['/etc/uv/uv.toml', '.config/uv/uv.toml', env['UV_CONFIG_FILE'] ?? ''],
  read: (texts, env) =>
    readUv(
      texts.map((text) => expanded(text, env)),
      env,
    ),
};

/** `[[index]]` tables, and the older `index-url` and `extra-index-url`. */
function readUv(texts: readonly string[], env: Env): Settings {
  const entries = texts.flatMap(readToml);
  const tables = [...new Set(entries.map((e) => e.section))].filter((name) => name.startsWith('index#'));
  const isDefault = (table: string): boolean => lastIn(entries, 'default', table) === 'true';
  const fromTable = tables.filter(isDefault).map((table) => lastIn(entries, 'url', table));
  const main = env['UV_DEFAULT_INDEX'] ?? env['UV_INDEX_URL'] ?? fromTable[0] ?? lastIn(entries, 'index-url');
  const extra = [
    ...(listed(env['UV_INDEX']) ?? listed(env['UV_EXTRA_INDEX_URL']) ?? []).map((one) => one.replace(/^[\w.-]+=/, '')),
    ...tables.filter((table) => !isDefault(table)).flatMap((table) => lastIn(entries, 'url', table) ?? []),
    ...valuesIn(entries, 'extra-index-url'),
  ];
  const lines = [
    ...(main === undefined ? [] : [`index-url = "${withoutCredentials(main)}"`]),
    ...(extra.length === 0 ? [] : [`extra-index-url = [${extra.map((one) => `"${withoutCredentials(one)}"`).join(', ')}]`]),
  ];
  return {
    registries: registriesOf([main, ...extra]),
    replacesDefaults: main !== undefined,
    files: lines.length === 0 ? {} : { '.config/uv/uv.toml': `${lines.join('\n')}\n` },
  };
}

export const poetry: Manager = {
  programs: ['poetry'],
  hosts: pypi,
  places: () => [],
  read: () => ({ registries: [], replacesDefaults: false, files: {} }),
};

function listed(value: string | undefined): string[] | undefined {
  return value === undefined ? undefined : value.split(/\s+/).filter(Boolean);
}
