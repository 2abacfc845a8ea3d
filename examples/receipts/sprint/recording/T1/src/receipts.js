import { parseCsv } from './csv.js';
import { toCents } from './money.js';

export const HOME = 'EUR';
const COLUMNS = ['date', 'category', 'description', 'amount', 'currency'];

/**
 * @param {string} text of a receipts file
 * @param {string} file its name, for messages
 * @returns {{ date: Date, category: string, cents: number }[]}
 */
export function readReceipts(text, file) {
  const [header, ...rows] = parseCsv(text);
  if (header?.fields.join() !== COLUMNS.join()) throw new Error(`${file}:1: the columns must be ${COLUMNS.join()}`);
  return rows.map(({ line, fields }) => {
    try {
      return toReceipt(fields);
    } catch (error) {
      throw new Error(`${file}:${line}: ${error.message}`);
    }
  });
}

function toReceipt([day, category, , amount, currency]) {
  const date = new Date(day);
  if (Number.isNaN(date.getTime())) throw new Error(`date "${day}" is not a date like 2026-03-17`);
  if (currency !== HOME) throw new Error(`there is no exchange rate for ${currency}`);
  return { date, category, cents: toCents(amount) };
}
