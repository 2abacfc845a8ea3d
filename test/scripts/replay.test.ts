/** `npm run replay -- --update`: what a play that broke off was asked takes the place of nothing. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { writeRequests } from '../../src/models/requests.ts';
import { prd, vision } from '../support/greeter.ts';

describe('a replay that breaks off', () => {
  it('is not written, and fails', () => {
    const folder = mkdtempSync(join(tmpdir(), 'loop-replays-'));
    try {
      for (const name of ['start', 'supplied', 'sprint']) mkdirSync(join(folder, 'greeter', name), { recursive: true });
      const sprint = join(folder, 'greeter', 'sprint');
      const before = writeRequests({ ending: 'delivered', tools: {}, asked: [] });
      const files = {
        'VISION.md': vision,
        'PRD.md': prd,
        'recording.yaml': 'recording: 1\nsessions: []\n',
        'recording.requests.yaml': before,
      };
      for (const [name, text] of Object.entries(files)) writeFileSync(join(sprint, name), text);
      const { status, stdout } = spawnSync(process.execPath, ['out/replay.js', '--in', folder, '--update'], { encoding: 'utf8' });
      assert.match(stdout, /^greeter recording .*: not written; .* has no turn 1 for /);
      assert.deepEqual([status, readFileSync(join(sprint, 'recording.requests.yaml'), 'utf8')], [1, before]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
