/** Benchmark: finding the mutants of one file, parsed anew, and how that grows with the file. */
import { createSyntax } from '../../src/host/syntax/syntax.ts';
import { adds, mutantsOf } from '../engine/prove/support.ts';
import { bench, report } from './support/figures.ts';
import { coreTime, inTurns } from './support/in-turns.ts';

const lineCount = 500;
const roundCount = 9;
const goalMs = 250;
/** Ten times the lines may take that many times as long, and a little for what does not grow evenly. */
const goalGrowth = 13;

bench(async () => {
  const syntax = createSyntax();
  const first = await coreTime(() => syntax.parse('javascript', ''));
  const [small, large] = await inTurns([sourceOf(lineCount), sourceOf(lineCount * 10)], roundCount, mutantsIn);
  report({ name: 'syntax-load', value: first, unit: 'ms', goal: null });
  report({ name: 'syntax-500-lines', value: small, unit: 'ms', goal: goalMs }, { samples: roundCount });
  report({ name: 'syntax-10x', value: large / small, unit: 'ratio', goal: goalGrowth }, { ms: Math.round(large) });

  function mutantsIn(text: string): Promise<number> {
    const patches = [adds('work.js', text.split('\n'))];
    return coreTime(() => mutantsOf(syntax, { 'work.js': text }, patches));
  }
});

/** Functions of ten lines, as different from each other as the lines of real work. */
function sourceOf(lines: number): string {
  const one = (n: number): string[] => [
    `export function price${n}(cart${n}, rate${n} = ${n % 9}) {`,
    `  if (cart${n}.length === 0 || rate${n} < ${n}) return ${n};`,
    `  let total${n} = 0;`,
    `  for (let i${n} = 0; i${n} < cart${n}.length; i${n} += 1) {`,
    `    const item${n} = cart${n}[i${n}];`,
    `    total${n} += item${n}.price * item${n}.count - discount(item${n}, rate${n});`,
    `  } // price ${n}`,
    `  note('price of ${n}', total${n});`,
    `  return total${n} > ${n * 7} ? total${n} : Math.round(total${n} * rate${n});`,
    `} // end of ${n}`,
  ];
  return Array.from({ length: lines / 10 }, (_, n) => one(n).join('\n')).join('\n');
}
