/** Money is counted in whole cents: sums of fractions such as 0.1 + 0.2 are not exact. */

/** @returns {number} cents of an amount such as "38.50" */
export function toCents(text) {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new Error(`amount "${text}" is not a number like 38.50`);
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}

/** @returns {string} two decimals: 3850 is "38.50" */
export function formatCents(cents) {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
