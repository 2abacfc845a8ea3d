/** Secrets are recognised by their form, by the name of a file, and in a patch. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'mocha';
import { keysIn } from '../../../src/engine/ground/keys.ts';
import { looksSecret } from '../../../src/engine/ground/secret-names.ts';
import { secretsInPatch } from '../../../src/host/git/secret-files.ts';

/** Each is written in two parts, so that this file holds no secret. */
const planted = [
  ['AKIA', 'ABCDEFGHIJKLMNOP'],
  ['ghp_', 'a'.repeat(36)],
  ['github_pat_', 'a1'.repeat(35)],
  ['glpat-', 'a'.repeat(20)],
  ['xoxb-', '123456789-abcdefghij'],
  ['sk_live_', 'a'.repeat(24)],
  ['sk-ant-', `api03-${'a'.repeat(40)}`],
  ['sk-proj-', 'a'.repeat(48)],
  ['AIza', 'a'.repeat(35)],
  ['npm_', 'a'.repeat(36)],
  ['-----BEGIN OPENSSH PRIVATE', ` KEY-----\\n${'b3Bl'.repeat(20)}`],
].map((parts) => parts.join(''));

describe('secrets', () => {
  it('are recognised by their form', () => {
    for (const secret of planted) assert.equal(keysIn(['', `const x = "${secret}";`])[0]?.line, 2, secret.slice(0, 8));
  });

  it('are not reported where there is none', () => {
    const harmless = [
      'AKIAIOSFODNN7EXAMPLE',
      "if (text.startsWith('-----BEGIN PRIVATE KEY-----'))",
      'sk-ant-...',
      'ghp_<your token>',
      'task-proj-x',
      '4f'.repeat(20),
      'https://npm_config_registry',
    ];
    assert.deepEqual(keysIn(harmless), []);
  });

  it('are recognised by a file’s name', () => {
    const secretFiles = [
      'id_rsa',
      'a/id_ed25519',
      'x.PEM',
      '.env',
      '.env.local',
      'a/.npmrc',
      '.netrc',
      'credentials',
      'aws/credentials.json',
      'tls.key',
      'secrets.yaml',
    ];
    const plainFiles = [
      'src/password_reset.ts',
      '.env.example',
      'src/credentials/form.ts',
      'id_rsa.pub',
      'keyboard.ts',
      'env.ts',
      'credentials.example',
      'secrets.ts',
      'src/credentials.py',
    ];
    assert.deepEqual([secretFiles.filter((path) => !looksSecret(path)), plainFiles.filter(looksSecret)], [[], []]);
  });

  it('are reported by file and line in the added lines of a patch', () => {
    const patch = [
      'diff --git a/x.ts b/x.ts',
      'index 1..2 100644',
      '--- a/x.ts',
      '+++ b/x.ts',
      '@@ -3,1 +3,0 @@',
      `-${planted[0]}`,
      '@@ -9,0 +8,2 @@ fn',
      '+ok',
      `+${planted[0]}`,
      'diff --git a/d/y b/d/y',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/d/y',
      '@@ -0,0 +1 @@',
      `+${planted[1]}`,
      '',
    ].join('\n');
    assert.deepEqual(secretsInPatch(patch), ['x.ts:9 holds an AWS access key', 'd/y:1 holds a GitHub token']);
  });

  it('are found in the same lines where a patch shows what lies around them', () => {
    const patch = [
      'diff --git a/x.ts b/x.ts',
      '--- a/x.ts',
      '+++ b/x.ts',
      '@@ -3,5 +3,6 @@ fn',
      ' before',
      '-old',
      '+new',
      ` ${planted[0]}`,
      '-gone',
      `+${planted[1]}`,
      '+more',
      ' after',
    ].join('\n');
    assert.deepEqual(secretsInPatch(patch), ['x.ts:6 holds a GitHub token']);
  });
});
