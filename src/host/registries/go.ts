/** go: its variables, from the environment or from the file of `go env -w`. */
import { readIni } from './lines.ts';
import { registriesOf, withoutCredentials, type Env, type Manager, type Settings } from './registry.ts';

export const go: Manager = {
  programs: ['go'],
  hosts: ['proxy.golang.org', 'sum.golang.org'],
  places: (env) => [env['GOENV'] === 'off' ? '' : (env['GOENV'] ?? '.config/go/env')],
  read: ([text = ''], env) => readGo(text, env),
};

const names = ['GOPROXY', 'GOSUMDB', 'GOPRIVATE', 'GONOPROXY', 'GONOSUMDB', 'GOINSECURE'];

function readGo(text: string, env: Env): Settings {
  const entries = readIni(text);
  const given = names.flatMap((name) => {
    const value = env[name] ?? entries.findLast((e) => e.key === name)?.values.join(' ');
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  const valueOf = (name: string): string | undefined => given.find(([known]) => known === name)?.[1];
  // `direct` and `off` name no host. A checksum database is a name, or a name with a key and an address.
  const proxies = valueOf('GOPROXY')?.split(/[,|]/);
  const [name = '', address] = valueOf('GOSUMDB')?.split(/\s+/) ?? [];
  const sums = name === '' || name === 'off' ? [] : [address ?? `https://${name.split('+')[0] ?? ''}`];
  const lines = given.map(
    ([key, value]) =>
      `${key}=${value
        .split(/(?<=[,|\s])/)
        .map(cleaned)
        .join('')}\n`,
  );
  return {
    registries: registriesOf([...(proxies ?? []), ...(proxies && name === '' ? ['https://sum.golang.org'] : sums)]),
    replacesDefaults: proxies !== undefined,
    files: lines.length === 0 ? {} : { '.config/go/env': lines.join('') },
  };
}

/** One word of a list, with the separator behind it. */
function cleaned(word: string): string {
  const [, text = '', separator = ''] = /^(.*?)([,|\s]?)$/.exec(word) ?? [];
  return (/:\/\//.test(text) ? withoutCredentials(text) : text) + separator;
}
