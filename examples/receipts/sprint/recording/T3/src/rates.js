import { parseCsv, UnusableRows } from './csv.js';

const COLUMNS = ['month', 'currency', 'rate'];

/**
 * The company's exchange rates: so many euros for one unit, for each month and currency.
 *
 * @param {string | undefined} text of the file, undefined where there is none
 * @param {string} file its name, for messages
 * @returns {(month: string, currency: string) => string} the rate as it is written; throws where there is none
 */
export function readRates(text, file) {
  const rates = text === undefined ? new Map() : parseRates(text, file);
  const hint = text === undefined ? `: there is no file ${file}` : '';
  return (month, currency) => {
    const rate = rates.get(`${month} ${currency}`);
    if (rate === undefined) throw new Error(`there is no exchange rate for ${currency} in ${month}${hint}`);
    return rate;
  };
}

function parseRates(text, file) {
  const [header, ...rows] = parseCsv(text);
  if (header?.fields.join() !== COLUMNS.join()) throw new UnusableRows([`${file}:1: the columns must be ${COLUMNS.join()}`]);
  const bad = rows.filter(({ fields }) => fields.length !== COLUMNS.length || !/^\d+(\.\d+)?$/.test(fields[2]));
  if (bad.length > 0) throw new UnusableRows(bad.map(({ line, fields }) => `${file}:${line}: "${fields.join()}" is no rate`));
  return new Map(rows.map(({ fields: [month, currency, rate] }) => [`${month} ${currency}`, rate]));
}

/**
 * Cents by a rate such as "0.9204", half a cent away from zero. In whole numbers: as a fraction 0.9204 is a little off, and
 * Math.round would take half a cent of a refund towards zero.
 */
export function convert(cents, rate) {
  const [whole, fraction = ''] = rate.split('.');
  const scale = 10n ** BigInt(fraction.length);
  const exact = BigInt(Math.abs(cents)) * BigInt(whole + fraction);
  const rounded = Number((2n * exact + scale) / (2n * scale));
  return cents < 0 ? -rounded : rounded;
}
