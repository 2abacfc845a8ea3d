/** The environment of a command: built for each run from an allow-list, never inherited. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { homeDir, type Host } from './layout.ts';

/** Needed behind a company's gateway. An address with a password is left out. */
export const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

export interface RunSettings {
  /** The variables that name its free ports. */
  ports: Readonly<Record<string, string>>;
  /** Decimal number for what wants to vary its inputs. */
  seed: string;
  /** The root of the tree. */
  root: string;
  /** Folders with programs of Loop's own. */
  programs: readonly string[];
  network: boolean;
  /** Its programs may print in colours. */
  colours?: boolean;
  /** Whether it reaches hosts through Loop's proxy. */
  proxied?: boolean;
  /** Variables that the program itself needs. */
  extra: Record<string, string>;
}

export function environmentOf(host: Host, person: NodeJS.ProcessEnv, run: RunSettings): Record<string, string> {
  return {
    PATH: [host.toolchains.path, ...run.programs, ...virtualEnvironment(run.root)].join(':'),
    HOME: homeDir,
    TMPDIR: '/tmp',
    USER: 'loop',
    // In German a shell prints 0,5 and refuses 0.5: no verdict may depend on the person's language.
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    // As CI systems set it: some programs ask for this word.
    CI: 'true',
    ...(run.colours ? {} : { NO_COLOR: '1' }),
    GIT_OPTIONAL_LOCKS: '0',
    // The tree may have another owner inside, and git would refuse it. Git can only read there, so this is safe.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    PYTHONDONTWRITEBYTECODE: '1',
    npm_config_update_notifier: 'false',
    ...run.ports,
    SEED: run.seed,
    ...host.toolchains.env,
    ...(run.network || run.proxied ? host.certificates.env : {}),
    ...(run.network ? proxiesOf(person) : {}),
    ...run.extra,
  };
}

/** Programs of the work's own virtual environment come last, so that none takes the place of one that runs a verification. */
function virtualEnvironment(root: string): string[] {
  const folder = join(root, '.venv', 'bin');
  return existsSync(folder) ? [folder] : [];
}

function proxiesOf(person: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    proxyVariables.flatMap((name) => {
      const value = person[name];
      return value === undefined || value.includes('@') ? [] : [[name, value]];
    }),
  );
}
