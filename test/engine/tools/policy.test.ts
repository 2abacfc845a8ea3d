/** Policy refuses early and with a reason, but the real boundary is the sandbox. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { roleNames } from '../../../src/engine/ground/roles.ts';
import { denied } from '../../../src/engine/tools/policy.ts';
import { cpuMs } from '../../support/cpu.ts';

const leaves = (path: string): string => `"${path}" leaves the worktree. Give a path relative to the repository's root.`;
const guards = (path: string, what: string): string => `"${path}" is protected: agents do not touch ${what}.`;
const gitRefusal = (verb: string): string =>
  `Loop keeps the history of this branch itself, so "git ${verb}" is refused: look with git status, log, diff or show. A repository of your own in /tmp may be changed by the command that makes it, with git init or git clone.`;

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
  const verbs = 'push pull fetch add rm mv restore am cherry-pick revert commit reset rebase merge checkout switch stash clean'.split(' ');
  for (const verb of verbs)
    it(`git ${verb} is denied`, () => {
      assert.equal(denied('builder', 'bash', { command: `git ${verb} x` }), gitRefusal(verb));
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
    ['cd a && git commit -m x', gitRefusal('commit')],
    ['git -C /w push', gitRefusal('push')],
    ['git -c user.name=x -c user.email=y commit -m x', gitRefusal('commit')],
    ['git --git-dir /w/.git reset --hard', gitRefusal('reset')],
    ['git --git-dir=/w/.git reset --hard', gitRefusal('reset')],
    ['git --no-pager stash', gitRefusal('stash')],
    ['git\tpush', gitRefusal('push')],
    ['git "push"', gitRefusal('push')],
    ['git \\\n  push', gitRefusal('push')],
    ['/usr/bin/git push', gitRefusal('push')],
    ['x=$(git stash)', gitRefusal('stash')],
    ['git log | xargs git checkout', gitRefusal('checkout')],
    ['if true; then git add .; fi', gitRefusal('add')],
    ['npm test # all\ngit add -A', gitRefusal('add')],
    ["git commit -F - <<'EOF'\nAdd a\nEOF", gitRefusal('commit')],
    ['cat >a <<EOF\ngit push\nEOF\ngit add a', gitRefusal('add')],
    ["echo it\\'s; git add .", gitRefusal('add')],
    ["git log --format='%h' && git rm a", gitRefusal('rm')],
    ['git stash', gitRefusal('stash')],
    ['git stash pop', gitRefusal('stash')],
    ['sh -c "git push"', undefined],
    ['grep -rn "git commit" docs', undefined],
    ["grep -rn 'git commit' docs; git status", undefined],
    ['grep -rn "a \\" git commit" docs', undefined],
    ['command -v git\nrm -rf /tmp/x', undefined],
    ["cat >README.md <<'EOF'\nRun git add .\nEOF\nnpm test", undefined],
    ['cat >README.md <<-EOF\n\tRun git add .\n\tEOF', undefined],
    ['npm test # not git add', undefined],
    ['git branch --show-current', undefined],
    ['git branch -a', undefined],
    ['git config --get user.name', undefined],
    ['git stash list', undefined],
    ['git stash show -p', undefined],
    ['git tag --list', undefined],
    ['git remote -v', undefined],
    ['git worktree list', undefined],
    ['git clean -ndx', undefined],
    ['git add --dry-run .', undefined],
    ['git merge-base HEAD main', undefined],
    ['cd /tmp && git init x && cd x && git add . && git commit -m x', undefined],
    ['git clone -q . /tmp/x; git -C /tmp/x checkout -b y', undefined],
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
