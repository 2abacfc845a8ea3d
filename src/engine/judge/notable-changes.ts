/**
 * Finds in a change what decides how tests run and what they run on: a runner's configuration, CI, a lock file, a dependency's
 * own code. Whoever judges the work is told, because a green result may mean less after it. Pure.
 */
import type { ChangedFile, Notable } from '../work/tree.ts';

/** @param patch of the change, as git prints it. */
export function notableIn(files: readonly ChangedFile[], patch: string): Notable[] {
  const patches = byFile(patch);
  return files.flatMap(({ path, kind }): Notable[] => {
    const what = kindOf(path, patches.get(path));
    return what === undefined ? [] : [{ path, kind, what }];
  });
}

/** @param patch of this file; undefined where it was not found, so anything may have changed. */
function kindOf(path: string, patch: string | undefined): Notable['what'] | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (dependencyCode.test(path)) return 'code of a dependency';
  if (ci.test(path)) return 'CI';
  if (isLockFile(path)) return 'lock file';
  if (runner.test(name) || runnerFolder.test(path)) return 'configuration of a runner';
  const harmless = manifests.find(([known]) => known.test(name))?.[1];
  if (!harmless) return undefined;
  const isHarmless = patch !== undefined && changedLines(patch).every((line) => harmless.test(line));
  return isHarmless ? undefined : 'configuration of a runner';
}

const dependencyCode = /(^|\/)(node_modules|bower_components|vendor|third_party|\.venv|venv|site-packages|Pods)\//;

const ci =
  /^\.github\/(workflows|actions)\/|^\.(circleci|buildkite|woodpecker|gitea|forgejo)\/|(^|\/)(\.gitlab-ci\.ya?ml|\.travis\.yml|\.drone\.ya?ml|\.cirrus\.yml|appveyor\.yml|azure-pipelines\.ya?ml|bitbucket-pipelines\.yml|Jenkinsfile)$/;

export function isLockFile(path: string): boolean {
  return lockFile.test(path.slice(path.lastIndexOf('/') + 1));
}

const lockFile =
  /^(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|uv\.lock|poetry\.lock|pdm\.lock|Pipfile\.lock|go\.sum|Cargo\.lock|Gemfile\.lock|composer\.lock|gradle\.lockfile|packages\.lock\.json)$/;

const runner = new RegExp(
  `^(${[
    String.raw`(jest|vitest|vite|karma|playwright|cypress|wdio|ava|babel|webpack|rollup|esbuild|tsup)([.-][\w-]+)*\.(config|conf|workspace|setup)([.-][\w-]+)*\.(json|[cm]?[jt]s)`,
    String.raw`(jest|vitest|mocha)[.-]setup\.[cm]?[jt]s`,
    String.raw`\.(mocharc|nycrc|c8rc|babelrc|swcrc|taprc|rspec|npmrc|yarnrc|coveragerc)(\.(json|ya?ml|[cm]?js))?`,
    String.raw`[tj]sconfig([.-][\w-]+)*\.json`,
    String.raw`pytest\.ini|\.pytest\.ini|conftest\.py|tox\.ini|noxfile\.py|setup\.cfg|sitecustomize\.py|usercustomize\.py|.*\.pth`,
    String.raw`(GNU)?[Mm]akefile|.*\.mk|[Jj]ustfile|Taskfile\.ya?ml|Rakefile|CMakeLists\.txt|build\.rs|phpunit\.xml(\.dist)?`,
    String.raw`(build|settings)\.gradle(\.kts)?|gradle\.properties|Directory\.Build\.(props|targets)|.*\.runsettings|nuget\.config`,
  ].join('|')})$`,
  'i',
);

const runnerFolder = /(^|\/)(\.cargo\/config(\.toml)?|\.mvn\/.*|\.config\/nextest\.toml|gradle\/wrapper\/.*)$/;

/** Names of manifests, and a line of them that only declares a dependency or describes the package. */
const manifests: readonly (readonly [name: RegExp, harmless: RegExp])[] = [
  [
    /^package\.json$/,
    /^\s*([{}\],]*|"(dev|peer|optional)?[dD]ependencies": \{\},?|"(dev|peer|optional)?[dD]ependencies": \{|"(name|version|description|author|license|homepage|private)": .*|"[\w@./-]+": "(npm:[\w@./-]+@)?([\^~]|[<>]=?)?v?\d[\w.+-]*( .*)?",?)\s*$/,
  ],
  [
    /^pyproject\.toml$/,
    /^\s*(#.*|\[(project|project\.optional-dependencies|tool\.poetry|tool\.poetry\.dependencies|dependency-groups)\]|(name|version|description|authors|readme|license|requires-python|keywords)\s*=.*|[\w-]*dependencies\s*=\s*\[.*|"[\w.[\],-]+\s*([<>=~!].*)?",?|[\w.-]+\s*=\s*"[\^~<>=]*\d[^"]*"|\],?)?\s*$/,
  ],
  [
    /^Cargo\.toml$/,
    /^\s*(#.*|\[(package|dependencies|dev-dependencies|build-dependencies)\]|(name|version|description|authors|edition|license|readme)\s*=.*|[\w-]+\s*=\s*"[\^~<>=]*\d[^"]*"|[\w-]+\s*=\s*\{\s*version\s*=\s*"[^"]*"(,\s*(default-)?features\s*=\s*[^{}]*)?\s*\})?\s*$/,
  ],
  [/^go\.mod$/, /^\s*(\/\/.*|module .*|go [\d.]+|toolchain .*|require( \(| \S+ v\S+.*)|\S+ v\S+( \/\/.*)?|\))?\s*$/],
  [/^pom\.xml$|\.(cs|fs|vb)proj$/, /^\s*$/],
];

/** The lines that a file's patch adds or takes away, without the sign. */
function changedLines(patch: string): string[] {
  const body = patch.slice(Math.max(0, patch.search(/^@@/m)));
  return body.split('\n').flatMap((line) => (/^[+-]/.test(line) ? [line.slice(1)] : []));
}

function byFile(patch: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of patch.split(/^diff --git /m).slice(1)) {
    const head = part.slice(0, part.indexOf('\n'));
    // Both names are equal, because renames are shown as two files.
    const path = head.slice('a/'.length, (head.length - 1) / 2);
    found.set(path, part);
  }
  return found;
}
