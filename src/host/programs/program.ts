/** Programs of the person's that ask models: where they are, whose login they have, and what they reach. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramName } from '../../engine/ground/model-names.ts';
import type { Env } from '../registries/registry.ts';
import type { Mount } from '../sandbox/bubblewrap.ts';
import { findIn } from '../sandbox/places.ts';

export interface Program {
  /** Its canonical path. */
  path: string;
  /** What it sees of the disk besides: itself. */
  mounts: Mount[];
  /** The file of its login, on the host and below its home inside. It is renewed there; the rest of its folder is not shown. */
  login: { file: string; place: string };
  /** Texts of its home, by their place. It gets copies. */
  files: Record<string, string>;
  /** `host` or `host:port`. */
  hosts: string[];
  /** Names of the person's variables that it gets. */
  secrets: string[];
  /** Further variables. */
  env: Record<string, string>;
  /** Before the options of each call. */
  args: string[];
}

/** @param home canonical. @returns undefined where it is not installed. */
export function findProgram(name: ProgramName, home: string, env: Env): Program | undefined {
  const program = known[name];
  const own = program.usualFolders.map((folder) => join(home, folder));
  const path = [...(env['PATH'] ?? '').split(':'), ...own]
    // There, only a script that calls what lies deeper.
    .filter((folder) => folder !== join(home, '.claude', 'local'))
    .flatMap((folder) => findIn([folder], program.command, []) ?? [])
    .find((file) => !launchers.test(file));
  return path === undefined ? undefined : { path, mounts: [{ kind: 'read', path: installationOf(path) }], ...program.describe(home, env) };
}

/** They choose by the name under which they are called, so by their own name they are nothing. */
const launchers = /\/(volta-shim|mise|asdf)$/;

interface Known {
  command: string;
  /** Below the home; an editor that was not started from a terminal has no such folder in its PATH. */
  usualFolders: readonly string[];
  describe(home: string, env: Env): Omit<Program, 'path' | 'mounts'>;
}

const usualFolders = ['.local/bin', '.npm-global/bin'];

const known: Readonly<Record<ProgramName, Known>> = {
  'claude-code': {
    command: 'claude',
    usualFolders: [...usualFolders, '.claude/local/node_modules/.bin'],
    describe: describeClaudeCode,
  },
  codex: { command: 'codex', usualFolders, describe: describeCodex },
};

/** https://code.claude.com/docs/en/iam: a login is in its folder; one key of the environment is taken where there is none. */
function describeClaudeCode(home: string, env: Env): Omit<Program, 'path' | 'mounts'> {
  const configured = env['CLAUDE_CONFIG_DIR'];
  const file = join(configured ?? join(home, '.claude'), '.credentials.json');
  const who = picked(objectIn(configured === undefined ? join(home, '.claude.json') : join(configured, '.claude.json')), loginKeys);
  const { claudeAiOauth: login } = objectIn(file);
  return {
    login: { file, place: '.claude/.credentials.json' },
    files: Object.keys(who).length === 0 ? {} : { '.claude.json': JSON.stringify(who) },
    hosts: hostOf(env['ANTHROPIC_BASE_URL']) ?? ['api.anthropic.com', 'platform.claude.com', 'console.anthropic.com', 'claude.ai'],
    secrets: ['CLAUDE_CODE_OAUTH_TOKEN', ...(isLogin(login) ? [] : ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'])],
    env: picked(env, ['ANTHROPIC_BASE_URL']) as Record<string, string>,
    args: [],
  };
}

/** https://developers.openai.com/codex/auth */
function describeCodex(home: string, env: Env): Omit<Program, 'path' | 'mounts'> {
  const file = join(env['CODEX_HOME'] ?? join(home, '.codex'), 'auth.json');
  const { tokens, OPENAI_API_KEY: key } = objectIn(file);
  const gateway = withoutLogin(env['OPENAI_BASE_URL']);
  return {
    login: { file, place: '.codex/auth.json' },
    files: {},
    hosts: hostOf(gateway) ?? ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
    secrets: isLogin(tokens) || typeof key === 'string' ? [] : ['CODEX_API_KEY', 'OPENAI_API_KEY'],
    env: {},
    args: gateway === undefined ? [] : ['-c', `openai_base_url=${JSON.stringify(gateway)}`],
  };
}

/** The file may hold other logins than the person's own. */
function isLogin(tokens: unknown): boolean {
  return (
    typeof tokens === 'object' && tokens !== null && Object.entries(tokens).some(([name, value]) => /token/i.test(name) && Boolean(value))
  );
}

/** All packages that a script of npm's may need; of a program that stands alone, itself. */
function installationOf(path: string): string {
  const at = path.indexOf('/node_modules/');
  return at < 0 ? path : path.slice(0, at + '/node_modules'.length);
}

/** Only who is logged in: the rest of that file tells of the person's projects. */
const loginKeys = ['userID', 'oauthAccount', 'primaryApiKey', 'customApiKeyResponses', 'hasCompletedOnboarding'];

function hostOf(url: string | undefined): string[] | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { hostname, port, protocol } = new URL(url);
  return [`${hostname}:${port === '' ? (protocol === 'http:' ? 80 : 443) : port}`];
}

/** Everybody on this machine may read a command line. */
function withoutLogin(url: string | undefined): string | undefined {
  return url?.replace(/^(https?:\/\/)[^/@]*@/, '$1');
}

function picked(object: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]])));
}

/** Empty where there is no such file, or it is no object. */
function objectIn(file: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
