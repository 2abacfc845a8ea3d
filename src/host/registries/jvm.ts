/** maven and gradle. Both are told of the sandbox's proxy by files or options, because no JVM reads the usual variables. */
import { elements, fromXml, readIni, valuesIn, xmlText } from './lines.ts';
import { proxyMark } from './proxy-mark.ts';
import { basic, registriesOf, withoutCredentials, type Manager, type Settings } from './registry.ts';

export const maven: Manager = {
  programs: ['mvn', 'java'],
  hosts: ['repo.maven.apache.org', 'repo1.maven.org'],
  places: () => ['.m2/settings.xml'],
  read: ([text = '']) => readMaven(text),
};

function readMaven(text: string): Settings {
  const servers = elements(text, 'server');
  const mirrors = elements(text, 'mirror').map((one) => ({ id: first(one, 'id'), of: first(one, 'mirrorOf'), url: first(one, 'url') }));
  const repositories = [...elements(text, 'repository'), ...elements(text, 'pluginRepository')];
  const others = repositories.map((one) => ({ id: first(one, 'id'), url: first(one, 'url') }));
  const all = [...mirrors, ...others];
  const authorizationFor = (url: string): string | undefined => {
    const id = all.find((one) => registriesOf([one.url])[0]?.url === url)?.id;
    const server = servers.find((one) => first(one, 'id') === id);
    return server === undefined || id === '' ? undefined : basic(first(server, 'username'), first(server, 'password'));
  };
  return {
    registries: registriesOf(
      all.map(({ url }) => url),
      authorizationFor,
    ),
    replacesDefaults: mirrors.some(({ of }) => /(^|,)\s*(\*|central|external:\*)/.test(of)),
    files: { '.m2/settings.xml': settingsXml(mirrors) },
  };
}

function first(xml: string, name: string): string {
  return fromXml(elements(xml, name)[0] ?? '');
}

function settingsXml(mirrors: readonly { id: string; of: string; url: string }[]): string {
  const proxies = ['http', 'https'].map(
    (kind) =>
      `<proxy><id>loop-${kind}</id><active>true</active><protocol>${kind}</protocol><host>${proxyMark.host}</host>` +
      `<port>${proxyMark.port}</port><nonProxyHosts>localhost|127.0.0.1</nonProxyHosts></proxy>`,
  );
  const shown = mirrors.map(
    ({ id, of, url }) =>
      `<mirror><id>${xmlText(id)}</id><mirrorOf>${xmlText(of)}</mirrorOf><url>${xmlText(withoutCredentials(url))}</url></mirror>`,
  );
  return `<settings><proxies>${proxies.join('')}</proxies><mirrors>${shown.join('')}</mirrors></settings>\n`;
}

export const gradle: Manager = {
  programs: ['gradle', 'java'],
  hosts: ['repo.maven.apache.org', 'plugins.gradle.org', 'plugins-artifacts.gradle.org', 'services.gradle.org'],
  places: (env) => {
    const folder = env['GRADLE_USER_HOME'] ?? '.gradle';
    return ['gradle.properties', 'init.gradle', 'init.gradle.kts'].map((name) => `${folder}/${name}`);
  },
  read: ([properties = '', ...scripts]) => readGradle(properties, scripts),
};

/** An init script is a program: its addresses are read, and it is shown where it cannot hold credentials. */
function readGradle(properties: string, scripts: readonly string[]): Settings {
  const entries = readIni(properties);
  const value = (key: string): string | undefined => valuesIn(entries, key)[0];
  const host = value('systemProp.https.proxyHost') ?? value('systemProp.http.proxyHost');
  const port = value('systemProp.https.proxyPort') ?? value('systemProp.http.proxyPort') ?? '80';
  const addresses = [properties, ...scripts].flatMap((text) => [...text.matchAll(/https?:\/\/[^\s'"<>)]+/g)].map(([url]) => url));
  const places = ['.gradle/init.gradle', '.gradle/init.gradle.kts'];
  return {
    registries: registriesOf(addresses),
    replacesDefaults: false,
    files: Object.fromEntries(places.flatMap((place, n) => (isShown(scripts[n] ?? '') ? [[place, scripts[n] ?? '']] : []))),
    ...(host === undefined ? {} : { proxy: `http://${host}:${port}` }),
  };
}

function isShown(script: string): boolean {
  return script.trim() !== '' && !/credential|password|token|secret|:\/\/[^/\s'"]*@/i.test(script);
}
