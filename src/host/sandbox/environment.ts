/** The environment of a command: fresh for each run, from an allow-list, never inherited. */
import { DATA_DIR, HOME_DIR, type Host } from './layout.ts';

/** Certificates and proxies that a network behind a company's gateway needs; a proxy with a password in it is left out. */
const NETWORK_NAMES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'PIP_CERT'];
const PROXY_NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

export interface RunSettings {
  port: number;
  network: boolean;
  /** What the program itself needs. */
  extra: Record<string, string>;
}

export function environmentOf(host: Host, person: NodeJS.ProcessEnv, run: RunSettings): Record<string, string> {
  return {
    PATH: host.toolchains.path,
    HOME: HOME_DIR,
    TMPDIR: '/tmp',
    USER: 'loop',
    LANG: person['LANG'] ?? 'C.UTF-8',
    TERM: 'dumb',
    CI: '1',
    NO_COLOR: '1',
    GIT_OPTIONAL_LOCKS: '0',
    // Inside, a tree may seem to belong to somebody else; git there can only read.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    PYTHONDONTWRITEBYTECODE: '1',
    npm_config_update_notifier: 'false',
    PORT: String(run.port),
    TEST_DATA_DIR: DATA_DIR,
    ...host.toolchains.env,
    ...(run.network ? networkOf(person) : {}),
    ...run.extra,
  };
}

function networkOf(person: NodeJS.ProcessEnv): Record<string, string> {
  const names = [...NETWORK_NAMES, ...PROXY_NAMES.filter((name) => !person[name]?.includes('@'))];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = person[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
