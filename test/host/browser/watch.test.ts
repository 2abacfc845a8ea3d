/** The state of a page, read from DevTools events. Only its main frame counts, whatever it embeds. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { Watch } from '../../../src/host/browser/watch.ts';

describe('the console of a page', () => {
  const printed = (...texts: string[]): Watch => {
    const watch = new Watch(() => true);
    for (const value of texts) watch.take('Runtime.consoleAPICalled', { type: 'log', args: [{ value }] });
    return watch;
  };

  it('says where a line was cut, and how much is left out', () => {
    const [long, short] = printed('x'.repeat(700), 'y'.repeat(487)).allLines;
    assert.equal(long, `console.log: ${'x'.repeat(487)}… (213 characters left out)`);
    assert.equal(short, `console.log: ${'y'.repeat(487)}`);
  });

  it('says how many lines it does not tell', () => {
    assert.equal(printed(...Array<string>(100).fill('x')).allLines.at(-1), 'console.log: x');
    assert.deepEqual(printed(...Array<string>(103).fill('x')).allLines.slice(99), ['console.log: x', '[… 3 lines left out]']);
  });
});

describe('a page that embeds others', () => {
  const watchMain = (): Watch => {
    const watch = new Watch(() => true);
    watch.main = 'main';
    return watch;
  };
  const responseOf = (frameId: string, status: number, type = 'Document') => ({
    type,
    frameId,
    requestId: '1',
    response: { status, url: 'http://localhost/' },
  });

  it('has the status of its own document', () => {
    const watch = watchMain();
    watch.take('Network.responseReceived', responseOf('main', 200));
    watch.take('Network.responseReceived', responseOf('inner', 404));
    watch.take('Network.responseReceived', responseOf('main', 500, 'Fetch'));
    assert.equal(watch.status, 200);
  });

  it('is loading until its own document has loaded', async () => {
    const watch = watchMain();
    const loading = (frameId: string): void => watch.take('Page.frameStartedLoading', { frameId });
    const loaded = (frameId: string): void => watch.take('Page.frameStoppedLoading', { frameId });
    loading('main');
    loading('inner');
    loaded('inner');
    let isSettled = false;
    const settled = watch.settled().then(() => (isSettled = true));
    await delay(500);
    assert.equal(isSettled, false);
    loaded('main');
    loading('inner');
    await settled;
  });
});
