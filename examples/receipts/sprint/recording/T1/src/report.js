import { formatCents } from './money.js';
import { HOME } from './receipts.js';

/**
 * @param {{ date: Date, category: string, cents: number }[]} receipts
 * @returns {{ months: { month: string, categories: [string, number][], total: number }[], total: number }} in cents
 */
export function summarize(receipts) {
  const byMonth = new Map();
  for (const { date, category, cents } of receipts) {
    const month = monthOf(date);
    const sums = byMonth.get(month) ?? new Map();
    byMonth.set(month, sums.set(category, (sums.get(category) ?? 0) + cents));
  }
  const months = [...byMonth].sort(byName).map(([month, sums]) => {
    const categories = [...sums].sort(byName);
    return { month, categories, total: categories.reduce((sum, [, cents]) => sum + cents, 0) };
  });
  return { months, total: months.reduce((sum, { total }) => sum + total, 0) };
}

function monthOf(date) {
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

function byName([a], [b]) {
  return a < b ? -1 : 1;
}

/** The report as text, amounts in one column. */
export function renderText({ months, total }) {
  const blocks = months.map(({ month, categories, total: sum }) => ({ month, lines: [...categories, ['Total', sum]] }));
  const lines = blocks.flatMap((block) => block.lines);
  const names = Math.max('Grand total'.length, ...lines.map(([name]) => name.length + 2));
  const sums = Math.max(...[...lines, ['', total]].map(([, cents]) => formatCents(cents).length));
  const line = (name, cents) => `${name.padEnd(names)}    ${formatCents(cents).padStart(sums)}`;
  const texts = blocks.map(({ month, lines: own }) => [month, ...own.map(([name, cents]) => line(`  ${name}`, cents)), '']);
  return [...texts.flat(), `${line('Grand total', total)} ${HOME}`, ''].join('\n');
}
