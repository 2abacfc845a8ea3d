/** What a sandbox that reaches only registries needs: the relay, the proxy's address for every kind of program, and the person's registries. */
import { dirname, join } from 'node:path';
import { proxySocket, type OpenEgress } from '../egress/open-egress.ts';
import { nodeRelay, perlRelay, relayed, type Relayed } from '../egress/relay.ts';
import { proxyMark } from '../registries/proxy-mark.ts';
import type { Mount } from './bubblewrap.ts';
import { homeDir, programDir } from './layout.ts';
import { findIn } from './places.ts';
import type { Program } from './program.ts';

/** Neither among the ports that runs get nor among those that systems give to outgoing connections. */
export const proxyPort = 19_128;

const egressDir = `${programDir}/egress`;
const homeFilesDir = `${programDir}/home`;
const nodeDir = `${programDir}/node`;
const files = { perl: `${programDir}/relay.pl`, node: `${programDir}/relay.cjs` };

const hasPerl = findIn(['/usr/bin', '/bin'], 'perl', []) !== undefined;

const nodeMounts: readonly Mount[] = [
  { kind: 'text', path: files.node, text: nodeRelay },
  // Node that runs Loop: an editor's own may lie in the home, which is hidden.
  { kind: 'read', path: nodeDir, from: dirname(process.execPath) },
];

/** The program with a relay beside it. Nothing changes where there is no way out. */
export function throughProxy(program: Program, egress: OpenEgress | undefined): Program {
  if (!egress) return program;
  const { folder, ports } = egress;
  const texts = Object.entries(egress.files);
  const relays: Relayed[] = [
    { port: proxyPort, socket: `${egressDir}/${proxySocket}` },
    ...ports.map((port) => ({ port, socket: `${egressDir}/${port}` })),
  ];
  const mounts: Mount[] = [
    { kind: 'read', path: egressDir, from: folder },
    { kind: 'text', path: files.perl, text: perlRelay },
    ...(hasPerl ? [] : nodeMounts),
    ...texts.map(([place, text]): Mount => ({
      kind: 'text',
      path: join(homeFilesDir, place),
      text: text.replaceAll(proxyMark.port, String(proxyPort)),
    })),
    ...egress.shown.map((path): Mount => ({ kind: 'read', path })),
    // What they say is in the home, without credentials.
    ...egress.hidden.map((path): Mount => ({ kind: 'blank', path })),
  ];
  const runtime = join(nodeDir, process.execPath.slice(dirname(process.execPath).length));
  const copies = texts.map(([place]) => [join(homeFilesDir, place), join(homeDir, place)] as const);
  const argv = relayed(program.argv, files, { relays, copies }, runtime);
  return { ...program, argv, mounts: [...program.mounts, ...mounts], env: { ...proxyEnv(), ...program.env } };
}

/** This sandbox's own services are reached directly. */
const direct = 'localhost,127.0.0.1,::1,0.0.0.0,127.0.0.0/8';

/** pip, go, bundler, composer, dotnet, curl and git read the first four; `JAVA_TOOL_OPTIONS` would add a line to what any Java program prints. */
function proxyEnv(): Record<string, string> {
  const address = `http://127.0.0.1:${proxyPort}`;
  const jvm = ['http', 'https'].flatMap((kind) => [`-D${kind}.proxyHost=${proxyMark.host}`, `-D${kind}.proxyPort=${proxyPort}`]);
  const options = jvm.join(' ');
  return {
    http_proxy: address,
    https_proxy: address,
    HTTP_PROXY: address,
    HTTPS_PROXY: address,
    no_proxy: direct,
    NO_PROXY: direct,
    npm_config_proxy: address,
    npm_config_https_proxy: address,
    npm_config_noproxy: direct,
    YARN_HTTP_PROXY: address,
    YARN_HTTPS_PROXY: address,
    CARGO_HTTP_PROXY: address,
    NODE_USE_ENV_PROXY: '1',
    MAVEN_OPTS: options,
    GRADLE_OPTS: options,
    SBT_OPTS: options,
  };
}
