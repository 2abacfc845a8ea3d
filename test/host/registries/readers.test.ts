/** Each package manager's configuration: which registries it names, and what commands get to see of it. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, beforeEach, describe, it } from 'mocha';
import { rulesOf, wordsOf } from '../../../src/host/egress/allow-list.ts';
import { machineRegistries, type MachineRegistries } from '../../../src/host/registries/machine-registries.ts';

const secret = 'hunter22';

interface Case {
  programs: string[];
  /** By place below the home. */
  files?: Record<string, string>;
  env?: Record<string, string>;
  /** Hosts that may be reached, with a port where it is not one of the web's. */
  hosts: string[];
  /** Parts of what commands see. */
  shown?: Record<string, RegExp>;
  /** The `Authorization` by address. */
  logins?: Record<string, string>;
  proxy?: string;
}

const basic = (login: string): string => `Basic ${Buffer.from(login).toString('base64')}`;

const cases: Record<string, Case> = {
  'npm without configuration': { programs: ['npm'], hosts: ['registry.npmjs.org', 'registry.yarnpkg.com'] },
  'npm with a mirror, a scope and credentials': {
    programs: ['npm'],
    files: {
      '.npmrc': [
        '; a comment',
        'registry = https://npm.house.example/api/npm/',
        '@house:registry=http://127.0.0.1:4873',
        '//npm.house.example/api/npm/:_authToken=${NPM_TOKEN}',
        `//127.0.0.1:4873/:username=me`,
        `//127.0.0.1:4873/:_password=${Buffer.from(secret).toString('base64')}`,
        'https-proxy=http://proxy.house.example:3128/',
      ].join('\n'),
    },
    env: { NPM_TOKEN: secret },
    hosts: ['npm.house.example', '127.0.0.1:4873'],
    shown: { '.npmrc': /^registry=https:\/\/npm\.house\.example\/api\/npm\/\n@house:registry=http:\/\/127\.0\.0\.1:4873\/\n/ },
    logins: { 'https://npm.house.example/api/npm/': `Bearer ${secret}`, 'http://127.0.0.1:4873/': basic(`me:${secret}`) },
    proxy: 'http://proxy.house.example:3128/',
  },
  "npm's variable": {
    programs: ['npm'],
    env: { NPM_CONFIG_REGISTRY: `https://me:${secret}@npm.house.example/` },
    hosts: ['npm.house.example'],
    shown: { '.npmrc': /^registry=https:\/\/npm\.house\.example\/\n/ },
    logins: { 'https://npm.house.example/': basic(`me:${secret}`) },
  },
  'yarn with a server, a scope and a token': {
    programs: ['yarn'],
    files: {
      '.npmrc': 'registry=https://npm.house.example/',
      '.yarnrc.yml': `npmRegistryServer: "https://yarn.house.example"\nnpmAuthToken: ${secret}\nnpmScopes:\n  house:\n    npmRegistryServer: https://scope.house.example\n    npmAuthToken: ${secret}2\nnodeLinker: node-modules\n`,
    },
    hosts: ['npm.house.example', 'yarn.house.example', 'scope.house.example'],
    shown: {
      '.yarnrc.yml':
        /^npmRegistryServer: "https:\/\/yarn\.house\.example\/"\nnpmScopes:\n {2}house:\n {4}npmRegistryServer: "https:\/\/scope\.house\.example\/"\n$/,
    },
    logins: { 'https://yarn.house.example/': `Bearer ${secret}`, 'https://scope.house.example/': `Bearer ${secret}2` },
  },
  'bun with a table that holds a token': {
    programs: ['bun'],
    files: {
      '.bunfig.toml': `[install]\nregistry = { url = "https://bun.house.example", token = "${secret}" }\n[install.scopes]\n"@house" = "https://scope.house.example"\n`,
      '.npmrc': 'registry=https://npm.house.example/',
    },
    hosts: ['npm.house.example', 'bun.house.example', 'scope.house.example'],
    shown: { '.bunfig.toml': /registry = "https:\/\/bun\.house\.example\/"/ },
  },
  'pip without configuration': { programs: ['pip3'], hosts: ['pypi.org', 'files.pythonhosted.org'] },
  'pip with an index, two more and a proxy': {
    programs: ['pip'],
    files: {
      '.config/pip/pip.conf': `[global]\nindex-url = https://me:${secret}@pypi.house.example/simple\nextra-index-url =\n    http://10.1.2.3:3141/root\n    https://extra.example/simple\ntrusted-host = 10.1.2.3\nproxy = proxy.house.example:3128\n[list]\nformat = columns\n`,
    },
    hosts: ['pypi.house.example', '10.1.2.3:3141', 'extra.example'],
    shown: {
      '.config/pip/pip.conf':
        /^\[global\]\nindex-url = https:\/\/pypi\.house\.example\/simple\nextra-index-url = http:\/\/10\.1\.2\.3:3141\/root\n {4}https:\/\/extra\.example\/simple\ntrusted-host = 10\.1\.2\.3\n$/,
    },
    logins: { 'https://pypi.house.example/simple': basic(`me:${secret}`) },
    proxy: 'proxy.house.example:3128',
  },
  "pip's variables win over its file": {
    programs: ['pip'],
    files: { '.pip/pip.conf': '[global]\nindex-url = https://file.example/simple\n' },
    env: { PIP_INDEX_URL: 'https://variable.example/simple', PIP_EXTRA_INDEX_URL: 'https://a.example/ https://b.example/' },
    hosts: ['variable.example', 'a.example', 'b.example'],
  },
  'uv with a default index and another': {
    programs: ['uv'],
    files: {
      '.config/uv/uv.toml': `extra-index-url = [\n  "https://old.example/simple", # why\n]\n[[index]]\nname = "one"\nurl = "https://one.example/simple"\n[[index]]\nurl = "https://me:${secret}@main.example/simple"\ndefault = true\n`,
    },
    hosts: ['main.example', 'one.example', 'old.example'],
    shown: { '.config/uv/uv.toml': /index-url = "https:\/\/main\.example\/simple"/ },
  },
  "uv's variables": {
    programs: ['uv'],
    env: { UV_DEFAULT_INDEX: 'https://main.example/simple', UV_INDEX: 'two=https://two.example/simple' },
    hosts: ['main.example', 'two.example'],
  },
  'poetry has its registries in projects, which open nothing': { programs: ['poetry'], hosts: ['pypi.org', 'files.pythonhosted.org'] },
  'cargo without configuration': { programs: ['cargo'], hosts: ['index.crates.io', 'static.crates.io'] },
  'cargo with a mirror and a registry with a token': {
    programs: ['cargo'],
    files: {
      '.cargo/config.toml': `[source.crates-io]\nreplace-with = "mirror"\n[source.mirror]\nregistry = "sparse+https://crates.house.example/index/"\n[registries.own]\nindex = "sparse+https://own.example/index/"\n[http]\nproxy = "proxy.house.example:3128"\n`,
      '.cargo/credentials.toml': `[registries.own]\ntoken = "${secret}"\n`,
    },
    hosts: ['crates.house.example', 'own.example'],
    shown: {
      '.cargo/config.toml': /replace-with = "mirror"\n\[source\.mirror\]\nregistry = "sparse\+https:\/\/crates\.house\.example\/index\/"/,
    },
    logins: { 'https://own.example/index/': secret },
    proxy: 'proxy.house.example:3128',
  },
  'go without configuration': { programs: ['go'], hosts: ['proxy.golang.org', 'sum.golang.org'] },
  'go with a proxy in its own file': {
    programs: ['go'],
    files: {
      '.config/go/env': `GOPROXY=https://me:${secret}@go.house.example,https://proxy.golang.org,direct\nGOSUMDB=off\nGOPRIVATE=house.example/*\n`,
    },
    hosts: ['go.house.example', 'proxy.golang.org'],
    shown: { '.config/go/env': /^GOPROXY=https:\/\/go\.house\.example\/,https:\/\/proxy\.golang\.org\/,direct\n/ },
  },
  "go's variables": {
    programs: ['go'],
    env: { GOPROXY: 'https://goproxy.example', GOSUMDB: 'sum.example' },
    hosts: ['goproxy.example', 'sum.example'],
  },
  'bundler without configuration': { programs: ['bundle'], hosts: ['rubygems.org', 'index.rubygems.org'] },
  'bundler with a mirror and credentials': {
    programs: ['bundle'],
    files: {
      '.bundle/config': `---\nBUNDLE_MIRROR__HTTPS://RUBYGEMS__ORG/: "https://gems.house.example/"\nBUNDLE_GEMS__HOUSE__EXAMPLE: "me:${secret}"\nBUNDLE_JOBS: "4"\n`,
    },
    hosts: ['gems.house.example'],
    shown: { '.bundle/config': /^---\nBUNDLE_MIRROR__HTTPS:\/\/RUBYGEMS__ORG\/: "https:\/\/gems\.house\.example\/"\n$/ },
    logins: { 'https://gems.house.example/': basic(`me:${secret}`) },
  },
  'gem with a source': {
    programs: ['gem'],
    files: { '.gemrc': '---\n:backtrace: true\n:sources:\n- https://gems.example/\n:verbose: true\n' },
    hosts: ['gems.example', 'rubygems.org', 'index.rubygems.org'],
  },
  'composer without configuration': {
    programs: ['composer'],
    hosts: ['repo.packagist.org', 'packagist.org', 'api.github.com', 'codeload.github.com'],
  },
  'composer with its own repository instead of Packagist': {
    programs: ['composer'],
    files: {
      '.config/composer/config.json':
        '{"repositories": {"house": {"type": "composer", "url": "https://php.house.example"}, "packagist.org": false}}',
      '.config/composer/auth.json': `{"http-basic": {"php.house.example": {"username": "me", "password": "${secret}"}}}`,
    },
    hosts: ['php.house.example'],
    shown: { '.config/composer/config.json': /"url":"https:\/\/php\.house\.example\/"/ },
    logins: { 'https://php.house.example/': basic(`me:${secret}`) },
  },
  'maven without configuration': {
    programs: ['mvn'],
    hosts: ['repo.maven.apache.org', 'repo1.maven.org'],
    shown: { '.m2/settings.xml': /<protocol>https<\/protocol><host>127\.0\.0\.1<\/host>/ },
  },
  'maven with a mirror and its login': {
    programs: ['mvn'],
    files: {
      '.m2/settings.xml': `<settings><!-- <mirror><url>https://old.example</url></mirror> --><servers><server><id>house</id><username>me</username><password>${secret}</password></server></servers><mirrors><mirror><id>house</id><mirrorOf>*</mirrorOf><url>https://maven.house.example/all?a=1&amp;b=2</url></mirror></mirrors></settings>`,
    },
    hosts: ['maven.house.example'],
    shown: { '.m2/settings.xml': /<mirrorOf>\*<\/mirrorOf><url>https:\/\/maven\.house\.example\/all\?a=1&amp;b=2<\/url>/ },
    logins: { 'https://maven.house.example/all?a=1&b=2': basic(`me:${secret}`) },
  },
  'gradle with an init script and a proxy': {
    programs: ['gradle'],
    files: {
      '.gradle/gradle.properties': `systemProp.https.proxyHost=proxy.house.example\nsystemProp.https.proxyPort=3128\nhousePassword=${secret}\n`,
      '.gradle/init.gradle': "allprojects { repositories { maven { url 'https://gradle.house.example/all' } } }\n",
      '.gradle/init.gradle.kts': `repositories { maven { url = uri("https://kts.house.example/"); credentials { password = "${secret}" } } }\n`,
    },
    hosts: [
      'gradle.house.example',
      'kts.house.example',
      'repo.maven.apache.org',
      'plugins.gradle.org',
      'plugins-artifacts.gradle.org',
      'services.gradle.org',
    ],
    shown: { '.gradle/init.gradle': /gradle\.house\.example/ },
    proxy: 'http://proxy.house.example:3128',
  },
  'dotnet without configuration': { programs: ['dotnet'], hosts: ['api.nuget.org'] },
  'dotnet with its own source and its login': {
    programs: ['dotnet'],
    files: {
      '.nuget/NuGet/NuGet.Config': `<?xml version="1.0"?><configuration><packageSources><clear /><add key="house" value="https://nuget.house.example/v3/index.json" protocolVersion="3" /></packageSources><packageSourceCredentials><house><add key="Username" value="me" /><add key="ClearTextPassword" value="${secret}" /></house></packageSourceCredentials></configuration>`,
    },
    hosts: ['nuget.house.example'],
    shown: { '.nuget/NuGet/NuGet.Config': /<add key="house" value="https:\/\/nuget\.house\.example\/v3\/index\.json" \/>/ },
    logins: { 'https://nuget.house.example/v3/index.json': basic(`me:${secret}`) },
  },
  'a manager that is not installed opens nothing': { programs: [], files: { '.npmrc': 'registry=https://npm.house.example/' }, hosts: [] },
};

