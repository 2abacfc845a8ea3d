#!/usr/bin/env node
/**
 * `npm run simulate -- --sprints 20000 [--seed N]`: whole sprints of the real engine in a simulated world (docs/simulation.md).
 *
 *   npm run simulate -- --seed 7 --sprints 1          repeats one sprint
 *   npm run simulate -- --mutants [name …] [--seed N] breaks each guarantee, and prints the seed that finds it
 *   npm run simulate -- --pipelines 5000 [--seed N]   pipelines whose agents lie
 */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle, swappable } from './swappable.mjs';
import { copySyntax } from './syntax-files.mjs';

const root = new URL('..', import.meta.url).pathname;
const entry = join(root, 'test', 'simulation', 'main.ts');
const out = join(root, 'out', 'simulation');

/** A mutant that breaks no guarantee in this many sprints survives. */
const sprintsPerMutant = 6000;

/** Exit status of `test/simulation/main.ts` when a guarantee broke. */
const brokeGuarantee = 3;

await copySyntax(join(out, 'syntax'));
process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  if (args[0] === '--mutants') return mutants(args.slice(1));
  if (args[0] === '--pipelines') return pipelines(args[1], args[args.indexOf('--seed') + 1 || args.length]);
  return run(await bundle(entry, join(out, 'simulate.mjs')), args);
}

/** They are one test, which plays fewer of them in `npm test`. */
async function pipelines(count, seed) {
  const env = { ...process.env, LOOP_PIPELINES: count, ...(seed === undefined ? {} : { LOOP_SEED: seed }) };
  const node = (...files) => spawnSync(process.execPath, files, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
  return (
    node('scripts/build.mjs', '--tests') ||
    node('node_modules/mocha/bin/mocha.js', '--timeout', '0', 'out/test/engine/pipeline-liars.test.mjs')
  );
}

async function mutants(args) {
  const { values, positionals: names } = parseArgs({ args, options: { seed: { type: 'string' } }, allowPositionals: true });
  const { mutants: all } = await import(await bundle(join(root, 'test', 'simulation', 'mutants.ts'), join(out, 'mutants.mjs')));
  const unknown = names.filter((name) => !all.some((mutant) => mutant.name === name));
  if (unknown.length > 0) throw new Error(`There is no mutant "${unknown.join('", "')}"; there are ${all.map((m) => m.name).join(', ')}.`);
  const seed = values.seed ?? String(Math.floor(Math.random() * 1_000_000_000));
  process.stdout.write(`seed ${seed}\n`);
  const file = await bundle(entry, join(out, 'swappable.mjs'), { plugins: [swappable] });
  const survivors = [];
  for (const mutant of all.filter(({ name }) => names.length === 0 || names.includes(name))) {
    process.stdout.write(`\n== ${mutant.name}: ${mutant.what}\n`);
    const killer = await killerOf(file, mutant, seed);
    if (killer === undefined) survivors.push(mutant.name);
    process.stdout.write(killer === undefined ? '== SURVIVED\n' : `== killed by seed ${killer}\n`);
  }
  process.stdout.write(`\n${survivors.length === 0 ? 'Every mutant was killed.' : `Survived: ${survivors.join(', ')}`}\n`);
  return survivors.length === 0 ? 0 : 1;
}

/**
 * A mutant is killed by a sprint that breaks one of its guarantees with the mutant, and none without it.
 * @returns the sprint's seed; undefined where the mutant survived
 * @throws where the mutant does not run, because that proves nothing
 */
async function killerOf(file, mutant, seed) {
  const world = mutant.world ? ['--with', JSON.stringify(mutant.world)] : [];
  const broken = ['--mutant', mutant.name, '--first', '--quiet', '--seed', seed, '--sprints', String(sprintsPerMutant), ...world];
  const { code, text } = await runAndRead(file, broken);
  if (code === 0) return undefined;
  const killer = code === brokeGuarantee ? /^seed (\d+): /m.exec(text)?.[1] : undefined;
  if (killer === undefined) throw new Error(`The mutant "${mutant.name}" ended with ${code}: it does not run, so it proves nothing.`);
  const without = await run(file, ['--first', '--seed', killer, '--sprints', '1', '--quiet', ...world]);
  if (without !== 0) throw new Error(`Seed ${killer} ends with ${without} without the mutant "${mutant.name}" too.`);
  return killer;
}

async function run(file, args) {
  return (await runAndRead(file, args)).code;
}

/** Prints the output of the simulation and also returns it. */
function runAndRead(file, args) {
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--enable-source-maps', file, ...args], { stdio: ['inherit', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part) => {
      text += part;
      process.stdout.write(part);
    });
    child.once('close', (code) => done({ code: code ?? 1, text }));
  });
}
