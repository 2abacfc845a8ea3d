/** Measures a small and a large size side by side: both with warm code, and other load on the machine affects both. */
import { median } from './figures.ts';

/**
 * @param rounds of each, after one that does not count
 * @param timeOf plays one round of a size. @returns its time
 * @returns the medians
 */
export async function inTurns<Size>(
  [small, large]: readonly [Size, Size],
  rounds: number,
  timeOf: (size: Size) => number | Promise<number>,
): Promise<[small: number, large: number]> {
  const times: { small: number[]; large: number[] } = { small: [], large: [] };
  await timeOf(small);
  await timeOf(large);
  for (let round = 0; round < rounds; round += 1) {
    times.small.push(await timeOf(small));
    times.large.push(await timeOf(large));
  }
  return [median(times.small), median(times.large)];
}

/** Milliseconds of a core, because other programs would count in the clock's. */
export async function coreTime(what: () => unknown): Promise<number> {
  const from = process.cpuUsage();
  await what();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}
