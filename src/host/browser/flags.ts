/**
 * Options of every browser that Loop starts in a sandbox. Its own sandbox is off, because it needs privileges that Loop's has dropped;
 * its protocol uses a pipe, so that nothing listens on a port.
 */
export function browserFlags(profile: string): string[] {
  return [...withoutSandbox, ...quiet, ...awake, ...oneProcess, without, `--user-data-dir=${profile}`, '--remote-debugging-pipe'];
}

const withoutSandbox = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars', '--mute-audio'];
/** It asks nobody for anything by itself. */
const quiet = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-extensions',
  '--disable-background-networking',
  '--disable-sync',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-breakpad',
];
/** A tab behind another one runs at its own pace: else a timer of it waits a second and more. */
const awake = ['--disable-background-timer-throttling', '--disable-renderer-backgrounding', '--disable-backgrounding-occluded-windows'];
/** What lies in a frame has the process of the page around it, also that of another origin: only so is it told and reached with it. */
const oneProcess = ['--disable-site-isolation-trials'];
const isolating = ['IsolateOrigins', 'site-per-process', 'IsolateSandboxedIframes'];
/** Of several such options only the last one counts. */
const without = `--disable-features=${isolating.join(',')}`;