describe('registries of this machine', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loop-registries-')));
  const [home, path] = [join(folder, 'home'), join(folder, 'bin')];
  after(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(() => {
    for (const one of [home, path]) {
      rmSync(one, { recursive: true, force: true });
      mkdirSync(one);
    }
  });

  const write = (place: string, text: string): void => {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
    chmodSync(place, 0o755);
  };
  const read = ({ programs, files = {}, env = {} }: Pick<Case, 'programs' | 'files' | 'env'>): MachineRegistries => {
    for (const name of programs) write(join(path, name), '');
    for (const [place, text] of Object.entries(files)) write(join(home, place), text);
    return machineRegistries({ home, env, path });
  };

  for (const [name, one] of Object.entries(cases))
    it(name, () => {
      const machine = read(one);
      assert.deepEqual([...new Set(rulesOf(machine, []).map(wordsOf))].sort(), [...one.hosts].sort());
      for (const [place, shown] of Object.entries(one.shown ?? {})) assert.match(machine.files[place] ?? '', shown);
      for (const text of Object.values(machine.files)) {
        assert.ok(!text.includes(secret), text);
        assert.ok(!text.includes(Buffer.from(secret).toString('base64').slice(0, 8)), text);
      }
      const logins = machine.registries.flatMap(({ url, authorization }) => (authorization === undefined ? [] : [[url, authorization]]));
      if (one.logins) assert.deepEqual(Object.fromEntries(logins), one.logins);
      assert.equal(machine.proxy, one.proxy);
    });

  it('broken configuration is read as far as it goes', () => {
    const broken = [
      '\0\0',
      '[[[',
      '{"repositories": 7',
      '<mirror><url>',
      '[index\nurl = "',
      'a'.repeat(100_000),
      'registry=',
      '//:_authToken=x',
      '= = =\n[]\n"',
    ];
    for (const text of broken) {
      const places = [
        '.npmrc',
        '.yarnrc.yml',
        '.bunfig.toml',
        '.config/pip/pip.conf',
        '.config/uv/uv.toml',
        '.cargo/config.toml',
        '.config/go/env',
        '.bundle/config',
        '.gemrc',
        '.config/composer/config.json',
        '.m2/settings.xml',
        '.gradle/gradle.properties',
        '.nuget/NuGet/NuGet.Config',
      ];
      const programs = ['npm', 'yarn', 'bun', 'pip', 'uv', 'cargo', 'go', 'bundle', 'composer', 'mvn', 'gradle', 'dotnet'];
      assert.doesNotThrow(() => read({ programs, files: Object.fromEntries(places.map((place) => [place, text])) }));
    }
  });
});
