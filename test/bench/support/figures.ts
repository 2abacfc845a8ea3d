/** The output of a benchmark: one JSON object a line on standard output, and progress for the person on standard error. */
/** A measured figure; `goal` is an upper bound, null where the figure is for information only. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'MB' | 'ratio' | 'USD' | 'sprints';
  readonly goal: number | null;
}

/** Prints a figure, and whether it meets its goal. @param more how it was measured: samples, seed */
export function report({ name, value, unit, goal }: Figure, more: Readonly<Record<string, unknown>> = {}): void {
  const holds = goal === null || value <= goal;
  process.stdout.write(`${JSON.stringify({ name, value: rounded(value), unit, goal, holds, ...more })}\n`);
}

/** Prints progress for the person. */
export function print(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which that share of the values lies, interpolated between two values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)];
  const high = sorted[Math.ceil(at)];
  if (low === undefined || high === undefined) throw new Error('there is no quantile of no values');
  return low + (high - low) * (at - Math.floor(at));
}

/** Four significant digits, which is more than a shared machine can reproduce. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/** The seed of this run: `--seed N` or `--seed=N`, otherwise 1. */
export function seedOf(args: readonly string[] = process.argv): number {
  return numberOf('--seed', 1, args);
}

/** The number of an option. */
export function numberOf(option: string, otherwise: number, args: readonly string[] = process.argv): number {
  const index = args.findIndex((arg) => arg === option || arg.startsWith(`${option}=`));
  if (index < 0) return otherwise;
  const text = args[index]?.split('=')[1] ?? args[index + 1] ?? '';
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${option} takes a whole number, not "${text}"`);
  return Number(text);
}

/** Runs a benchmark. An error is printed and sets the exit status. */
export function bench(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    print(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = 1;
  });
}
