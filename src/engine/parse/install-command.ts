/**
 * Install commands, as discovery names them and as the engine runs them. They may use the network, so only plain calls of
 * package managers are allowed.
 */
import type { Install, PackageManager } from '../work/install.ts';

/** How each manager is called to install; the rest of the command are its flags. The first one is what the engine runs. */
const calls: Readonly<Record<PackageManager, readonly string[]>> = {
  npm: ['npm install', 'npm ci', 'npm i'],
  pnpm: ['pnpm install', 'pnpm i'],
  yarn: ['yarn install', 'yarn'],
  bun: ['bun install'],
  pip: ['pip install', 'pip3 install', 'python -m pip install', 'python3 -m pip install'],
  uv: ['uv sync'],
  poetry: ['poetry install'],
  go: ['go mod download'],
  cargo: ['cargo fetch'],
  bundler: ['bundle install'],
  composer: ['composer install'],
  maven: ['mvn dependency:go-offline', 'mvn -B dependency:go-offline', './mvnw dependency:go-offline', './mvnw -B dependency:go-offline'],
  gradle: ['gradle dependencies', './gradlew dependencies'],
  dotnet: ['dotnet restore'],
};

/** What is wrong with an install command, or undefined. An empty command is allowed. */
export function installProblem(command: string): string | undefined {
  const wrong = parts(command).find((one) => installOf(one) === undefined);
  if (wrong === undefined) return undefined;
  return `"${wrong}" is not a plain install command of a package manager.`;
}

/** For who may give it once more. */
export const installAdvice =
  'Such are npm ci, npm --prefix web install, pip install -r FILE, pip install mypy, uv sync --all-extras, go mod download. Give these, joined by &&, or leave it empty.';

/** What can be taken of a command, and a sentence for what cannot. Of packages that pip is asked for, those that are tools for checks. */
export function takenOfInstall(command: string): { install: string; leftOut: string[] } {
  const taken = parts(command).map((one) => (installOf(one) ? { call: one, others: [] } : toolsOfPip(one)));
  if (parts(command).length > 0 && (taken.includes(undefined) || taken.every((one) => one?.call === undefined)))
    return { install: '', leftOut: [`Install: ${installProblem(command) ?? ''}`] };
  const kept = taken.flatMap((one) => one?.call ?? []);
  const others = taken.flatMap((one) => one?.others ?? []);
  const why =
    'what the work needs stands in its manifests (of an extra: pip install -e .[NAME]), and only tools for checks can be named beside them';
  return { install: kept.join(' && '), leftOut: others.length > 0 ? [`Install: ${others.join(' ')}: ${why}.`] : [] };
}

function toolsOfPip(command: string): { call: string | undefined; others: string[] } | undefined {
  const [manager, call] = callOf(command) ?? [];
  if (manager !== 'pip' || call === undefined) return undefined;
  const words = command.slice(call.length).trim().split(' ');
  const tools = words.filter(isCheckTool);
  return { call: tools.length === 0 ? undefined : [call, ...tools].join(' '), others: words.filter((word) => !isCheckTool(word)) };
}

/** The installs that a command names: plain calls, joined by `&&`. */
export function installsOf(command: string): Install[] {
  return parts(command).flatMap((one) => installOf(one) ?? []);
}

