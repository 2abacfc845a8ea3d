import { formatCents } from './money.js';
import { HOME } from './receipts.js';

/** The report for other programs: amounts as text, so that none of them rounds. Takes what `summarize` returns. */
export function renderJson({ months, total }) {
  const report = {
    currency: HOME,
    months: months.map(({ month, categories, total: sum }) => ({
      month,
      categories: Object.fromEntries(categories.map(([name, cents]) => [name, formatCents(cents)])),
      total: formatCents(sum),
    })),
    total: formatCents(total),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
