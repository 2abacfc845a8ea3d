/** Programs of the person's that ask models: where they are, whose login they have, and what they reach. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramName } from '../../engine/ground/model-names.ts';
import type { Env } from '../registries/registry.ts';
import type { Mount } from '../sandbox/bubblewrap.ts';
import { homeDir } from '../sandbox/layout.ts';
import { findIn, realPath } from '../sandbox/places.ts';

export interface Program {
  /** Its canonical path. */
  path: string;
  /** What it sees of the disk besides: itself, and its own folder, where its login is and is renewed. */
  mounts: Mount[];
  /** Texts of its home, by their place. It gets copies. */
  files: Record<string, string>;
  /** `host` or `host:port`. */
  hosts: string[];
  /** Names of the person's variables that it gets. */
  secrets: string[];
  env: Record<string, string>;
  /** Before the options of each call. */
  args: string[];
}

/** @param home canonical. @returns undefined where it is not installed. */
export function findProgram(name: ProgramName, home: string, env: Env): Program | undefined {
  const program = known[name];
  const folders = [...(env['PATH'] ?? '').split(':'), ...program.usualFolders.map((folder) => join(home, folder))];
  const path = findIn(folders, program.command, []);
  return path === undefined ? undefined : { path, ...program.describe(home, env, { kind: 'read', path: installationOf(path) }) };
}

interface Known {
  command: string;
  /** Below the home; an editor that was not started from a terminal has no such folder in its PATH. */
  usualFolders: readonly string[];
  describe(home: string, env: Env, own: Mount): Omit<Program, 'path'>;
}

const usualFolders = ['.local/bin', '.npm-global/bin'];

const known: Readonly<Record<ProgramName, Known>> = {
  'claude-code': { command: 'claude', usualFolders: [...usualFolders, '.claude/local'], describe: describeClaudeCode },
  codex: { command: 'codex', usualFolders, describe: describeCodex },
};

/** https://code.claude.com/docs/en/iam: a login is in its folder; one key of the environment is taken where there is none. */
function describeClaudeCode(home: string, env: Env, own: Mount): Omit<Program, 'path'> {
  const configured = env['CLAUDE_CONFIG_DIR'];
  const folder = realPath(configured ?? join(home, '.claude'));
  const inside = join(homeDir, '.claude');
  const isLoggedIn = folder !== undefined && realPath(join(folder, '.credentials.json')) !== undefined;
  const settings = configured === undefined ? loginIn(textOf(join(home, '.claude.json'))) : undefined;
  return {
    mounts: folder === undefined ? [own] : [own, { kind: 'write', path: inside, from: folder }],
    files: settings === undefined ? {} : { '.claude.json': settings },
    hosts: hostOf(env['ANTHROPIC_BASE_URL']) ?? ['api.anthropic.com', 'platform.claude.com', 'console.anthropic.com', 'claude.ai'],
    secrets: ['CLAUDE_CODE_OAUTH_TOKEN', ...(isLoggedIn ? [] : ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'])],
    env: {
      ...named(env, ['ANTHROPIC_BASE_URL']),
      ...(configured === undefined || folder === undefined ? {} : { CLAUDE_CONFIG_DIR: inside }),
    },
    args: [],
  };
}

/** https://developers.openai.com/codex/auth */
function describeCodex(home: string, env: Env, own: Mount): Omit<Program, 'path'> {
  const folder = realPath(env['CODEX_HOME'] ?? join(home, '.codex'));
  const isLoggedIn = folder !== undefined && realPath(join(folder, 'auth.json')) !== undefined;
  const gateway = env['OPENAI_BASE_URL'];
  return {
    mounts: folder === undefined ? [own] : [own, { kind: 'write', path: join(homeDir, '.codex'), from: folder }],
    files: {},
    hosts: hostOf(gateway) ?? ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
    secrets: isLoggedIn ? [] : ['CODEX_API_KEY', 'OPENAI_API_KEY'],
    env: {},
    args: gateway === undefined ? [] : ['-c', `openai_base_url=${JSON.stringify(gateway)}`],
  };
}

/** All packages that a script of npm's may need; of a program that stands alone, itself. */
function installationOf(path: string): string {
  const at = path.indexOf('/node_modules/');
  return at < 0 ? path : path.slice(0, at + '/node_modules'.length);
}

/** Only who is logged in: the rest of that file tells of the person's projects. */
function loginIn(text: string | undefined): string | undefined {
  try {
    const all = JSON.parse(text ?? '') as Record<string, unknown>;
    return JSON.stringify(Object.fromEntries(loginKeys.flatMap((key) => (Object.hasOwn(all, key) ? [[key, all[key]]] : []))));
  } catch {
    return undefined;
  }
}

const loginKeys = ['userID', 'oauthAccount', 'primaryApiKey', 'customApiKeyResponses', 'hasCompletedOnboarding'];

function hostOf(url: string | undefined): string[] | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { hostname, port, protocol } = new URL(url);
  return [`${hostname}:${port === '' ? (protocol === 'http:' ? 80 : 443) : port}`];
}

function named(env: Env, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
