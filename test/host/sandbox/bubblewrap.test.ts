/** The options that Loop gives to bubblewrap. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { bubblewrapOptions, type Mount, type SandboxSpec } from '../../../src/host/sandbox/bubblewrap.ts';

const spec = (more: Partial<SandboxSpec> = {}): SandboxSpec => ({ mounts: [], cwd: '/w', env: {}, network: false, identity, ...more });
const identity = { uid: 7, gid: 8 };
const line = (more: Partial<SandboxSpec> = {}) => bubblewrapOptions(spec(more)).options.join(' ');

describe('bubblewrap options', () => {
  it('isolate everything, and share the network only on request', () => {
    const isolation = '--die-with-parent --new-session --unshare-all --unshare-user --cap-drop ALL --uid 7 --gid 8 --json-status-fd 4';
    assert.ok(line().startsWith(`${isolation} --ro-bind / / --proc /proc --ro-bind /proc/sys /proc/sys --dev /dev`));
    assert.ok(!line().includes('--share-net'));
    assert.match(line({ network: true }), /--cap-drop ALL --share-net/);
  });

  it('mount outer folders first, make hidden ones read-only last, and start from an empty environment', () => {
    const mounts: Mount[] = [
      { kind: 'read', path: '/home/me/w/.git' },
      { kind: 'write', path: '/home/me/w' },
      { kind: 'fresh', path: '/tmp' },
      { kind: 'hide', path: '/home' },
      { kind: 'blank', path: '/etc/shadow' },
    ];
    assert.match(
      line({ mounts, env: { A: 'b c' }, freshBytes: 9 }),
      /--size 9 --tmpfs \/tmp --tmpfs \/home --ro-bind \/dev\/null \/etc\/shadow --bind \/home\/me\/w \/home\/me\/w --ro-bind \/home\/me\/w\/\.git \/home\/me\/w\/\.git --remount-ro \/home --chdir \/w --clearenv --setenv A b c$/,
    );
  });

  it('let the last mount of a path win', () => {
    const options = line({
      mounts: [
        { kind: 'hide', path: '/a' },
        { kind: 'write', path: '/a' },
      ],
    });
    assert.ok(options.includes('--bind /a /a') && !options.includes('--tmpfs /a') && !options.includes('--remount-ro /a'));
  });

  it("pass the person's variables through a descriptor, so that nobody else reads them; Loop's own variables win", () => {
    const { options, secrets } = bubblewrapOptions(spec({ env: { A: '1' }, secrets: { A: '2', KEY: 'of the house' } }));
    assert.deepEqual(secrets, ['--setenv', 'A', '2', '--setenv', 'KEY', 'of the house']);
    assert.ok(options.join(' ').endsWith('--clearenv --args 3 --setenv A 1'), options.join(' '));
    assert.ok(!line().includes('--args'));
  });

  it('number texts in the order in which they are mounted', () => {
    const mounts: Mount[] = [
      { kind: 'text', path: '/a/b/c', text: 'inner' },
      { kind: 'text', path: '/a', text: 'outer' },
    ];
    const { options, inputs } = bubblewrapOptions(spec({ mounts }));
    assert.deepEqual(inputs, ['outer', 'inner']);
    assert.match(options.join(' '), /--ro-bind-data 7 \/a --ro-bind-data 8 \/a\/b\/c/);
  });

  it('never mount a folder after a path inside it', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 }).map((parts) => `/${parts.join('/')}`);
    const mount = fc.record({ kind: fc.constantFrom('write', 'read', 'fresh', 'hide'), path }) as fc.Arbitrary<Mount>;
    fc.assert(
      fc.property(fc.array(mount, { maxLength: 12 }), (mounts) => {
        const { options } = bubblewrapOptions(spec({ mounts }));
        const mountOptions = options.slice(
          options.indexOf('/dev') + 2,
          options.includes('--remount-ro') ? options.indexOf('--remount-ro') : undefined,
        );
        const paths = mountOptions.filter((_, i) => mountOptions[i - 1] === '--tmpfs' || mountOptions[i - 2]?.endsWith('bind'));
        paths.forEach((one, i) => assert.ok(!paths.slice(i + 1).some((later) => one.startsWith(`${later}/`)), mountOptions.join(' ')));
      }),
    );
  });
});
