/**
 * The registries that this machine's package managers are set up for. Only files outside of any repository are read: what a
 * repository says about registries opens nothing (I6).
 */
import { isAbsolute, join } from 'node:path';
import { findIn, isWithin, kindOf, realPath } from '../sandbox/places.ts';
import { bundler } from './bundler.ts';
import { cargo } from './cargo.ts';
import { composer } from './composer.ts';
import { dotnet } from './dotnet.ts';
import { go } from './go.ts';
import { gradle, maven } from './jvm.ts';
import { bun, npm, yarn } from './npm.ts';
import { pip, poetry, uv } from './python.ts';
import type { Env, Manager, Registry } from './registry.ts';
import { textAt } from '../peek.ts';

const managers: readonly Manager[] = [npm, yarn, bun, pip, uv, poetry, cargo, go, bundler, composer, maven, gradle, dotnet];

export interface MachineRegistries {
  /** From the person's configuration. */
  registries: Registry[];
  /** Usual hosts of the managers that are installed and not set up otherwise. */
  hosts: string[];
  /** The person's configuration without credentials: texts by their place below the home. */
  files: Readonly<Record<string, string>>;
  /** Files outside of the home that were read; they may hold credentials. */
  read: string[];
  /** Canonical files with certificates that the texts name. */
  certificates: string[];
  proxy?: string;
}

export interface Surroundings {
  /** The person's home, canonical. */
  home: string;
  env: Env;
  /** Folders of programs that commands find. */
  path: string;
}

export function machineRegistries({ home, env, path }: Surroundings): MachineRegistries {
  const folders = path.split(':');
  const at = (place: string): string => (place === '' || isAbsolute(place) ? place : join(home, place.replace(/^~\//, '')));
  const installed = managers.filter(({ programs }) => programs.some((name) => findIn(folders, name, []) !== undefined));
  const found = installed.map((manager) => {
    const places = manager.places(env).map(at);
    const settings = manager.read(places.map(textAt), env, (place) => realPath(at(place)));
    return { ...settings, hosts: settings.replacesDefaults ? [] : manager.hosts, places };
  });
  const proxy = found.find((one) => one.proxy !== undefined)?.proxy;
  return {
    registries: found.flatMap(({ registries }) => registries),
    hosts: [...new Set(found.flatMap(({ hosts }) => hosts))],
    files: Object.assign({}, ...found.map(({ files }) => files)) as Record<string, string>,
    read: found.flatMap(({ places }) => places.filter((place) => kindOf(place) === 'file' && !isWithin(place, home))),
    certificates: found.flatMap(({ certificates = [] }) => certificates),
    ...(proxy === undefined ? {} : { proxy }),
  };
}
