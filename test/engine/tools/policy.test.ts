/** Policy refuses early and with a reason, but the real boundary is the sandbox. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { roleNames } from '../../../src/engine/ground/roles.ts';
import { denied } from '../../../src/engine/tools/policy.ts';
import { cpuMs } from '../../support/cpu.ts';

const leaves = (path: string): string => `"${path}" leaves the worktree. Give a path relative to the repository's root.`;
const guards = (path: string, what: string): string => `"${path}" is protected: agents do not touch ${what}.`;
const gitRefusal = 'Loop keeps the history of this branch itself: look with git status, log, diff or show, but change nothing with git.';

describe('a path', () => {
  const paths: [path: unknown, why: string | undefined][] = [
    ['src/a.ts', undefined],
    ['a', undefined],
    ['./a', undefined],
    ['a..b/c..', undefined],
    ['.github/workflows/ci.yml', undefined],
    ['.gitignore', undefined],
    ['src/git/x', undefined],
    ['docs/.loop.md', undefined],
    ['naïve/日本語.txt', undefined],
    ['', 'The path is not usable.'],
    [undefined, 'The path is not usable.'],
    [42, 'The path is not usable.'],
    ['a\0b', 'The path is not usable.'],
    ['/etc/passwd', leaves('/etc/passwd')],
    ['\\server\\share', leaves('\\server\\share')],
    ['C:\\x', leaves('C:\\x')],
    ['c:x', leaves('c:x')],
    ['..', leaves('..')],
    ['../x', leaves('../x')],
    ['a/../../x', leaves('a/../../x')],
    ['a\\..\\..\\x', leaves('a\\..\\..\\x')],
    ['a/b/..', leaves('a/b/..')],
    ['.git/config', guards('.git/config', '.git')],
    ['.git', guards('.git', '.git')],
    ['sub/.git/hooks/pre-commit', guards('sub/.git/hooks/pre-commit', '.git')],
    ['.GIT/config', guards('.GIT/config', '.git')],
    ['.Git\\config', guards('.Git\\config', '.git')],
    ['.//.git//config', guards('.//.git//config', '.git')],
    ['.git./config', guards('.git./config', '.git')],
    ['.git /config', guards('.git /config', '.git')],
    ['.g\u200Cit/config', guards('.g\u200Cit/config', '.git')],
    ['.\uFEFFgit/config', guards('.\uFEFFgit/config', '.git')],
    ['.gitmodules', guards('.gitmodules', '.gitmodules')],
    ['sprint/.loop/journal.jsonl', guards('sprint/.loop/journal.jsonl', '.loop')],
    ['.vscode/settings.json', guards('.vscode/settings.json', '.vscode')],
    ['.VSCode/tasks.json', guards('.VSCode/tasks.json', '.vscode')],
    ['.idea/x', guards('.idea/x', '.idea')],
  ];
  for (const [path, why] of paths)
    it(`${JSON.stringify(path) ?? 'undefined'} is ${why ? 'denied' : 'allowed'} to a builder`, () => {
      for (const tool of ['write_file', 'edit_file', 'read_file', ...(typeof path === 'string' ? ['a_new_tool'] : [])])
        assert.equal(denied('builder', tool, { path }), tool === 'a_new_tool' && path === '' ? undefined : why, tool);
    });

  it('that is empty is left out, for a tool whose schema allows that', () => {
    for (const tool of ['glob_search', 'grep_search']) assert.equal(denied('builder', tool, { path: '' }), undefined, tool);
  });
});

describe('a role', () => {
  const writers = ['builder', 'fixer'];
  for (const role of roleNames)
    it(`${role} ${writers.includes(role) ? 'may write files' : 'may only read files'}`, () => {
      const why = writers.includes(role) ? undefined : `A ${role} reads and reports; it does not change files.`;
      assert.equal(denied(role, 'write_file', { path: 'a' }), why);
      assert.equal(denied(role, 'edit_file', { path: 'a' }), why);
      assert.equal(denied(role, 'read_file', { path: 'a' }), undefined);
      assert.equal(denied(role, 'report_vrc', {}), undefined);
    });
});

describe('a command', () => {
  const verbs = [
    'push',
    'pull',
    'commit',
    'reset',
    'rebase',
    'merge',
    'checkout',
    'switch',
    'branch',
    'stash',
    'tag',
    'worktree',
    'clean',
    'config',
    'remote',
    'add',
    'rm',
    'mv',
    'restore',
    'revert',
    'cherry-pick',
    'am',
    'fetch',
    'update-ref',
    'gc',
    'bisect',
  ];
  for (const verb of verbs)
    it(`git ${verb} is denied`, () => {
      assert.equal(denied('builder', 'bash', { command: `git ${verb} x` }), gitRefusal);
    });

  const commands: [command: unknown, why: string | undefined][] = [
    ['npm test', undefined],
    ['git status', undefined],
    ['git --no-pager log --oneline', undefined],
    ['git diff HEAD~1 -- src', undefined],
    ['git show HEAD:a', undefined],
    ['git log --grep commit', undefined],
    ['git log --oneline -- config', undefined],
    ['git diff -- add', undefined],
    ['git -C sub status', undefined],
    ['digit reset', undefined],
    ['git status && npm add x', undefined],
    ['git status; echo commit', undefined],
    ['cd a && git commit -m x', gitRefusal],
    ['git -C /w push', gitRefusal],
    ['git -c user.name=x -c user.email=y commit -m x', gitRefusal],
    ['git --git-dir /w/.git reset --hard', gitRefusal],
    ['git --git-dir=/w/.git reset --hard', gitRefusal],
    ['git --no-pager stash', gitRefusal],
    ['git\tpush', gitRefusal],
    ['git "push"', gitRefusal],
    ['git \\\n  push', gitRefusal],
    ['/usr/bin/git push', gitRefusal],
    ['x=$(git stash)', gitRefusal],
    ['sh -c "git push"', gitRefusal],
    ['git log | xargs git tag', gitRefusal],
    ['', 'The command is empty.'],
    ['  \n', 'The command is empty.'],
    [undefined, 'The command is empty.'],
    [['git', 'push'], 'The command is empty.'],
    ['a\0b', 'The command is too long or has a NUL byte.'],
    ['a'.repeat(20_000), undefined],
    ['a'.repeat(20_001), 'The command is too long or has a NUL byte.'],
  ];
  for (const [command, why] of commands)
    it(`${(JSON.stringify(command) ?? 'undefined').slice(0, 60)} is ${why ? 'denied' : 'allowed'}`, () => {
      for (const role of roleNames) assert.equal(denied(role, 'bash', { command }), why);
    });

  it('is judged fast, also a hostile one', () => {
    const took = cpuMs(() => {
      for (const piece of ['git ', 'git -', '-C ', ' -a', 'git -C '])
        denied('builder', 'bash', { command: `git ${piece.repeat(20_000 / piece.length - 2)}` });
    });
    assert.ok(took < 1000, `${took} ms`);
  });
});
