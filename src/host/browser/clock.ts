/**
 * What the pages of all tabs take for now. `Date` is replaced in them, since the browser's own virtual time would run timers ahead; so timers keep
 * their pace, and workers, which no such script reaches, the real time.
 */
import * as z from 'zod';
import type { Connection } from './connection.ts';

const real = 'now';
const words = { local: true, offset: true };
/** Before an offset, only the form of minutes lets seconds be left out. */
const moment = z.union([z.iso.date(), z.iso.datetime({ ...words, precision: -1 }), z.iso.datetime(words)]);
const added = z.object({ identifier: z.string() });

export const momentWords =
  '2026-11-25T12:00 (local time), 2026-11-25T12:00Z or 2026-11-25T12:00+01:00, a date alone for its midnight, such as 2026-11-25, or now for the real time';

export class Clock {
  /** What pages run; undefined where it was never set. */
  private source: string | undefined;
  /** The browser's id of the script that new documents of a tab run. */
  private readonly scripts = new Map<Connection, string | undefined>();

  /** Sets it in the open pages with their frames, and in each that is opened from then on. @returns why it was not set. */
  async set(when: string): Promise<string | undefined> {
    if (when !== real && !moment.safeParse(when).success) return `${JSON.stringify(when)} is no moment. Use ${momentWords}.`;
    this.source = `(${replaceDate})(${when === real ? '' : `${JSON.stringify(localOf(when))}, ${Date.now()}`})`;
    await Promise.all([...this.scripts.keys()].map((tab) => this.setIn(tab)));
    return undefined;
  }

  /** In a tab that is new. */
  async add(tab: Connection): Promise<void> {
    this.scripts.set(tab, undefined);
    await this.setIn(tab);
  }

  forget(tab: Connection): void {
    this.scripts.delete(tab);
  }

  /** Also for a page that was kept as it was when it was left, with the clock of then. */
  async setIn(tab: Connection): Promise<void> {
    if (this.source === undefined) return;
    const before = this.scripts.get(tab);
    // In all frames at once, which `Runtime.evaluate` does not do.
    const script = { source: this.source, runImmediately: true };
    this.scripts.set(tab, added.parse(await tab.send('Page.addScriptToEvaluateOnNewDocument', script)).identifier);
    if (before !== undefined) await tab.send('Page.removeScriptToEvaluateOnNewDocument', { identifier: before });
  }
}

/** JavaScript takes a date alone for midnight in London. */
function localOf(when: string): string {
  return when.includes('T') ? when : `${when}T00:00`;
}

/**
 * Runs in each document before its own scripts, and again where the clock is set anew. Only the page knows its time zone, so it reads
 * the words itself. @param since the real time at which it was `when`, so that a page that is loaded later is later, too; both are
 * left out for the real time.
 */
const replaceDate = `(when, since) => {
  const key = Symbol.for('loop.clock');
  const install = () => {
    let ahead = 0;
    const Real = Date;
    const realNow = Real.now;
    const now = () => realNow() + ahead;
    const Fake = new Proxy(Real, {
      apply: () => new Fake().toString(),
      construct: (_, given, made) => Reflect.construct(Real, given.length === 0 ? [now()] : given, made),
    });
    Real.now = now;
    Real.prototype.constructor = Fake;
    globalThis.Date = Fake;
    const formats = Intl.DateTimeFormat.prototype;
    const { get: formatOf } = Object.getOwnPropertyDescriptor(formats, 'format');
    const { formatToParts } = formats;
    Object.defineProperty(formats, 'format', {
      get() {
        const format = formatOf.call(this);
        return (date = now()) => format(date);
      },
    });
    formats.formatToParts = function (date = now()) {
      return formatToParts.call(this, date);
    };
    if (globalThis.Temporal) {
      const { Now, Instant } = Temporal;
      const at = (zone = Now.timeZoneId()) => Instant.fromEpochMilliseconds(now()).toZonedDateTimeISO(zone);
      Now.instant = () => at().toInstant();
      Now.zonedDateTimeISO = (zone) => at(zone);
      Now.plainDateTimeISO = (zone) => at(zone).toPlainDateTime();
      Now.plainDateISO = (zone) => at(zone).toPlainDate();
      Now.plainTimeISO = (zone) => at(zone).toPlainTime();
    }
    const set = (when, since) => (ahead = when === undefined ? 0 : Real.parse(when) - since);
    Object.defineProperty(globalThis, key, { value: set });
  };
  if (!globalThis[key] && when !== undefined) install();
  globalThis[key]?.(when, since);
}`;
