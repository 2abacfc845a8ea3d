/** dotnet: the person's `NuGet.Config`. */
import { elements, fromXml, xmlText } from './lines.ts';
import { basic, registriesOf, withoutCredentials, type Manager, type Settings } from './registry.ts';

export const dotnet: Manager = {
  programs: ['dotnet'],
  hosts: ['api.nuget.org'],
  places: () => ['.config/NuGet/NuGet.Config', '.nuget/NuGet/NuGet.Config'],
  read: (texts) => readNuGet(texts.join('\n')),
};

function readNuGet(text: string): Settings {
  const sources = elements(text, 'packageSources').join('\n');
  const named = [...sources.matchAll(/<add\s[^>]*>/g)].map(([tag]) => ({ key: attribute(tag, 'key'), value: attribute(tag, 'value') }));
  const credentials = elements(text, 'packageSourceCredentials').join('\n');
  const authorizationFor = (url: string): string | undefined => {
    const key = named.find(({ value }) => registriesOf([value])[0]?.url === url)?.key ?? '';
    const login = elements(credentials, key.replaceAll(' ', '_x0020_').replaceAll(/[^\w.-]/g, '.'))[0];
    if (key === '' || login === undefined) return undefined;
    const of = (name: string): string =>
      [...login.matchAll(/<add\s[^>]*>/g)].map(([tag]) => (attribute(tag, 'key') === name ? attribute(tag, 'value') : '')).join('');
    return basic(of('Username'), of('ClearTextPassword'));
  };
  const shown = named.map(({ key, value }) => `<add key="${xmlText(key)}" value="${xmlText(withoutCredentials(value))}" />`);
  return {
    registries: registriesOf(
      named.map(({ value }) => value),
      authorizationFor,
    ),
    // Where the file names the usual host, that is among the registries.
    replacesDefaults: named.length > 0,
    files:
      shown.length === 0
        ? {}
        : { '.nuget/NuGet/NuGet.Config': `<configuration><packageSources><clear />${shown.join('')}</packageSources></configuration>\n` },
  };
}

function attribute(tag: string, name: string): string {
  return fromXml(new RegExp(`\\s${name}\\s*=\\s*"([^"]*)"`).exec(tag)?.[1] ?? '');
}
