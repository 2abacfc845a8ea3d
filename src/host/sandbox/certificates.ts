/** Certificates that the person's variables name. They are needed behind a company's gateway, and often lie in the home, which is hidden. */
import { isWithin, realPath } from './places.ts';

const names = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'PIP_CERT',
  'GIT_SSL_CAINFO',
];

export interface Certificates {
  /** Without those that name nothing: programs would complain of each. */
  env: Record<string, string>;
  /** Canonical files and folders to show. */
  shown: string[];
}

/** @param home canonical. */
export function findCertificates(home: string, env: NodeJS.ProcessEnv): Certificates {
  const found = names.flatMap((name) => {
    // `SSL_CERT_DIR` may name several folders.
    const paths = (env[name] ?? '').split(':').flatMap((path) => realPath(path) ?? []);
    const usable = paths.filter((path) => !isWithin(home, path));
    return usable.length === 0 ? [] : [[name, usable] as const];
  });
  return {
    env: Object.fromEntries(found.map(([name, paths]) => [name, paths.join(':')])),
    shown: [...new Set(found.flatMap(([, paths]) => paths))],
  };
}