function parts(command: string): string[] {
  return command
    .split('&&')
    .map((one) =>
      one
        .trim()
        .replaceAll(/ +/g, ' ')
        .replaceAll(/(['"])([\w[\],.=-]+)\1/g, '$2'),
    )
    .filter(Boolean);
}

function installOf(command: string): Install | undefined {
  const { folder, rest } = inFolder(command);
  const [manager, call] = callOf(rest) ?? [];
  if (manager === undefined || call === undefined || !isInside(folder)) return undefined;
  const given = rest.slice(call.length);
  if (!new RegExp(`^(?: (?:${flagsOf[manager]}))*$`).test(given)) return undefined;
  const flags = given.split(' ').filter((one) => one !== '' && !lockFlags.includes(one));
  return flags.every(isInside) ? { folder, manager, flags } : undefined;
}

/** The longest call that a command begins with. */
function callOf(command: string): [PackageManager, string] | undefined {
  const known = (Object.keys(calls) as PackageManager[]).flatMap((manager) =>
    calls[manager].map((call): [PackageManager, string] => [manager, call]),
  );
  return known.sort(([, a], [, b]) => b.length - a.length).find(([, call]) => command === call || command.startsWith(`${call} `));
}

/** They say to follow the lock file, which an install does anyway. */
const lockFlags = ['--frozen-lockfile', '--immutable', '--frozen', '--locked'];

const path = String.raw`[\w./-]+`;
const name = String.raw`[\w,.-]+`;
const nodeFlags = [
  ...lockFlags,
  '--legacy-peer-deps',
  '--force',
  '--ignore-scripts',
  '--ignore-engines',
  '--workspaces',
  '-r',
  '--recursive',
].join('|');
/** What only checks of the work need. A package that the work itself needs has to stand in its manifest. */
const checkTool = String.raw`(?:mypy|pyright|flake8|pycodestyle|pylint|ruff|black|isort|coverage|pytest|pytest-cov)(?:\[[\w,-]+\])?(?:==[\w.]+)?`;

/** Whether this flag of pip only brings a tool for checks: it is installed beside what the manifests declare. */
export function isCheckTool(flag: string): boolean {
  return new RegExp(`^${checkTool}$`).test(flag);
}

/** The flags that each manager may get, as alternatives of a regular expression. None names another registry or another program. */
const flagsOf: Readonly<Record<PackageManager, string>> = {
  npm: nodeFlags,
  pnpm: nodeFlags,
  yarn: nodeFlags,
  bun: nodeFlags,
  pip: String.raw`${checkTool}|-[rc] ${path}|(?:-e )?\.(?:/${path})?(?:\[${name}\])?|--no-deps|--no-build-isolation`,
  uv: `${lockFlags.join('|')}|--all-extras|--all-groups|--all-packages|--no-dev|--dev|--(?:extra|group|package)[ =]${name}`,
  poetry: `--no-root|--all-extras|--all-groups|--sync|--(?:with|without|extras|only)[ =]${name}`,
  go: '-x',
  cargo: '--locked',
  bundler: '--quiet',
  composer: '--no-dev|--no-scripts|--ignore-platform-reqs',
  maven: '-q',
  gradle: '--quiet',
  dotnet: '--locked-mode',
};

/** `npm --prefix web install` installs in `web`. */
function inFolder(command: string): { folder: string; rest: string } {
  const option =
    /^(npm|pnpm|yarn|bun|uv|poetry|composer) (?:--prefix|--dir|--cwd|-C|--directory|--project|--working-dir|-d)[ =]([\w./-]+) (.*)$/;
  const [, manager, folder = '', rest] = option.exec(command) ?? [];
  return manager === undefined
    ? { folder: '', rest: command }
    : { folder: folder.replace(/^\.\//, '').replace(/\/$/, ''), rest: `${manager} ${rest}` };
}

function isInside(text: string): boolean {
  return !text.startsWith('/') && !text.split('/').includes('..');
}

/** The command as a person would type it at the root of their checkout, where they are afterwards, too. */
export function plainCommand({ folder, manager, flags: given }: Install): string {
  const call = [calls[manager][0] ?? '', ...given].map(quotedWord).join(' ');
  return folder === '' ? call : `(cd ${quotedWord(folder)} && ${call})`;
}

/**
 * The shell command that makes an install, in the root of a checkout. It does nothing where the folder is missing, since an
 * older commit may not have it yet. pip installs into the checkout's own `.venv`, and without a tool for checks that cannot be had: what
 * needs it is no suite then.
 */
export function installCommand({ folder, manager, flags: given }: Install): string {
  const at = quotedWord(folder === '' ? '.' : `./${folder}`);
  const callWith = (flags: readonly string[]): string =>
    byWrapper(manager, [calls[manager][0] ?? '', ...(always[manager] ?? []), ...flags].map(quotedWord).join(' '));
  const enter = `root=$PWD && cd ${at}`;
  if (manager !== 'pip') return `if [ -d ${at} ]; then ${enter} && ${callWith(given)}; fi`;
  const tools = given.filter(isCheckTool);
  const declared = given.filter((flag) => !isCheckTool(flag));
  const install = declared.length > 0 ? ` && ${inVenv} ${callWith(declared)}` : '';
  const each = tools.map((tool) => `${inVenv} ${callWith([tool])}; `).join('');
  const bring = tools.length > 0 ? ` && { ${inVenv} ${callWith(tools)} || { ${each}true; }; }` : '';
  return `if [ -d ${at} ]; then ${enter} && ${venv}${install}${bring}; fi`;
}

/** A project of the JVM may bring its build tool, which then is the right one, and often the only one. */
function byWrapper(manager: PackageManager, call: string): string {
  const wrapper = wrappers[manager];
  return wrapper === undefined ? call : `if [ -x ${wrapper} ]; then ${call.replace(/^\w+/, wrapper)}; else ${call}; fi`;
}

/**
 * Downloads what an install needs, and runs nothing of the work: no install script, and no program that its settings name. Undefined
 * where a manager cannot promise that.
 */
export function downloadCommand({ folder, manager }: Install): string | undefined {
  if (manager !== 'npm') return undefined;
  const at = quotedWord(folder === '' ? '.' : `./${folder}`);
  return `if [ -d ${at} ]; then cd ${at} && npm install --ignore-scripts --git=git --no-audit --no-fund; rm -rf node_modules; fi`;
}

/** Its packages are no code of the project: a linter such as ruff, which here finds no git and so no `.gitignore`, heeds `.ignore`. */
const venv =
  '{ [ -x "$root/.venv/bin/python" ] || { python3 -m venv --system-site-packages "$root/.venv" && echo "*" > "$root/.venv/.ignore"; }; }';
const inVenv = '"$root/.venv/bin/python" -m';

const wrappers: Partial<Record<PackageManager, string>> = { maven: './mvnw', gradle: './gradlew' };

const always: Partial<Record<PackageManager, readonly string[]>> = {
  npm: ['--no-audit', '--no-fund'],
  maven: ['--batch-mode', '--quiet'],
  gradle: ['--quiet'],
  composer: ['--no-interaction'],
};

/** @param text one word, or the plain words of a call. */
function quotedWord(text: string): string {
  return /^[\w@./:=,+ -]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
