/** Storage on a disk that is really full: a file system of 128 KiB, mounted by bubblewrap for one child process. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'mocha';
import { bundleChild, temporaryFolder } from './children.ts';

interface Failure {
  reason: string;
  message: string;
}
interface Report {
  journal: {
    appended: number;
    read: number;
    dropped: number;
    again: Failure;
    whileFull: Failure;
    untouched: boolean;
    filesWhileFull: string[];
    torn: number;
    after: number;
  };
  payloads: { failed: Failure; small: string; files: number };
  shelf: { failed: Failure; text: string; files: string[] };
  inputs: { failed: Failure; paths: string[]; files: string[] };
}

describe('storage on a full disk', () => {
  const temporary = temporaryFolder();
  let report: Report;

  before(() => {
    const script = bundleChild('fill-disk', temporary.path);
    const disk = ['--dev-bind', '/', '/', '--size', String(128 * 1024), '--tmpfs', '/mnt'];
    report = JSON.parse(execFileSync('bwrap', [...disk, process.execPath, script, '/mnt'], { encoding: 'utf8' })) as Report;
  });
  after(() => temporary.remove());

  it('keeps every event whose append returned, and stops at the first that failed', () => {
    const { appended, read, again } = report.journal;
    assert.ok(appended > 20, `${appended} events fitted`);
    assert.equal(read, appended);
    assert.equal(again.reason, 'failed-write');
    assert.match(again.message, /journal\.jsonl.*disk is full: make room.*same command/);
  });

  it('changes nothing when the journal is opened while the disk is still full', () => {
    const { dropped, whileFull, untouched, filesWhileFull } = report.journal;
    assert.ok(dropped > 0, 'the failed append left a torn line');
    assert.equal(whileFull.reason, 'failed-write');
    assert.ok(untouched);
    assert.deepEqual(filesWhileFull.sort(), ['journal.jsonl', 'spare']);
  });

  it('cuts off the torn line and goes on once there is room', () => {
    assert.equal(report.journal.torn, report.journal.dropped);
    assert.equal(report.journal.after, report.journal.appended + 1);
  });

  it('refuses a payload that does not fit, keeps the others and leaves no partial file', () => {
    assert.equal(report.payloads.failed.reason, 'failed-write');
    assert.match(report.payloads.failed.message, /disk is full/);
    assert.equal(report.payloads.small, 'small');
    assert.equal(report.payloads.files, 4, 'payloads, two folders of two digits, one payload');
  });

  it('leaves a rendering as it was when the new one does not fit', () => {
    assert.equal(report.shelf.failed.reason, 'failed-write');
    assert.equal(report.shelf.text, 'old');
    assert.deepEqual(report.shelf.files, ['payloads', 'state.json']);
  });

  it('refuses a supplied file that does not fit, however large it is, and leaves no part of it', () => {
    assert.equal(report.inputs.failed.reason, 'input');
    assert.match(report.inputs.failed.message, /"big" cannot be copied into \/mnt\/state\/inputs: .*no space/);
    assert.deepEqual([report.inputs.paths, report.inputs.files], [['small'], ['small']]);
  });
});
