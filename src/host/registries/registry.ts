/** What a package manager of this machine is set up for. One reader for each manager turns its configuration into this. */

/** The person's environment. */
export type Env = Readonly<Record<string, string | undefined>>;

export interface Registry {
  /** `http:` or `https:`, without user and password. */
  url: string;
  /** Value of the header `Authorization` by the person's configuration. It never enters a sandbox. */
  authorization?: string;
}

export interface Settings {
  registries: Registry[];
  /** Nothing comes from the manager's usual hosts. */
  replacesDefaults: boolean;
  /** The same configuration for commands, without credentials: texts by their place below the home. */
  files: Readonly<Record<string, string>>;
  /** A file with certificates that the texts name. */
  certificates?: string | undefined;
  /** The address of the proxy that the manager goes through on this machine. */
  proxy?: string | undefined;
}

export interface Manager {
  /** Programs, each of which shows that it is installed. */
  programs: readonly string[];
  /** Hosts of its packages, unless its configuration names others. */
  hosts: readonly string[];
  /** Where its configuration may be: below the home, or absolute. Later ones win. */
  places: (env: Env) => readonly string[];
  /** @param texts one for each place; empty where there is no file. @param fileAt the canonical path of a file that they name. */
  read: (texts: readonly string[], env: Env, fileAt: (place: string) => string | undefined) => Settings;
}

/** Reads an address as configurations write it. Undefined for any that is not fetched by HTTP. */
export function registryOf(text: string | undefined): Registry | undefined {
  const address = (text ?? '').trim().replace(/^(sparse|registry)\+/, '');
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const own = url.username === '' ? {} : { authorization: basic(decoded(url.username), decoded(url.password)) };
  url.username = '';
  url.password = '';
  return { url: url.href, ...own };
}

/** @returns those of the addresses that can be read, once each. */
export function registriesOf(
  addresses: readonly (string | undefined)[],
  authorizationOf?: (url: string) => string | undefined,
): Registry[] {
  const registries = addresses.flatMap((address) => registryOf(address) ?? []);
  const byUrl = new Map<string, Registry>();
  for (const registry of registries) {
    const authorization = registry.authorization ?? authorizationOf?.(registry.url);
    byUrl.set(registry.url, authorization === undefined ? registry : { ...registry, authorization });
  }
  return [...byUrl.values()];
}

/** An address without user and password. A text that is no address of HTTP stays as it is if it cannot hold a password. */
export function withoutCredentials(text: string): string {
  const prefix = /^\s*((?:sparse|registry)\+)?/.exec(text)?.[1] ?? '';
  const registry = registryOf(text);
  return registry ? prefix + registry.url : text.includes('@') ? '' : text;
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Replaces `${NAME}` by the variable's value, as npm and others do. */
export function expanded(text: string, env: Env): string {
  return text.replaceAll(
    /\$\{([A-Za-z_]\w*)(?:-([^}]*))?\??\}/g,
    (_, name: string, fallback: string | undefined) => env[name] ?? fallback ?? '',
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
