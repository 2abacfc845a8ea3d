import { parseCsv, UnusableRows } from './csv.js';
import { toCents } from './money.js';

export const HOME = 'EUR';
const COLUMNS = ['date', 'category', 'description', 'amount', 'currency'];

/**
 * @param {string} text of a receipts file
 * @param {string} file its name, for messages
 * @returns {{ month: string, category: string, cents: number }[]}
 * @throws {UnusableRows} naming every row that cannot be used, not only the first
 */
export function readReceipts(text, file) {
  const [header, ...rows] = parseCsv(text);
  if (header?.fields.join() !== COLUMNS.join()) throw new UnusableRows([`${file}:1: the columns must be ${COLUMNS.join()}`]);
  const problems = [];
  const receipts = rows.map(({ line, fields, unclosed }) => {
    try {
      if (unclosed) throw new Error('a quote is opened and never closed');
      return toReceipt(fields);
    } catch (error) {
      problems.push(`${file}:${line}: ${error.message}`);
      return undefined;
    }
  });
  if (problems.length > 0) throw new UnusableRows(problems);
  return receipts;
}

function toReceipt(fields) {
  if (fields.length !== COLUMNS.length) throw new Error(`there are ${fields.length} fields, not ${COLUMNS.length}`);
  const empty = COLUMNS.filter((name, index) => name !== 'description' && fields[index].trim() === '');
  if (empty.length > 0) throw new Error(`${empty.join(' and ')} missing`);
  const [day, category, , amount, currency] = fields;
  if (!isInCalendar(day)) throw new Error(`date "${day}" is not a date like 2026-03-17`);
  const cents = toCents(amount);
  if (currency !== HOME) throw new Error(`there is no exchange rate for ${currency}`);
  // The month as it is written: a Date would be midnight in London, and still the day before in Seattle.
  return { month: day.slice(0, 7), category, cents };
}

/** Only days that exist: Date would read February 30 as March 2. In UTC, so that no time zone moves the day. */
function isInCalendar(day) {
  const date = new Date(`${day}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
